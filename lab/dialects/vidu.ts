import { createHmac } from "node:crypto";
import type { VideoInput } from "../../src/core/kinds.ts";
import { fieldOf, textOf } from "../dialect.ts";
import type { CallbackGiven, Dialect, Intent, JobView, No } from "../dialect.ts";
import { isPictureLink, isWhole, strangeField } from "../strict-body.ts";

const refusals: Record<No, { status: number; reason: string }> = {
  auth: { status: 401, reason: "Unauthorized" },
  invalid: { status: 400, reason: "FieldInvalid" },
  quota: { status: 400, reason: "CreditInsufficient" },
  rate_limit: { status: 429, reason: "SystemThrottling" },
  content_policy: { status: 400, reason: "TaskPromptPolicyViolation" },
  missing: { status: 404, reason: "TaskNotFound" },
  down: { status: 500, reason: "InternalServiceFailure" },
};

const durations: Record<string, readonly [number, number]> = { "viduq3-pro": [1, 16], viduq1: [5, 5] };
const pictures: Record<string, number> = { text2video: 0, img2video: 1, "start-end2video": 2 };
const known = [
  "model",
  "prompt",
  "duration",
  "seed",
  "resolution",
  "movement_amplitude",
  "bgm",
  "audio",
  "off_peak",
  "payload",
  "callback_url",
];

const wide: VideoInput = { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } };
const picture = { from: "url", url: "https://pictures.example/a.png" } as const;

/** Vidu's tasks. */
export const vidu: Dialect = {
  type: "vidu",
  key: ({ headers }) => /^Token (.+)$/.exec(headers.authorization ?? "")?.[1] ?? null,
  read({ method, path, query, body }) {
    const [, id, what] = /^\/tasks\/([^/]+)\/(creations|cancel)$/.exec(path) ?? [];
    if (id !== undefined && what === "creations" && method === "GET") return { do: "poll", ids: [decodeURIComponent(id)], many: false };
    if (id !== undefined && what === "cancel" && method === "POST") return readCancel(decodeURIComponent(id), body);
    if (path === "/tasks" && method === "GET") return readMany(query);
    const wanted = pictures[path.slice(1)];
    return method === "POST" && wanted !== undefined ? readSubmit(body, wanted) : null;
  },
  accepted: ({ id, model }) => ({ status: 200, body: { task_id: id, state: "created", model, credits: 10 } }),
  shown: (jobs, many) => {
    const tasks = jobs.map(taskOf);
    // The list leaves out what the question about one job tells.
    return { status: 200, body: many ? { next_page_token: "", tasks: tasks.map(({ creations: _, ...task }) => task) } : tasks[0] };
  },
  cancelled: () => ({ status: 200, body: {} }),
  cancels: ["queued"],
  callback: (job, given) => (job.state === "queued" ? null : signed(JSON.stringify(taskOf(job)), given)),
  no: (why, says) => ({ status: refusals[why].status, body: { code: refusals[why].status, reason: refusals[why].reason, message: says } }),
  envelope: false,
  plain: { queued: "queueing", running: "processing", done: "success", failed: "failed", cancelled: "failed" },
  words: {
    created: { shows: "queued", means: "queued" },
    queueing: { shows: "queued", means: "queued" },
    processing: { shows: "running", means: "running" },
    success: { shows: "done", means: "done" },
    failed: { shows: "failed", means: "failed" },
  },
  failures: { content: "CreationPolicyViolation", internal: "InternalServiceFailure" },
  tellsProgress: false,
  samples: [
    { kind: "video", model: "viduq3-pro", input: { ...wide, resolution: "720p", seed: 5 } },
    { kind: "video", model: "viduq3-pro", input: { ...wide, durationSeconds: 16, image: picture } },
    { kind: "video", model: "viduq1", input: { ...wide, image: { from: "data", uri: "data:," }, lastImage: picture } },
  ],
  models: [{ name: "vidu*", kind: "video", price: "per_second: 0.10" }],
};

function taskOf(job: JobView) {
  const failure = job.state === "cancelled" ? "UserCancelled" : job.failure;
  const creations = [{ id: `${job.id}-1`, url: job.link("clip.mp4"), cover_url: job.link("cover.png") }];
  return { id: job.id, state: job.word, err_code: failure, credits: 10, ...(job.state === "done" && job.hasResults && { creations }) };
}

function readMany(query: URLSearchParams): Intent {
  const ids = query.getAll("task_ids");
  const size = Number(query.get("pager.pagesz") ?? 20);
  return size > 100 || ids.length > size ? { do: "reject", says: "pager.pagesz" } : { do: "poll", ids, many: true };
}

function readCancel(id: string, body: unknown): Intent {
  return textOf(body, "id") === id ? { do: "cancel", id } : { do: "reject", says: "id" };
}

function readSubmit(body: unknown, wanted: number): Intent {
  const reject = (says: string): Intent => ({ do: "reject", says: `The field ${says} is invalid.` });
  const model = textOf(body, "model");
  const range = durations[model];
  const strange = strangeField(body, [...known, ...(wanted === 0 ? ["aspect_ratio", "style"] : ["images"])]);
  if (strange !== undefined) return reject(strange);
  if (!range) return reject("model");
  if (!isWhole(fieldOf(body, "duration"), ...range)) return reject("duration");
  if (wanted === 0 && !["16:9", "9:16", "1:1", "3:4", "4:3"].includes(textOf(body, "aspect_ratio"))) return reject("aspect_ratio");
  if (!["", "540p", "720p", "1080p"].includes(textOf(body, "resolution"))) return reject("resolution");
  const images = fieldOf(body, "images") ?? [];
  if (!Array.isArray(images) || images.length !== wanted || !images.every(isPictureLink)) return reject("images");
  const prompt = textOf(body, "prompt");
  if (prompt === "" ? wanted === 0 : prompt.length > 5_000) return reject("prompt");
  const url = textOf(body, "callback_url");
  return { do: "submit", kind: "video", model, prompt, ...(url !== "" && { callback: { url } }) };
}

function signed(body: string, { url, key, nowMs, id }: CallbackGiven) {
  const date = new Date(nowMs).toUTCString();
  const text = ["POST", url.pathname, url.search.slice(1), "vidu", date, `Date:${date}`, `x-request-nonce:${id}`, ""].join("\n");
  return {
    headers: {
      "content-type": "application/json",
      date,
      "x-request-nonce": id,
      "x-hmac-signed-headers": "Date;x-request-nonce",
      "x-hmac-algorithm": "hmac-sha256",
      "x-hmac-access-key": "vidu",
      "x-hmac-signature": createHmac("sha256", key).update(text).digest("base64"),
    },
    body,
  };
}
