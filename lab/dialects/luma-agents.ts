import type { ImageInput, VideoInput } from "../../src/core/kinds.ts";
import { bearerOf, fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, JobView, No } from "../dialect.ts";
import {
  either,
  faultyField,
  isAddress,
  isBase64,
  isBoolean,
  isListOf,
  isObject,
  isShort,
  isText,
  oneOf,
  optional,
  reject,
} from "./body-check.ts";

const refusals: Record<No, { status: number; code: string }> = {
  auth: { status: 401, code: "unauthorized" },
  invalid: { status: 422, code: "invalid_request" },
  quota: { status: 402, code: "budget_exhausted" },
  rate_limit: { status: 429, code: "rate_limited" },
  content_policy: { status: 400, code: "content_moderated" },
  missing: { status: 404, code: "not_found" },
  down: { status: 500, code: "internal_error" },
};
const media = either(isObject({ url: isAddress }), isObject({ data: isBase64, media_type: isText }), isObject({ generation_id: isText }));
const common = {
  prompt: isShort(6_000),
  aspect_ratio: optional(oneOf(["3:1", "2:1", "21:9", "16:9", "4:3", "3:2", "1:1", "3:4", "2:3", "9:16", "1:2", "1:3"])),
  type: oneOf(["image", "image_edit", "video", "video_edit"]),
};
const output = { resolution: optional(oneOf(["540p", "720p", "1080p"])), hdr: optional(isBoolean) };
const bodies = {
  image: {
    ...common,
    model: oneOf(["uni-1", "uni-1-max"]),
    image_ref: optional(isListOf(media)),
    style: optional(oneOf(["auto", "manga"])),
    output_format: optional(oneOf(["png", "jpeg"])),
  },
  image_edit: { ...common, model: oneOf(["uni-1", "uni-1-max"]), source: media, image_ref: optional(isListOf(media)) },
  video: {
    ...common,
    model: oneOf(["ray-3.2"]),
    video: isObject({
      ...output,
      duration: oneOf(["5s", "10s"]),
      loop: optional(isBoolean),
      start_frame: optional(media),
      end_frame: optional(media),
    }),
  },
  video_edit: {
    ...common,
    model: oneOf(["ray-3.2"]),
    source: media,
    video: optional(isObject({ ...output, edit: optional(isObject({ strength: optional(isText), auto_controls: optional(isBoolean) })) })),
  },
};

const asked: VideoInput = { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } };
const drawn: ImageInput = { act: "generate", prompt: "a fox", images: [], count: 1, grid: false };
const source = { taskId: "ours", upstreamTaskId: "a-generation-of-luma", video: { from: "file", id: "file_1" } } as const;
const picture = { from: "data", uri: "data:," } as const;

/** Luma's generations, as agents.lumalabs.ai speaks of them. */
export const lumaAgents: Dialect = {
  type: "luma-agents",
  key: bearerOf,
  read({ method, path, body }) {
    const id = /^\/generations\/([^/]+)$/.exec(path)?.[1];
    if (id !== undefined && method === "GET") return { do: "poll", ids: [decodeURIComponent(id)], many: false };
    return method === "POST" && path === "/generations" ? readSubmit(body) : null;
  },
  accepted: (job) => ({ status: 201, body: generationOf(job) }),
  shown: ([job]) => ({ status: 200, body: job && generationOf(job) }),
  no: (reason, says) => ({ status: refusals[reason].status, body: { error: { code: refusals[reason].code, message: says } } }),
  envelope: false,
  plain: { queued: "queued", running: "processing", done: "completed", failed: "failed", cancelled: "failed" },
  words: {
    queued: { shows: "queued", means: "queued" },
    processing: { shows: "running", means: "running" },
    completed: { shows: "done", means: "done" },
    failed: { shows: "failed", means: "failed" },
  },
  failures: { content: "content_moderated", internal: "generation_failed" },
  tellsProgress: false,
  samples: [
    { kind: "video", model: "ray-3.2", input: asked },
    { kind: "video", model: "ray-3.2", input: { ...asked, durationSeconds: 10, resolution: "720p", image: picture, lastImage: picture } },
    { kind: "video", model: "ray-3.2", input: { ...asked, source: { ...source, act: "extend" } } },
    { kind: "video", model: "ray-3.2", input: { ...asked, source: { ...source, act: "remix" } } },
    { kind: "image", model: "uni-1", input: { ...drawn, size: { width: 1536, height: 1024 } }, results: 1 },
    { kind: "image", model: "uni-1-max", input: { ...drawn, images: [picture, picture] }, results: 1 },
    { kind: "image", model: "uni-1", input: { ...drawn, act: "edit", images: [picture] }, results: 1 },
  ],
  models: [
    { name: "ray-3.2", kind: "video", price: "per_second: 0.12" },
    { name: "uni-1", kind: "image", price: "per_image: 0.04" },
  ],
};

function readSubmit(body: unknown): Intent {
  const type = textOf(body, "type");
  const checks = Object.entries(bodies).find(([name]) => name === type)?.[1];
  const fault = checks === undefined ? "type" : faultyField(body, { ...checks });
  if (fault !== null) return reject(`The field ${fault} is not valid.`);
  if (type === "video" && fieldOf(fieldOf(body, "video"), "loop") === true && fieldOf(fieldOf(body, "video"), "duration") === "10s")
    return reject("A loop lasts five seconds.");
  return { do: "submit", kind: type.startsWith("video") ? "video" : "image", model: textOf(body, "model"), prompt: textOf(body, "prompt") };
}

function generationOf(job: JobView): object {
  const isDone = job.state === "done" && job.hasResults;
  return {
    id: job.id,
    created_at: new Date(job.submittedAt).toISOString(),
    model: job.model,
    state: job.word,
    type: job.kind,
    output: isDone ? [{ type: job.kind, url: job.link(job.kind === "video" ? "clip.mp4" : "cover.png") }] : [],
    failure_reason: job.failure === "" ? null : "The generation did not succeed.",
    failure_code: job.failure || null,
  };
}
