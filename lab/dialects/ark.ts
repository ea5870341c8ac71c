import type { ImageInput, VideoInput } from "../../src/core/kinds.ts";
import { bearerOf, fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, JobView, No } from "../dialect.ts";
import {
  callbackOf,
  either,
  faultyField,
  isAddress,
  isBetween,
  isBoolean,
  isLink,
  isListOf,
  isObject,
  isText,
  oneOf,
  optional,
  reject,
} from "./body-check.ts";

const refusals: Record<No, { status: number; code: string }> = {
  auth: { status: 401, code: "AuthenticationError" },
  invalid: { status: 400, code: "InvalidParameter" },
  quota: { status: 403, code: "AccountOverdueError" },
  rate_limit: { status: 429, code: "RateLimitExceeded.EndpointRPMExceeded" },
  content_policy: { status: 400, code: "InputTextSensitiveContentDetected" },
  missing: { status: 404, code: "ResourceNotFound" },
  down: { status: 500, code: "InternalServiceError" },
};

const lines = ["480p", "720p", "1080p"];
const durations: Record<string, readonly [number, number]> = {
  "doubao-seedance-2-0-260128": [4, 15],
  "doubao-seedance-1-0-pro-250528": [2, 12],
  "seedance-1-5-pro-251215": [4, 12],
};
const painter = "doubao-seedream-4-0-250828";
const home = "/contents/generations/tasks";

const wide: VideoInput = { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } };
const picture = { from: "url", url: "https://pictures.example/a.png" } as const;
const drawn: ImageInput = { act: "generate", prompt: "a lighthouse", images: [], count: 1, grid: false };

/** Volcengine Ark: tasks for videos, pictures at once. */
export const ark: Dialect = {
  type: "ark",
  adapter: "volcengine-ark",
  key: bearerOf,
  read({ method, path, query, body }) {
    const id = path.startsWith(`${home}/`) ? decodeURIComponent(path.slice(home.length + 1)) : undefined;
    if (id !== undefined && method === "GET") return { do: "poll", ids: [id], many: false };
    if (id !== undefined && method === "DELETE") return { do: "cancel", id };
    if (path === home && method === "GET") {
      const ids = query.getAll("filter.task_ids");
      const size = Number(query.get("page_size") ?? 10);
      return ids.length > size ? reject("page_size") : { do: "poll", ids, many: true };
    }
    if (path === home && method === "POST") return readVideo(body);
    return path === "/images/generations" && method === "POST" ? readImage(body) : null;
  },
  instant: ["image"],
  accepted: (job) => ({ status: 200, body: job.kind === "image" ? paintingOf(job) : { id: job.id } }),
  shown: (jobs, many) => {
    const tasks = jobs.map(taskOf);
    return { status: 200, body: many ? { total: tasks.length, items: tasks } : tasks[0] };
  },
  cancelled: () => ({ status: 200, body: {} }),
  cancels: ["queued"],
  callback: (job) => ({ headers: { "content-type": "application/json" }, body: JSON.stringify(taskOf(job)) }),
  no: (reason, says) => ({
    status: refusals[reason].status,
    body: { error: { code: refusals[reason].code, message: `${says} Request id: 0217`, param: "", type: "BadRequest" } },
  }),
  envelope: false,
  plain: { queued: "queued", running: "running", done: "succeeded", failed: "failed", cancelled: "cancelled" },
  words: {
    queued: { shows: "queued", means: "queued" },
    running: { shows: "running", means: "running" },
    succeeded: { shows: "done", means: "done" },
    failed: { shows: "failed", means: "failed" },
    cancelled: { shows: "cancelled", means: "failed" },
    expired: { shows: "cancelled", means: "failed" },
  },
  failures: { content: "OutputVideoSensitiveContentDetected", internal: "InternalServiceError" },
  tellsProgress: false,
  samples: [
    { kind: "video", model: "doubao-seedance-2-0-260128", input: { ...wide, resolution: "4k" } },
    { kind: "video", model: "seedance-1-5-pro-251215", input: { ...wide, image: picture, resolution: "720p", seed: 7 } },
    {
      kind: "video",
      model: "doubao-seedance-1-0-pro-250528",
      input: { ...wide, prompt: "", image: { from: "data", uri: "data:," }, lastImage: picture },
    },
    { kind: "image", model: painter, input: drawn, results: 1 },
    { kind: "image", model: painter, input: { ...drawn, size: { width: 1536, height: 1024 }, seed: 3 }, results: 1 },
    {
      kind: "image",
      model: painter,
      input: { ...drawn, act: "edit", images: [picture, { from: "data", uri: "data:," }], aspectRatio: { width: 9, height: 16 } },
      results: 1,
    },
  ],
  models: [
    { name: "doubao-seedance-*", kind: "video", price: "per_second: 0.06" },
    { name: "doubao-seedream-*", kind: "image", price: "per_image: 0.03" },
  ],
};

