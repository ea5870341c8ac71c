import { createStub } from "../../../lab/stub.ts";
import type { StubReply, StubRequest } from "../../../lab/stub.ts";
import type { ImageInput, MediaInput, MusicInput, VideoInput } from "../../core/kinds.ts";
import type { Job, Polled, Started, Work } from "../../core/provider.ts";
import type { JobAdapter } from "../job/job.ts";

export const work: Work = {
  signal: new AbortController().signal,
  credential: { id: "1", secret: "secret-123" },
  report: () => {},
  load: async () => ({ bytes: Buffer.from("png"), mime: "image/png" }),
};

export function videoOf(input: Partial<VideoInput> = {}): MediaInput {
  return { kind: "video", input: { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 }, ...input } };
}

export function imageOf(input: Partial<ImageInput> = {}): MediaInput {
  return { kind: "image", input: { act: "generate", prompt: "a fox", images: [], count: 1, grid: false, ...input } };
}

export function musicOf(input: Partial<MusicInput> = {}): MediaInput {
  return { kind: "music", input: { mode: "inspiration", instrumental: false, ...input } };
}

/** Starts one job at an upstream that gives this reply, and shows what was sent to it. */
export async function startAt(
  adapter: JobAdapter,
  task: MediaInput & { model: string; callback?: Job["callback"] },
  reply: StubReply,
  given = work,
): Promise<{ started: Started; requests: StubRequest[] }> {
  const stub = await createStub(() => reply);
  const { tasks } = adapter.create({ name: "stub", baseUrl: stub.url, allowPrivateNetwork: true });
  const started = await tasks.start({ ...task, taskId: "t", attempt: 1, idempotencyKey: "t-1" }, given);
  await stub.close();
  return { started, requests: stub.requests };
}

/** Asks about one job at an upstream that answers each request by its address. */
export async function pollAt(
  adapter: JobAdapter,
  job: { upstreamId: string; kind: MediaInput["kind"]; keep?: Record<string, string> },
  answer: (request: StubRequest) => StubReply,
): Promise<{ polled: Polled | undefined; requests: StubRequest[] }> {
  const stub = await createStub(answer);
  const { tasks } = adapter.create({ name: "stub", baseUrl: stub.url, allowPrivateNetwork: true });
  const polled = await tasks.poll?.({ model: "m", keep: {}, ...job }, work);
  await stub.close();
  return { polled, requests: stub.requests };
}
