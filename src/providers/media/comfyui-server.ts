import { createHash } from "node:crypto";
import type { Job, ProviderSettings, TaskProvider, Work } from "../../core/provider.ts";
import { readText } from "../job/path.ts";
import { createUpstream, type Upstream } from "../upstream/upstream.ts";

/** The name that we give a job there: a UUID, and the same for every repetition of an attempt. */
export function promptIdOf({ attempt, taskId, idempotencyKey }: Job): string {
  if (attempt === 1) return taskId;
  const hex = createHash("sha256").update(idempotencyKey).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
}

/** The provider with what the history alone does not tell: whether a job still waits, is lost, or was stopped. */
export function withQueue(tasks: TaskProvider, settings: ProviderSettings, baseUrl: string): TaskProvider {
  const upstream = createUpstream({
    baseUrl,
    allowPrivateNetwork: settings.allowPrivateNetwork,
    auth: { header: "authorization", prefix: "Bearer " },
  });
  const { poll } = tasks;
  if (poll === undefined) return tasks;
  return {
    ...tasks,
    recovery: "lookup",
    async lookup(job, work) {
      const { state, id } = await ask(upstream, promptIdOf(job), work);
      return state === "gone" ? null : { state: "accepted", upstreamId: id };
    },
    async poll(job, work) {
      const polled = await poll(job, work);
      if (polled.state !== "running") return polled;
      const { state } = await ask(upstream, job.upstreamId, work);
      if (state === "queued") return { state };
      return state === "gone" ? { state: "missing" } : polled;
    },
    async cancel({ upstreamId }, work) {
      let { state } = await ask(upstream, upstreamId, work);
      if (state === "queued") {
        await send(upstream, "/queue", { delete: [upstreamId] }, work);
        ({ state } = await ask(upstream, upstreamId, work));
        if (state === "gone") return true;
      }
      // Servers that do not know the field stop what runs, and that is this job.
      return state === "running" && (await send(upstream, "/interrupt", { prompt_id: upstreamId }, work));
    },
  };
}

type Known = { state: "queued" | "running" | "gone" | "unsaid"; id: string };

const states: Readonly<Record<string, Known["state"]>> = { pending: "queued", in_progress: "running" };
const timeoutMs = 20_000;

async function ask(upstream: Upstream, id: string, { credential, signal }: Work): Promise<Known> {
  const url = `/api/jobs/${encodeURIComponent(id)}`;
  const reply = await upstream.call({ method: "GET", url, secret: credential.secret, timeoutMs, signal });
  if (reply.state !== "answered") return { state: "unsaid", id };
  // Servers from before that address answer 404 too, but not in JSON.
  if (reply.status === 404) return { state: readText(reply.body, "error") === undefined ? "unsaid" : "gone", id };
  return { state: states[readText(reply.body, "status") ?? ""] ?? "unsaid", id: readText(reply.body, "id") ?? id };
}

async function send(upstream: Upstream, url: string, json: unknown, { credential, signal }: Work): Promise<boolean> {
  const reply = await upstream.call({ method: "POST", url, json, secret: credential.secret, timeoutMs, signal });
  return reply.state === "answered" && reply.status >= 200 && reply.status < 300;
}
