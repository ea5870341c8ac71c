import { Failure } from "../../core/errors.ts";
import { createJob } from "../job/job.ts";
import type { Field, Fields, StartOf } from "../job/spec.ts";
import { pictureNote } from "./picture-note.ts";

// These take pixels, or a picture under a name of its own; every later model takes a resolution, a ratio and a list of media.
const olderText = ["wan2.6-t2v", "wan2.5-t2v-preview", "wan2.2-t2v-plus", "wan2.1-t2v-plus", "wan2.1-t2v-turbo"] as const;
const olderImage = [
  "wan2.6-i2v",
  "wan2.6-i2v-flash",
  "wan2.5-i2v-preview",
  "wan2.2-i2v-plus",
  "wan2.2-i2v-flash",
  "wan2.1-i2v-plus",
] as const;

const ratios = ["16:9", "9:16", "1:1", "4:3", "3:4"] as const;

const text = { prompt: "input.prompt", negative_prompt: "input.negativePrompt" } satisfies Fields<"video">;
const link = { from: "input.image", as: "link" } as const;
const frame = (type: string, from: "input.image" | "input.lastImage"): Field<"video"> => ({
  object: { type: { const: type }, url: { from, as: "link" } },
  when: [{ at: from, exists: true }],
});

const wishes = {
  duration: "input.durationSeconds",
  seed: "input.seed",
  prompt_extend: "input.extras.prompt_extend",
  shot_type: "input.extras.shot_type",
  audio: "input.extras.audio",
  watermark: { from: "input.extras.watermark", or: false },
} satisfies Fields<"video">;
const lines = (...nearestLines: string[]): Fields<"video"> => ({ resolution: { from: "input.resolution", as: { nearestLines } } });
const sharp: Field<"video"> = {
  merge: [
    { ...wishes, ...lines("480P", "720P", "1080P") },
    { object: lines("720P", "1080P"), when: [{ at: "model", begins: ["wan2.6", "wan2.7"] }] },
    { object: lines("480P", "1080P"), when: [{ at: "model", is: "wan2.2-i2v-plus" }] },
    { object: lines("720P"), when: [{ at: "model", is: "wan2.1-i2v-plus" }] },
  ],
};
const sized = (shapes: readonly string[]): Fields<"video"> => ({
  size: { from: "input.aspectRatio", as: [{ nearestRatio: shapes }, { replace: ["x", "*"] }] },
});
const large = sized(["1920x1080", "1080x1920", "1440x1440", "1632x1248", "1248x1632"]);
const small = sized(["832x480", "480x832", "624x624"]);
const size: Field<"video"> = {
  merge: [
    { ...wishes, ...sized(["1280x720", "720x1280", "960x960", "1088x832", "832x1088"]) },
    { object: large, when: [{ at: "input.resolution", is: ["1080p", "1440p", "2160p", "2k", "4k"] }] },
    {
      object: small,
      when: [
        { at: "input.resolution", is: ["360p", "480p", "540p"] },
        { at: "model", begins: ["wan2.5", "wan2.2", "wan2.1"] },
      ],
    },
  ],
};

const way = (when: StartOf<"video">["when"], input: Field<"video">, parameters: Field<"video">): StartOf<"video"> => ({
  kind: "video",
  ...(when && { when }),
  send: "POST /api/v1/services/aigc/video-generation/video-synthesis",
  headers: { "x-dashscope-async": "enable" },
  body: { model: "model", input, parameters },
});
const withImage = { at: "input.image", exists: true } as const;
const withoutImage = { at: "input.image", exists: false } as const;

/** Alibaba's Wan, on Model Studio (DashScope). */
export const dashscopeWan = createJob({
  type: "dashscope-wan",
  about: {
    title: "Alibaba Model Studio (Wan)",
    summary:
      "Wan's videos from text or a first frame. Keys belong to a region: in China set base_url to https://dashscope.aliyuncs.com. Only a job that still waits can be stopped.",
    unconfirmed: [
      "The durations and sizes of the models before 2.7; what the upstream does not take it refuses at once.",
      "The code Arrearage for an account without money; its words are looked at too.",
      pictureNote,
    ],
    examples: [{ kind: "video", model: "wan2.6-t2v", price: "per_second: 0.10" }],
  },
  baseUrl: "https://dashscope-intl.aliyuncs.com",
  pollEveryMs: 10_000,
  patience: { startSeconds: 120 },
  models: {
    video: {
      "wan2.7-*": { durations: { min: 2, max: 15 }, aspectRatios: ratios },
      "wan2.6-i2v*": { durations: { min: 2, max: 15 }, needsImage: true },
      "wan2.6-*": { durations: [5, 10, 15], aspectRatios: ratios },
      "wan2.5-i2v*": { durations: [5, 10], needsImage: true },
      "wan2.5-*": { durations: [5, 10], aspectRatios: ratios },
      "wan2.2-i2v*": { durations: [5], needsImage: true },
      "wan2.1-i2v*": { durations: [5], needsImage: true },
      "wan2.*": { durations: [5], aspectRatios: ratios },
      "*": {},
    },
  },
  pictures: { maxBytes: 10_000_000, minSide: 360, maxSide: 2_000, formats: ["jpeg", "png", "webp"] },
  start: [
    way([{ at: "model", is: olderText }, withoutImage], text, size),
    way([{ at: "model", is: olderImage }, withImage], { ...text, img_url: link }, sharp),
    {
      ...way([{ at: "model", is: [...olderText, "wan2.7-t2v"] }, withImage], text, sharp),
      build: () => {
        throw new Failure("not_supported", { says: "This model takes no picture.", param: "image" });
      },
    },
    way([withImage], { ...text, media: [frame("first_frame", "input.image"), frame("last_frame", "input.lastImage")] }, sharp),
    way([withoutImage], text, { merge: [sharp, { ratio: { from: "input.aspectRatio", as: { nearestRatio: ratios } } }] }),
  ],
  accepted: { id: "output.task_id" },
  poll: { send: "GET /api/v1/tasks/{id}" },
  // UNKNOWN is what it says of an id that it never gave, or whose day is over.
  status: {
    at: "output.task_status",
    words: {
      PENDING: "queued",
      SUSPENDED: "queued",
      RUNNING: "running",
      SUCCEEDED: "done",
      FAILED: "failed",
      CANCELED: "cancelled",
      UNKNOWN: "missing",
    },
  },
  results: { video: { video: "output.video_url", durationSeconds: ["usage.output_video_duration", "usage.duration"] } },
  errors: {
    code: ["output.code", "code"],
    message: ["output.message", "message"],
    codes: {
      "DataInspectionFailed*": "content_policy",
      InvalidApiKey: "auth",
      "AccessDenied*": "auth",
      "Arrearage*": "quota",
      "Throttling*": "rate_limit",
      "ModelNotFound*": "not_found",
      "InvalidURL*": "input_unreachable",
      "InternalError*": "transient",
    },
    texts: [
      ["inappropriate content", "content_policy"],
      ["arrear|overdue|good standing", "quota"],
    ],
  },
  cancel: { send: "POST /api/v1/tasks/{id}/cancel", from: ["queued"] },
});
