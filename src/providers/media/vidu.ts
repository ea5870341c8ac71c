import { vidu as viduCallback } from "../callbacks/vidu.ts";
import { createJob } from "../job/job.ts";
import type { Fields } from "../job/spec.ts";
import { pictureNote } from "./picture-note.ts";

const ratios = ["16:9", "9:16", "1:1", "3:4", "4:3"] as const;

const common = {
  model: "model",
  prompt: "input.prompt",
  duration: { from: "input.durationSeconds", as: "integer" },
  seed: "input.seed",
  resolution: { from: "input.resolution", as: { nearestLines: ["540p", "720p", "1080p"] } },
  movement_amplitude: "input.extras.movement_amplitude",
  bgm: "input.extras.bgm",
  audio: "input.extras.audio",
  off_peak: "input.extras.off_peak",
  payload: "idempotencyKey",
  callback_url: "callback.url",
} satisfies Fields<"video">;
const first = { from: "input.image", as: "link" } as const;
const last = { from: "input.lastImage", as: "link" } as const;

/** Vidu's own API. */
export const vidu = createJob({
  type: "vidu",
  about: {
    title: "Vidu",
    summary:
      "Videos from text, from a first frame, or between two frames. In China set base_url to https://api.vidu.cn/ent/v2; a job can be stopped until it is being worked on.",
    unconfirmed: [
      "The keys of its errors: the code is looked for as reason and as code.",
      "How a list of ids and the size of its page are written: as few are asked for as a page has, and what is left out is asked for by itself.",
      "The durations and resolutions of models before q3.",
      pictureNote,
    ],
    examples: [{ kind: "video", model: "viduq3-pro", price: "per_second: 0.10" }],
  },
  baseUrl: "https://api.vidu.com/ent/v2",
  auth: { header: "authorization", prefix: "Token " },
  pollEveryMs: 5_000,
  patience: { startSeconds: 120 },
  models: {
    video: {
      "viduq3*": { durations: { min: 1, max: 16 }, aspectRatios: ratios, promptCharacters: 5_000 },
      "viduq2*": { durations: { min: 1, max: 10 }, aspectRatios: ratios, promptCharacters: 5_000 },
      "viduq1*": { durations: [5], aspectRatios: ["16:9", "9:16", "1:1"], promptCharacters: 1_500 },
      "vidu2.0": { durations: [4, 8], aspectRatios: ["16:9", "9:16", "1:1"], promptCharacters: 1_500 },
      "*": { aspectRatios: ratios },
    },
  },
  pictures: { maxBytes: 10_000_000, formats: ["jpeg", "png", "webp"] },
  start: [
    {
      kind: "video",
      when: [
        { at: "input.image", exists: true },
        { at: "input.lastImage", exists: true },
      ],
      send: "POST /start-end2video",
      body: { ...common, images: [first, last] },
    },
    { kind: "video", when: [{ at: "input.image", exists: true }], send: "POST /img2video", body: { ...common, images: [first] } },
    {
      kind: "video",
      send: "POST /text2video",
      body: { ...common, style: "input.extras.style", aspect_ratio: { from: "input.aspectRatio", as: { nearestRatio: ratios } } },
    },
  ],
  accepted: { id: "task_id" },
  poll: {
    send: "GET /tasks/{id}/creations",
    many: { send: "GET /tasks", repeat: "task_ids", max: 10, list: "tasks", id: ["id", "task_id"] },
  },
  status: {
    at: "state",
    words: { created: "queued", queueing: "queued", processing: "running", success: "done", failed: "failed" },
  },
  results: { video: { video: ["creations[0].url", "creations.url"], cover: ["creations[0].cover_url", "creations.cover_url"] } },
  errors: {
    code: ["err_code", "reason", "code"],
    message: ["message", "err_msg", "error.message"],
    codes: {
      "*PolicyViolation*": "content_policy",
      AuditSubmitIllegal: "content_policy",
      CreditInsufficient: "quota",
      OperationInProcess: "transient",
      UserCancelled: "cancelled",
      Canceled: "cancelled",
      Unauthorized: "auth",
      Forbidden: "auth",
      ModelUnavailable: "not_found",
      ImageDownloadFailure: "input_unreachable",
      QuotaExceeded: "rate_limit",
      TooManyRequests: "rate_limit",
      SystemThrottling: "rate_limit",
      InternalServiceFailure: "transient",
      "Field*": "invalid",
      "Image*": "invalid",
      BadRequest: "invalid",
    },
  },
  cancel: { send: "POST /tasks/{id}/cancel", body: { id: "{id}" }, from: ["queued"] },
  hears: viduCallback,
});
