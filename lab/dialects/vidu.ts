import { createHmac } from "node:crypto";
import type { VideoInput } from "../../src/core/kinds.ts";
import { textOf } from "../dialect.ts";
import type { CallbackGiven, Dialect, Intent, JobView, No } from "../dialect.ts";
import {
  callbackOf,
  faultyField,
  isAddress,
  isBetween,
  isBoolean,
  isLink,
  isListOf,
  isShort,
  isText,
  oneOf,
  optional,
  reject,
} from "./body-check.ts";
import type { FieldCheck } from "./body-check.ts";

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
const isPair: FieldCheck = (value) => isListOf(isLink)(value) && [value].flat().length === 2;
const isOne: FieldCheck = (value) => isListOf(isLink)(value) && [value].flat().length === 1;
/** What each way to ask takes, beside what all take. */
const ways: Record<string, Record<string, FieldCheck>> = {
  text2video: {
    prompt: isShort(5_000),
    aspect_ratio: oneOf(["16:9", "9:16", "1:1", "3:4", "4:3"]),
    style: optional(oneOf(["general", "anime"])),
  },
  img2video: { prompt: optional(isShort(5_000)), images: isOne },
  "start-end2video": { prompt: optional(isShort(5_000)), images: isPair },
};
const common = {
  model: isText,
  seed: optional(isBetween(0, 4_294_967_295)),
  resolution: optional(oneOf(["540p", "720p", "1080p"])),
  movement_amplitude: optional(oneOf(["auto", "small", "medium", "large"])),
  bgm: optional(isBoolean),
  audio: optional(isBoolean),
  off_peak: optional(isBoolean),
  payload: optional(isText),
  callback_url: optional(isAddress),
};

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
    const way = ways[path.slice(1)];
    return method === "POST" && way ? readSubmit(body, way) : null;
  },
  accepted: ({ id, model }) => ({ status: 200, body: { task_id: id, state: "created", model, credits: 10 } }),
  shown: (jobs, many) => {
    const tasks = jobs.map(taskOf);
    return { status: 200, body: many ? { next_page_token: "", tasks } : tasks[0] };
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

// More than fill a page are on the next one.
function readMany(query: URLSearchParams): Intent {
  return { do: "poll", ids: query.getAll("task_ids").slice(0, 10), many: true };
}

function readCancel(id: string, body: unknown): Intent {
  return textOf(body, "id") === id ? { do: "cancel", id } : reject("id");
}

function readSubmit(body: unknown, way: Record<string, FieldCheck>): Intent {
  const model = textOf(body, "model");
  const range = durations[model];
  const faulty = range ? faultyField(body, { ...common, ...way, duration: isBetween(...range) }) : "model";
  if (faulty !== null) return reject(`The field ${faulty} is invalid.`);
  return { do: "submit", kind: "video", model, prompt: textOf(body, "prompt"), ...callbackOf(body, "callback_url") };
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
