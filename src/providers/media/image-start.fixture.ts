import { createStub } from "../../../lab/stub.ts";
import type { StubReply, StubRequest } from "../../../lab/stub.ts";
import type { ImageInput } from "../../core/kinds.ts";
import type { Job, ProviderSettings, Work } from "../../core/provider.ts";
import type { JobAdapter } from "../job/job.ts";

export const work: Work = {
  signal: new AbortController().signal,
  credential: { id: "1", secret: "user:secret-123" },
  report: () => {},
  load: async () => ({ bytes: Buffer.from("png"), mime: "image/png" }),
};

export const picture = { from: "file", id: "file_1" } as const;

/** The picture above as a data URI, and as base64 alone. */
export const base64 = "cG5n";
export const dataUri = `data:image/png;base64,${base64}`;

export function imageJob(model: string, input: Partial<ImageInput>, attempt = 1): Job {
  const taskId = "01890000-0000-7000-8000-000000000001";
  const whole: ImageInput = { act: "generate", prompt: "a lighthouse", images: [], count: 1, grid: false, ...input };
  return { kind: "image", taskId, attempt, idempotencyKey: `${taskId}-${attempt}`, model, input: whole };
}

/** Sends one job to an upstream that answers as told, and shows what came of it and what arrived there. */
export async function sent(
  adapter: JobAdapter,
  job: Job,
  answer: StubReply | ((request: StubRequest) => StubReply),
  settings: Partial<ProviderSettings> = {},
) {
  const stub = await createStub((request) => (typeof answer === "function" ? answer(request) : answer));
  try {
    const { tasks } = adapter.create({ name: "test", baseUrl: stub.url, allowPrivateNetwork: true, ...settings });
    const started = await tasks.start(job, work);
    const [request] = stub.requests;
    return { started, path: request?.url, headers: request?.headers, body: stub.requests.at(-1)?.body, requests: stub.requests };
  } finally {
    await stub.close();
  }
}
