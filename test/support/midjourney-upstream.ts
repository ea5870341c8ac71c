import { createServer, type ServerResponse } from "node:http";
import { png } from "./samples.ts";

export type Told = { path: string; body: Record<string, unknown> };

/** A Midjourney proxy that finishes everything at once and remembers what it was told. */
export type MidjourneyUpstream = {
  url: string;
  told: Told[];
  /** The ids that are the upstream's own affair. */
  secrets(): string[];
  close(): Promise<void>;
};

type Job = { id: string; action: string; prompt: string; asks: boolean };

const secretOf = (id: string) => `b1c2d3e4-0000-4000-8000-${id.padStart(12, "0")}`;
const actions: Record<string, string> = { imagine: "IMAGINE", describe: "DESCRIBE", blend: "BLEND", change: "UPSCALE", modal: "INPAINT" };

export async function startMidjourneyUpstream(): Promise<MidjourneyUpstream> {
  const told: Told[] = [];
  const jobs = new Map<string, Job>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const path = request.url ?? "";
    if (path.endsWith(".png")) return void response.writeHead(200, { "content-type": "image/png" }).end(png(96, 64));
    const body = (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
    const base = `http://${request.headers.host}`;
    const id = /^\/mj\/task\/(\d+)\/fetch$/.exec(path)?.[1];
    if (id !== undefined) return answer(response, recordOf(jobs.get(id), base));
    if (path === "/mj/task/list-by-condition")
      return answer(
        response,
        [body["ids"]].flat().map((one) => recordOf(jobs.get(String(one)), base)),
      );
    told.push({ path, body });
    answer(response, submitted(path, body, jobs));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    told,
    secrets: () => [...jobs.keys()].flatMap((id) => [id, secretOf(id)]),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function submitted(path: string, body: Record<string, unknown>, jobs: Map<string, Job>): object {
  const way = path.split("/").at(-1) ?? "";
  const pressed = String(body["customId"] ?? "");
  const asks = /CustomZoom|Inpaint/.test(pressed);
  const known = way === "modal" ? jobs.get(String(body["taskId"])) : undefined;
  const id = known?.id ?? String(1_700_000_000_000 + jobs.size);
  const action = pressed.includes("upsample") ? "UPSCALE" : (actions[way] ?? "VARIATION");
  jobs.set(id, { id, action, prompt: String(body["prompt"] ?? ""), asks });
  return { code: asks ? 21 : 1, description: "ok", result: id, properties: {} };
}

function recordOf(job: Job | undefined, base: string): object | null {
  if (job === undefined) return null;
  const names =
    job.action === "UPSCALE"
      ? ["MJ::JOB::high_variation::1::*::SOLO", "MJ::Inpaint::1::*::SOLO", "MJ::CustomZoom::*", "MJ::BOOKMARK::*"]
      : ["MJ::JOB::upsample::1::*", "MJ::JOB::upsample::2::*", "MJ::JOB::variation::1::*", "MJ::JOB::reroll::0::*::SOLO"];
  return {
    id: job.id,
    action: job.action,
    status: job.asks ? "MODAL" : "SUCCESS",
    progress: "100%",
    prompt: job.prompt,
    imageUrl: job.action === "DESCRIBE" ? null : `${base}/pictures/${job.id}.png`,
    properties: { finalPrompt: job.action === "DESCRIBE" ? "1️⃣ a grey square --ar 3:2\n\n2️⃣ fog" : job.prompt },
    buttons: names.map((name) => ({
      customId: name.replace("*", secretOf(job.id)),
      emoji: "",
      label: name.split("::")[2],
      type: 2,
      style: 2,
    })),
  };
}
