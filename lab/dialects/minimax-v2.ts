import type { VideoInput } from "../../src/core/kinds.ts";
import { bearerOf, fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, JobView, No } from "../dialect.ts";
import {
  callbackOf,
  either,
  faultyField,
  isAddress,
  isBetween,
  isLink,
  isListOf,
  isObject,
  isShort,
  oneOf,
  optional,
  reject,
} from "./body-check.ts";

const refusals: Record<No, { status: number; type: string }> = {
  auth: { status: 401, type: "authentication_error" },
  invalid: { status: 400, type: "invalid_request_error" },
  quota: { status: 402, type: "insufficient_balance_error" },
  rate_limit: { status: 429, type: "rate_limit_error" },
  content_policy: { status: 422, type: "content_error" },
  missing: { status: 404, type: "not_found_error" },
  down: { status: 500, type: "api_error" },
};
const part = either(
  isObject({ type: oneOf(["text"]), text: isShort(7_000) }),
  isObject({ type: oneOf(["image_url"]), image_url: isObject({ url: isLink }), role: oneOf(["first_frame", "last_frame"]) }),
);
const checks = {
  model: oneOf(["MiniMax-H3", "MiniMax-H3-Max"]),
  content: isListOf(part),
  resolution: optional(oneOf(["768P", "2K"])),
  duration: optional(isBetween(4, 15)),
  ratio: optional(oneOf(["adaptive", "21:9", "16:9", "4:3", "1:1", "3:4", "9:16"])),
  callback_url: optional(isAddress),
};

const asked: VideoInput = { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } };

/** MiniMax's second API of videos. */
export const minimaxV2: Dialect = {
  type: "minimax-v2",
  key: bearerOf,
  read({ method, path, body }) {
    const asks = /^\/v2\/query\/video_generation\/([^/]+)$/.exec(path)?.[1];
    const stops = /^\/v2\/video_generation\/([^/]+)$/.exec(path)?.[1];
    if (method === "GET" && asks !== undefined) return { do: "poll", ids: [decodeURIComponent(asks)], many: false };
    if (method === "DELETE" && stops !== undefined) return { do: "cancel", id: decodeURIComponent(stops) };
    return method === "POST" && path === "/v2/video_generation" ? readSubmit(body) : null;
  },
  accepted: ({ id }) => ({ status: 200, body: { task_id: id } }),
  shown: ([job]) => ({ status: 200, body: job && recordOf(job) }),
  cancelled: () => ({ status: 200, body: {} }),
  cancels: ["queued"],
  challenge({ id }) {
    return { headers: { "content-type": "application/json" }, body: JSON.stringify({ challenge: id }), wants: id };
  },
  callback: (job) => ({ headers: { "content-type": "application/json" }, body: JSON.stringify(recordOf(job)) }),
  no(reason, says) {
    const { status, type } = refusals[reason];
    return { status, body: { type: "error", error: { type, message: says, http_code: String(status) }, request_id: "lab" } };
  },
  envelope: false,
  plain: { queued: "queued", running: "running", done: "succeeded", failed: "failed", cancelled: "cancelled" },
  words: {
    queued: { shows: "queued", means: "queued" },
    running: { shows: "running", means: "running" },
    succeeded: { shows: "done", means: "done" },
    failed: { shows: "failed", means: "failed" },
    cancelled: { shows: "cancelled", means: "failed" },
    expired: { shows: "failed", means: "failed" },
  },
  failures: { content: "output is sensitive", internal: "generation failed" },
  tellsProgress: false,
  samples: [
    { kind: "video", model: "MiniMax-H3", input: { ...asked, resolution: "2k" } },
    {
      kind: "video",
      model: "MiniMax-H3-Max",
      input: {
        ...asked,
        durationSeconds: 15,
        image: { from: "url", url: "https://pictures.example/a.png" },
        lastImage: { from: "data", uri: "data:," },
      },
    },
  ],
  models: [{ name: "MiniMax-H3", kind: "video", price: "per_second: 0.08" }],
};

function readSubmit(body: unknown): Intent {
  const fault = faultyField(body, checks);
  if (fault !== null) return reject(`The field ${fault} is not valid.`);
  const content = fieldOf(body, "content");
  const prompt = (Array.isArray(content) ? content : []).map((one: unknown) => textOf(one, "text")).join("");
  return { do: "submit", kind: "video", model: textOf(body, "model"), prompt, ...callbackOf(body, "callback_url") };
}

function recordOf(job: JobView): object {
  const isDone = job.state === "done" && job.hasResults;
  return {
    task: {
      id: job.id,
      model: job.model,
      status: job.word,
      task_type: "video_generation",
      ...(isDone && {
        content: { url: job.link("clip.mp4") },
        duration: 2,
        usage: { total_seconds: 2, input_seconds: 0, output_seconds: 2 },
      }),
      ...(job.failure !== "" && { error: { code: "generation_error", message: job.failure } }),
      created_at: Math.floor(job.submittedAt / 1_000),
      updated_at: Math.floor(job.submittedAt / 1_000),
    },
  };
}
