import type { VideoInput, VideoSource } from "../../src/core/kinds.ts";
import { bearerOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, JobView, LabRequest, No } from "../dialect.ts";
import { mediaBytes } from "../media.ts";
import { faultyField, isLink, isObject, isShort, isText, oneOf, optional, reject } from "./body-check.ts";
import type { FieldCheck } from "./body-check.ts";

const refusals: Record<No, { status: number; code: string }> = {
  auth: { status: 401, code: "invalid_api_key" },
  invalid: { status: 400, code: "invalid_value" },
  quota: { status: 429, code: "insufficient_quota" },
  rate_limit: { status: 429, code: "rate_limit_exceeded" },
  content_policy: { status: 400, code: "moderation_blocked" },
  missing: { status: 404, code: "not_found" },
  down: { status: 500, code: "server_error" },
};

const sizes = ["1280x720", "720x1280", "1792x1024", "1024x1792"];
const large = ["1920x1080", "1080x1920"];

const wide: VideoInput = { prompt: "waves", durationSeconds: 8, aspectRatio: { width: 16, height: 9 } };
const source = (act: VideoSource["act"]): VideoSource => ({
  act,
  taskId: "0",
  upstreamTaskId: "video_123",
  video: { from: "url", url: "https://videos.example/a.mp4" },
});

/** OpenAI's videos. */
export const openaiVideos: Dialect = {
  type: "openai-videos",
  key: bearerOf,
  read(request) {
    const { method, path } = request;
    const [, id = "", last] = /^\/videos\/([^/]+)(\/content|\/remix)?$/.exec(path) ?? [];
    if (method === "GET" && id !== "" && last === undefined) return { do: "poll", ids: [decodeURIComponent(id)], many: false };
    if (method === "GET" && last === "/content") return { do: "ask", id: decodeURIComponent(id), as: "content" };
    if (method !== "POST") return null;
    if (last === "/remix") return readDerived(request, { prompt });
    if (path === "/videos/extensions") return readDerived(request, { prompt, seconds, video: isObject({ id: isText }) });
    return path === "/videos" ? readSubmit(request) : null;
  },
  accepted: (job) => ({ status: 200, body: videoOf(job) }),
  shown: ([job]) => ({ status: 200, body: job && videoOf(job) }),
  other: {
    content: (job) =>
      job.state === "done"
        ? { status: 200, body: mediaBytes("clip.mp4"), headers: { "content-type": "video/mp4" } }
        : {
            status: 404,
            body: { error: { message: "The video is not ready.", type: "invalid_request_error", param: null, code: "not_found" } },
          },
  },
  no: (reason, says) => ({
    status: refusals[reason].status,
    body: { error: { message: says, type: "invalid_request_error", param: null, code: refusals[reason].code } },
  }),
  envelope: false,
  plain: { queued: "queued", running: "in_progress", done: "completed", failed: "failed", cancelled: "failed" },
  words: {
    queued: { shows: "queued", means: "queued" },
    in_progress: { shows: "running", means: "running" },
    completed: { shows: "done", means: "done" },
    failed: { shows: "failed", means: "failed" },
  },
  failures: { content: "moderation_blocked", internal: "server_error" },
  linksExpire: false,
  samples: [
    { kind: "video", model: "sora-2", input: { ...wide, resolution: "720p" } },
    { kind: "video", model: "sora-2", input: { ...wide, aspectRatio: { width: 9, height: 16 }, image: { from: "data", uri: "data:," } } },
    { kind: "video", model: "sora-2-pro", input: { ...wide, durationSeconds: 4, resolution: "1080p" } },
    { kind: "video", model: "sora-2", input: { ...wide, source: source("remix") } },
    { kind: "video", model: "sora-2", input: { ...wide, source: source("extend") } },
  ],
  models: [{ name: "sora-2*", kind: "video", price: "per_second: 0.10" }],
};

export function videoOf(job: JobView) {
  const isOver = job.state === "failed" || job.state === "cancelled";
  return {
    id: job.id,
    object: "video",
    model: job.model,
    // It has no word for a video that is made but not there.
    status: job.state === "done" && !job.hasResults ? "in_progress" : job.word,
    progress: Math.round(job.progress * 100),
    created_at: Math.floor(job.submittedAt / 1_000),
    completed_at: null,
    expires_at: null,
    prompt: job.prompt,
    size: "1280x720",
    seconds: "8",
    error: isOver ? { code: job.failure, message: "The video could not be made." } : null,
  };
}

const prompt = isShort(32_000);
const seconds = oneOf(["4", "8", "12", "16", "20"]);
const isPicture: FieldCheck = (value) => textOf(value, "mime").startsWith("image/");

function readSubmit({ body, headers }: LabRequest): Intent {
  const model = textOf(body, "model");
  const isForm = headers["content-type"]?.startsWith("multipart/form-data") === true;
  const faulty = faultyField(body, {
    model: oneOf(["sora-2", "sora-2-pro"]),
    prompt,
    seconds,
    size: oneOf([...sizes, ...(model === "sora-2-pro" ? large : [])]),
    input_reference: optional(isForm ? isPicture : isObject({ image_url: isLink })),
  });
  if (faulty !== null) return reject(`Invalid value: ${faulty}.`);
  return { do: "submit", kind: "video", model, prompt: textOf(body, "prompt") };
}

function readDerived({ body }: LabRequest, fields: Record<string, FieldCheck>): Intent {
  const faulty = faultyField(body, fields);
  if (faulty !== null) return reject(`Invalid value: ${faulty}.`);
  return { do: "submit", kind: "video", model: "sora-2", prompt: textOf(body, "prompt") };
}