function taskOf(job: JobView) {
  return {
    id: job.id,
    model: job.model,
    status: job.word,
    error: job.state === "failed" ? { code: job.failure, message: "The task failed." } : null,
    ...(job.state === "done" && { content: job.hasResults ? { video_url: job.link("clip.mp4") } : {}, duration: 5, framespersecond: 24 }),
    created_at: Math.floor(job.submittedAt / 1_000),
    updated_at: Math.floor(job.startedAt / 1_000),
    service_tier: "default",
  };
}

function paintingOf(job: JobView) {
  const data = job.hasResults ? [{ url: job.link("cover.png"), size: "2048x2048" }] : [];
  return { model: job.model, created: 1, data, usage: { generated_images: 1, output_tokens: 16_384, total_tokens: 16_384 } };
}

const isTextPart = isObject({ type: oneOf(["text"]), text: isText });
const isFrame = isObject({
  type: oneOf(["image_url"]),
  image_url: isObject({ url: isLink }),
  role: oneOf(["first_frame", "last_frame", "reference_image"]),
});
const videoFields = {
  model: isText,
  content: isListOf(either(isTextPart, isFrame)),
  ratio: oneOf(["16:9", "4:3", "1:1", "3:4", "9:16", "21:9", "adaptive"]),
  seed: optional(isBetween(-1, 4_294_967_295)),
  camera_fixed: optional(isBoolean),
  generate_audio: optional(isBoolean),
  watermark: optional(isBoolean),
  callback_url: optional(isAddress),
};

function readVideo(body: unknown): Intent {
  const model = textOf(body, "model");
  const range = durations[model];
  const resolution = optional(oneOf(model.includes("seedance-2-0") ? [...lines, "4k"] : lines));
  const faulty = range ? faultyField(body, { ...videoFields, resolution, duration: isBetween(...range) }) : "model";
  if (faulty !== null) return reject(`The parameter ${faulty} is not valid.`);
  const parts: readonly unknown[] = [fieldOf(body, "content")].flat();
  const prompt = parts.map((part) => textOf(part, "text")).find((text) => text !== "") ?? "";
  return { do: "submit", kind: "video", model, prompt, ...callbackOf(body, "callback_url") };
}

const imageFields = {
  model: oneOf([painter]),
  prompt: isText,
  image: optional(either(isLink, isListOf(isLink))),
  size: optional((value) => typeof value === "string" && /^([124]K|\d{3,4}x\d{3,4})$/.test(value)),
  seed: optional(isBetween(-1, 2_147_483_647)),
  response_format: optional(oneOf(["url", "b64_json"])),
  guidance_scale: optional(isBetween(1, 10)),
  watermark: optional(isBoolean),
};

function readImage(body: unknown): Intent {
  const faulty = faultyField(body, imageFields);
  if (faulty !== null) return reject(`The parameter ${faulty} is not valid.`);
  return { do: "submit", kind: "image", model: painter, prompt: textOf(body, "prompt") };
}
