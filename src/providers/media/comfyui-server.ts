import { createHash } from "node:crypto";
import type { Job, ProviderSettings, TaskProvider, Work } from "../../core/provider.ts";
import { fillAddress } from "../job/address.ts";
import { readText } from "../job/path.ts";
import { createUpstream } from "../upstream/upstream.ts";

/** The name that we give a job there: a UUID, and the same for every repetition of an attempt. */
export function promptIdOf({ attempt, taskId, idempotencyKey }: Job): string {
  if (attempt === 1) return taskId;
  const hex = createHash("sha256").update(idempotencyKey).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
}

type Question = TaskProvider["poll"];

/** A provider whose jobs can be found by their name and stopped, and asked for at servers of any age: `byHistory` is for those without /api/jobs. */
export function withServer(tasks: TaskProvider, byHistory: Question, settings: ProviderSettings, baseUrl: string): TaskProvider {
  const byName = tasks.poll;
  if (byName === undefined || byHistory === undefined) return tasks;
  const server = serverOf(settings, baseUrl);
  const poll: NonNullable<Question> = async (job, work) => {
    const polled = await byName(job, work);
    if (polled.state !== "missing") return polled;
    return (await server.find(job.upstreamId, work)).state === "unsaid" ? byHistory(job, work) : polled;
  };
  return {
    ...tasks,
    poll,
    recovery: "lookup",
    async lookup(job, work) {
      const { state, id } = await server.find(promptIdOf(job), work);
      // A server that cannot say may have the job, and must not be sent it twice.
      return state === "gone" ? null : { state: "accepted", upstreamId: id };
    },
    async cancel(job, work) {
      let { state } = await poll(job, work);
      if (state === "queued") {
        await server.send("/queue", { delete: [job.upstreamId] }, work);
        ({ state } = await poll(job, work));
        if (state === "missing") return true;
      }
      return state === "running" && server.send("/interrupt", { prompt_id: job.upstreamId }, work);
    },
  };
}

const timeoutMs = 20_000;

function serverOf({ allowPrivateNetwork }: ProviderSettings, baseUrl: string) {
  const upstream = createUpstream({ baseUrl, allowPrivateNetwork, auth: { header: "authorization", prefix: "Bearer " } });
  return {
    async find(id: string, { credential, signal }: Work): Promise<{ state: "there" | "gone" | "unsaid"; id: string }> {
      const url = fillAddress("/api/jobs/{id}", { id });
      if (url === null) return { state: "unsaid", id };
      const reply = await upstream.call({ method: "GET", url, secret: credential.secret, timeoutMs, signal });
      if (reply.state !== "answered") return { state: "unsaid", id };
      const found = readText(reply.body, "id");
      if (found !== undefined) return { state: "there", id: found };
      // Servers without that address answer 404 too, but not in JSON.
      return { state: reply.status === 404 && readText(reply.body, "error") !== undefined ? "gone" : "unsaid", id };
    },
    async send(url: string, json: unknown, { credential, signal }: Work): Promise<boolean> {
      const reply = await upstream.call({ method: "POST", url, json, secret: credential.secret, timeoutMs, signal });
      return reply.state === "answered" && reply.status >= 200 && reply.status < 300;
    },
  };
}
