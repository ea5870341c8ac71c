import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import type { TestContext } from "node:test";
import { createStub } from "../../../lab/stub.ts";
import type { StubReply, StubRequest } from "../../../lab/stub.ts";
import type { Job, ProviderSettings, UpstreamJob, Work } from "../../core/provider.ts";
import { createJob } from "./job.ts";
import type { JobSpec } from "./spec.ts";

/** A description with no more in it than every upstream has; tests add what they are about. */
export const plainSpec: JobSpec = {
  type: "example",
  about: { title: "Example", summary: "An upstream of these tests.", examples: [] },
  pollEveryMs: 1_000,
  models: { video: { "*": {} }, music: { "*": {} }, image: { "*": { acts: ["generate", "edit", "describe"] } } },
  start: [{ kind: "video", send: "POST /jobs", body: { text: "input.prompt" } }],
  accepted: { id: "id" },
  poll: { send: "GET /jobs/{id}" },
  status: { at: "state", words: { waiting: "queued", going: "running", ready: "done", broken: "failed", blocked: "content_policy" } },
  results: { video: { video: "url" } },
  errors: { code: "error", message: "message", codes: { "*unsafe*": "content_policy", "FULL*": "quota" }, definite: ["UNSAFE"] },
};

export const videoJob: Job = {
  kind: "video",
  taskId: "t",
  attempt: 1,
  idempotencyKey: "t-1",
  model: "m",
  input: { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } },
};

export const imageJob: Job = {
  kind: "image",
  taskId: "t",
  attempt: 1,
  idempotencyKey: "t-1",
  model: "m",
  input: { act: "generate", prompt: "a hill", images: [], count: 1, grid: false },
};

export const plainWork: Work = {
  signal: new AbortController().signal,
  credential: { id: "1", secret: "secret-123" },
  report: () => {},
  load: async () => ({ bytes: Buffer.from("png"), mime: "image/png" }),
};

export function runningJob(upstreamId: string, kind: UpstreamJob["kind"] = "video", keep: Record<string, string> = {}): UpstreamJob {
  return { upstreamId, keep, kind, model: "m" };
}

/** A provider of the plain description with these changes, and the upstream it speaks to. */
export async function provide(
  context: TestContext,
  change: Partial<JobSpec>,
  answer: (request: StubRequest) => StubReply,
  settings: Partial<ProviderSettings> = {},
) {
  const stub = await createStub(answer);
  context.after(() => stub.close());
  const { tasks } = createJob({ ...plainSpec, ...change }).create({
    name: "x",
    baseUrl: stub.url,
    allowPrivateNetwork: true,
    ...settings,
  });
  return { stub, provider: tasks };
}

type RawReply = { status?: number; type?: string; body: string | Buffer };
type RawRequest = { url: string; headers: IncomingHttpHeaders; text: string };

/** The same with an upstream that takes and gives bytes of any kind. */
export async function provideRaw(context: TestContext, change: Partial<JobSpec>, answer: (request: RawRequest) => RawReply) {
  const requests: RawRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const seen = { url: request.url ?? "", headers: request.headers, text: Buffer.concat(chunks).toString("latin1") };
    requests.push(seen);
    const { status = 200, type = "application/json", body } = answer(seen);
    response.writeHead(status, { "content-type": type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const { tasks } = createJob({ ...plainSpec, ...change }).create({ name: "x", baseUrl: url, allowPrivateNetwork: true });
  return { requests, provider: tasks, url };
}
