import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export type HandJob = { id: string; prompt: string; key: string; polls: number; cancels: number; sent: Record<string, unknown> };
export type HandReply = { status?: number; body?: unknown; headers?: Record<string, string> };
type Act = "start" | "poll" | "cancel";

/** The wires of Runway, of Suno's relays and of OpenAI's images, led by the hand of a test: what is answered, and when. */
export type HandUpstream = {
  url: string;
  jobs: HandJob[];
  /** The jobs of one prompt. */
  of(prompt: string): HandJob[];
  /** Answers a question about jobs of a prompt from now on; without one, jobs run for ever. */
  on(act: Act, prompt: string, answer: (job: HandJob) => HandReply): void;
  /** Keeps the next answer of this kind back; `came` when it was asked for, and `go` lets it out. */
  hold(act: Act, prompt: string): { came: Promise<HandJob>; go: () => void };
  /** Serves something under /media/<name>. */
  media: Map<string, (request: IncomingMessage, response: ServerResponse) => void>;
  close(): Promise<void>;
};

export const clip = readFileSync(new URL("../../lab/media/clip.mp4", import.meta.url));
export const cover = readFileSync(new URL("../../lab/media/cover.png", import.meta.url));

export const running = (progress: unknown = 0.3): HandReply => ({ body: { status: "RUNNING", progress } });
export const failed = (failureCode: string): HandReply => ({ body: { status: "FAILED", failure: "It failed.", failureCode } });

export async function startHandUpstream(): Promise<HandUpstream> {
  const jobs: HandJob[] = [];
  const answers = new Map<string, (job: HandJob) => HandReply>();
  const holds = new Map<string, { came: (job: HandJob) => void; go: Promise<void> }>();
  const media: HandUpstream["media"] = new Map([["clip.mp4", (_request, response) => void response.end(clip)]]);

  async function answer(act: Act, job: HandJob, usual: HandReply, response: ServerResponse): Promise<void> {
    const name = `${act} ${job.prompt}`;
    const held = holds.get(name);
    holds.delete(name);
    held?.came(job);
    await held?.go;
    const { status = 200, body, headers = {} } = answers.get(name)?.(job) ?? usual;
    response.writeHead(status, { "content-type": "application/json", ...headers });
    if (headers["content-length"] !== undefined) return void response.write(String(body), () => response.destroy());
    response.end(body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body));
  }

  const server = createServer((request, response) => {
    const { method = "GET", url = "/", headers } = request;
    const name = /^\/media\/([^?]+)/.exec(url)?.[1];
    const serve = name === undefined ? undefined : media.get(name);
    if (serve !== undefined) return serve(request, response);
    if (name !== undefined) return void response.writeHead(404).end();
    const id = /^(?:\/v1\/tasks|\/suno\/fetch)\/(.+)$/.exec(url)?.[1];
    if (/\/suno(\/submit)?\/fetch$/.test(url)) return void response.writeHead(404).end();
    const known = jobs.find((job) => job.id === id);
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => void chunks.push(chunk));
    request.on("end", () => {
      if (id === undefined) {
        const sent = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
        const key = String(headers.authorization).replace("Bearer ", "");
        const prompt = String(sent["promptText"] ?? (sent["gpt_description_prompt"] || sent["prompt"]));
        const job = { id: `job-${jobs.length + 1}`, prompt, key, polls: 0, cancels: 0, sent };
        jobs.push(job);
        void answer("start", job, { body: acceptedBy(url, job.id) }, response);
      } else if (known === undefined) response.writeHead(404).end("{}");
      else if (method === "DELETE") {
        known.cancels++;
        void answer("cancel", known, { status: 204 }, response);
      } else {
        known.polls++;
        void answer("poll", known, running(), response);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  return {
    url,
    jobs,
    of: (prompt) => jobs.filter((job) => job.prompt === prompt),
    on: (act, prompt, how) => void answers.set(`${act} ${prompt}`, how),
    hold(act, prompt) {
      const came = Promise.withResolvers<HandJob>();
      const go = Promise.withResolvers<void>();
      holds.set(`${act} ${prompt}`, { came: came.resolve, go: go.promise });
      return { came: came.promise, go: go.resolve };
    },
    media,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function acceptedBy(url: string, id: string): object {
  if (url.includes("/images/")) return { created: 1, data: [{ b64_json: cover.toString("base64") }] };
  return url.startsWith("/suno") ? { code: "success", message: "", data: id } : { id };
}

/** A finished job of a relay with these songs. */
export const songs = (job: HandJob, data: readonly object[]): HandReply => ({
  body: { code: "success", message: "", data: { task_id: job.id, action: "MUSIC", status: "SUCCESS", progress: "100%", data } },
});

/** A finished job whose clip lies at an address. */
export const done = (url: string): HandReply => ({ body: { status: "SUCCEEDED", output: [url] } });
