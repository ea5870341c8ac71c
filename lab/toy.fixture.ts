import { createHmac } from "node:crypto";
import { bearerOf, fieldOf, textOf } from "./dialect.ts";
import type { Dialect, JobView, No } from "./dialect.ts";
import { mediaBytes } from "./media.ts";

const status: Record<No, number> = { auth: 401, invalid: 400, quota: 402, rate_limit: 429, content_policy: 403, missing: 404, down: 500 };

/** A wire with everything that a dialect can have, for the tests of the lab itself. */
export const toy: Dialect = {
  type: "toy",
  key: bearerOf,
  read({ method, path, query, body }) {
    const id = query.get("id") ?? "";
    if (path === "/open") return { do: "answer", open: true, reply: { status: 200, body: { keys: [] } } };
    if (path === "/upload") return { do: "answer", reply: { status: 200, body: fileOf(fieldOf(body, "file")) } };
    if (path === "/file") return { do: "ask", id, as: "file" };
    if (path === "/jobs" && query.has("name")) return { do: "lookup", reference: query.get("name") ?? "", many: true };
    if (path === "/jobs" && method === "GET") return { do: "poll", ids: query.getAll("id"), many: query.has("many") };
    if (path === "/jobs" && method === "DELETE") return { do: "cancel", id };
    if (path !== "/jobs" && path !== "/pictures") return null;
    const [url, name] = [textOf(body, "hook"), textOf(body, "name")];
    return {
      do: "submit",
      kind: path === "/pictures" ? "image" : "video",
      model: "toy-1",
      prompt: textOf(body, "prompt"),
      note: { size: fieldOf(body, "size") },
      ...(name !== "" && { reference: name }),
      ...(url !== "" && { callback: { url, secret: "toy-secret" } }),
    };
  },
  instant: ["image"],
  accepted: (job) => (job.kind === "image" ? { status: 200, body: mediaBytes("cover.png") } : { status: 200, body: recordOf(job) }),
  shown: (jobs, many) => ({ status: 200, body: many ? jobs.map(recordOf) : recordOf(jobs[0]) }),
  other: { file: () => ({ status: 200, body: mediaBytes("clip.mp4"), headers: { "content-type": "video/mp4" } }) },
  cancelled: () => ({ status: 204 }),
  cancels: ["queued"],
  callback(job, { secret = "", id }) {
    const body = JSON.stringify({ id: job.id, state: job.state });
    return { headers: { "x-id": id, "x-signature": createHmac("sha256", secret).update(body).digest("hex") }, body };
  },
  no: (reason, says) => ({ status: status[reason], body: { error: reason, says } }),
  envelope: false,
  plain: { queued: "waiting", running: "working", done: "ready", failed: "broken", cancelled: "stopped" },
  words: { ready: { shows: "done", means: "done" }, "not ready": { shows: "queued", means: "queued" } },
  failures: { content: "bad words", internal: "bad luck" },
  samples: [],
  models: [{ name: "toy-1", kind: "video", price: "per_second: 0.01" }],
};

function recordOf(job: JobView | undefined): object | null {
  return job ? { id: job.id, word: job.word, size: job.note["size"], at: job.baseUrl, file: job.link("clip.mp4") } : null;
}

function fileOf(file: unknown): object {
  const bytes = fieldOf(file, "bytes");
  return { name: textOf(file, "file"), mime: textOf(file, "mime"), length: bytes instanceof Uint8Array ? bytes.byteLength : 0 };
}
