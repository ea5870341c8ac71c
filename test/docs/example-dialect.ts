import { createHmac } from "node:crypto";
import { textOf } from "../../lab/dialect.ts";
import type { Dialect, JobView, No } from "../../lab/dialect.ts";
import { callbackOf, faultyField, isAddress, isLink, isObject, isShort, oneOf, optional, reject } from "../../lab/dialects/body-check.ts";
import type { VideoInput } from "../../src/core/kinds.ts";

const status: Record<No, number> = { auth: 401, invalid: 400, quota: 402, rate_limit: 429, content_policy: 400, missing: 404, down: 500 };
const codes: Partial<Record<No, string>> = { quota: "out_of_credit", missing: "job_unknown" };
const secret = Buffer.from("what the lab signs for acme with");

const motion = { model: oneOf(["motion-1"]), text: isShort(2_000), seconds: oneOf([5, 10]), notify: optional(isAddress) };
const ways = {
  "/v1/animate": { ...motion, first_frame: isLink },
  "/v1/generate": {
    ...motion,
    size: oneOf(["1280:720", "720:1280", "960:960"]),
    options: isObject({ watermark: (value) => value === false }),
  },
};

const asked: VideoInput = { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } };

/** Acme Motion seen from the other side. */
export const acmeMotionDialect: Dialect = {
  type: "acme-motion",
  key: ({ headers }) => headers["x-api-key"]?.toString() ?? null,
  read({ method, path, body }) {
    const id = /^\/v1\/jobs\/([^/]+)$/.exec(path)?.[1];
    if (id !== undefined && method === "GET") return { do: "poll", ids: [decodeURIComponent(id)], many: false };
    if (id !== undefined && method === "DELETE") return { do: "cancel", id: decodeURIComponent(id) };
    if (method !== "POST" || (path !== "/v1/animate" && path !== "/v1/generate")) return null;
    const fault = faultyField(body, ways[path]);
    if (fault !== null) return reject(`${fault} is not valid`);
    return { do: "submit", kind: "video", model: textOf(body, "model"), prompt: textOf(body, "text"), ...callbackOf(body, "notify") };
  },
  accepted: (job) => ({ status: 201, body: { job: recordOf(job) } }),
  shown: ([job]) => ({ status: 200, body: { job: job && recordOf(job) } }),
  cancelled: () => ({ status: 204 }),
  cancels: ["queued"],
  callback(job, { id, nowMs }) {
    const body = JSON.stringify({ job: job.id, state: job.word });
    const time = String(Math.floor(nowMs / 1_000));
    const signature = createHmac("sha256", secret).update(`${id}.${time}.${body}`).digest("base64");
    return { headers: { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": `v1,${signature}` }, body };
  },
  webhookSecret: `whsec_${secret.toString("base64")}`,
  no: (reason, says) => ({
    status: status[reason],
    body: { error: { code: codes[reason] ?? "refused", message: reason === "content_policy" ? `unsafe: ${says}` : says } },
  }),
  envelope: false,
  plain: { queued: "waiting", running: "rendering", done: "ready", failed: "failed", cancelled: "failed" },
  words: {
    waiting: { shows: "queued", means: "queued" },
    rendering: { shows: "running", means: "running" },
    ready: { shows: "done", means: "done" },
    failed: { shows: "failed", means: "failed" },
    blocked: { shows: "failed", means: "failed" },
  },
  failures: { content: "unsafe text", internal: "a machine broke" },
  samples: [
    { kind: "video", model: "motion-1", input: asked },
    { kind: "video", model: "motion-1", input: { ...asked, durationSeconds: 10, image: { from: "data", uri: "data:," } } },
  ],
  models: [{ name: "motion-1", kind: "video", price: "per_second: 0.05" }],
};

function recordOf(job: JobView): object {
  const files = { hd: job.link("clip.mp4"), poster: job.link("cover.png") };
  return {
    id: job.id,
    state: job.word,
    ...(job.state === "running" && { percent: Math.round(job.progress * 100) }),
    ...(job.state === "failed" && { error: job.failure }),
    ...(job.state === "done" && job.hasResults && { files, seconds: 5 }),
  };
}
