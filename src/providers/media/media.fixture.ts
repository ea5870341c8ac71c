import type { TestContext } from "node:test";
import { createStub } from "../../../lab/stub.ts";
import type { StubReply, StubRequest } from "../../../lab/stub.ts";
import type { TaskInput } from "../../core/kinds.ts";
import type { Polled, Started, TaskProvider, Work } from "../../core/provider.ts";
import type { JobAdapter } from "../job/job.ts";

export const work: Work = {
  signal: new AbortController().signal,
  credential: { id: "1", secret: "secret-123" },
  report: () => {},
  load: async () => ({ bytes: Buffer.from("picture"), mime: "image/png" }),
};

type Options = Readonly<Record<string, unknown>>;
type Answer = (request: StubRequest) => StubReply;

/** A provider whose upstream answers what the test says. */
export async function providerOf(context: TestContext, adapter: JobAdapter, answer: Answer, options: Options = {}) {
  const stub = await createStub(answer);
  context.after(() => stub.close());
  const { tasks } = adapter.create({ name: "stub", baseUrl: stub.url, allowPrivateNetwork: true, options });
  return { provider: tasks, stub };
}

/** Starts a job, and gives the first request that this took. */
export async function sent(
  context: TestContext,
  adapter: JobAdapter,
  job: TaskInput & { model: string },
  { reply = { body: {} }, options = {} }: { reply?: StubReply; options?: Options } = {},
): Promise<{ started: Started; request: StubRequest | undefined }> {
  const { provider, stub } = await providerOf(context, adapter, () => reply, options);
  const started = await provider.start({ ...job, taskId: "t", attempt: 1, idempotencyKey: "t-1" }, work);
  return { started, request: stub.requests[0] };
}

/** What a poll of a video says. */
export function pollVideo(provider: TaskProvider, keep: Record<string, string> = {}): Promise<Polled> | undefined {
  return provider.poll?.({ upstreamId: "1", keep, kind: "video", model: "m" }, work);
}
