import type { KindLimits } from "../../core/provider.ts";
import { unsigned } from "../callbacks/unsigned.ts";
import { createJob } from "../job/job.ts";
import type { Field } from "../job/spec.ts";
import { pictureNote } from "./picture-note.ts";

const ratios = ["16:9", "4:3", "1:1", "3:4", "9:16", "21:9"] as const;
const pixels = ["2048x2048", "2304x1728", "1728x2304", "2560x1440", "1440x2560", "2496x1664", "1664x2496", "3024x1296"] as const;

const generations: readonly (readonly [string, KindLimits])[] = [
  ["seedance-2-0*", { durations: { min: 4, max: 15 }, aspectRatios: ratios }],
  ["seedance-1-5*", { durations: { min: 4, max: 12 }, aspectRatios: ratios }],
  ["seedance-1-0*", { durations: { min: 2, max: 12 }, aspectRatios: ratios }],
];
// The same models have a prefix that depends on where they are sold.
const prefixes = ["doubao-", "dreamina-", ""];

const frame = (role: string, from: "input.image" | "input.lastImage"): Field<"video"> => ({
  object: { type: { const: "image_url" }, image_url: { url: { from, as: "link" } }, role: { const: role } },
  when: [{ at: from, exists: true }],
});
const lines = ["480p", "720p", "1080p"] as const;
const watermark = { from: "input.extras.watermark", or: false } as const;

/** ByteDance's Seedance and Seedream, on Volcengine Ark and BytePlus ModelArk. */
export const ark = createJob({
  type: "ark",
  about: {
    title: "Volcengine Ark and BytePlus ModelArk (Seedance, Seedream)",
    summary:
      "ByteDance's own API for videos and pictures. Outside China set base_url to https://ark.ap-southeast.bytepluses.com/api/v3; a running video cannot be stopped.",
    unconfirmed: [
      "The codes under HTTP 429: those that speak of a quota are not tried again, the others are.",
      "The durations of each model; another model is sent what was asked for, and its refusal is passed on.",
      "Which models make 4k: those of Seedance 2.0 are asked for it, the others for 1080p.",
      pictureNote,
    ],
    examples: [
      { kind: "video", model: "doubao-seedance-1-5-pro-251215", price: "per_second: 0.06" },
      { kind: "image", model: "doubao-seedream-4-0-250828", price: "per_image: 0.03" },
    ],
  },
  baseUrl: "https://ark.cn-beijing.volces.com/api/v3",
  pollEveryMs: 5_000,
  patience: { startSeconds: 120 },
  models: {
    video: {
      ...Object.fromEntries(prefixes.flatMap((prefix) => generations.map(([name, limits]) => [`${prefix}${name}`, limits]))),
      "*": { aspectRatios: ratios },
    },
    image: { "*": { acts: ["generate", "edit"], count: 1 } },
  },
  pictures: { maxBytes: 10_000_000, minSide: 300, maxSide: 6_000, formats: ["jpeg", "png", "webp"] },
  start: [
    {
      kind: "video",
      send: "POST /contents/generations/tasks",
      body: {
        merge: [
          {
            model: "model",
            content: [
              { object: { type: { const: "text" }, text: "input.prompt" }, when: [{ at: "input.prompt", exists: true }] },
              frame("first_frame", "input.image"),
              frame("last_frame", "input.lastImage"),
            ],
            ratio: { from: "input.aspectRatio", as: { nearestRatio: ratios } },
            resolution: { from: "input.resolution", as: { nearestLines: lines } },
            duration: "input.durationSeconds",
            seed: "input.seed",
            camera_fixed: "input.extras.camera_fixed",
            generate_audio: "input.extras.generate_audio",
            watermark,
            callback_url: "callback.url",
          },
          {
            object: { resolution: { from: "input.resolution", as: { nearestLines: [...lines, "4k"] } } },
            when: [{ at: "model", begins: prefixes.map((prefix) => `${prefix}seedance-2-0`) }],
          },
        ],
      },
    },
    {
      kind: "image",
      when: [{ at: "input.mask", exists: false }],
      send: "POST /images/generations",
      answers: "record",
      body: {
        merge: [
          {
            model: "model",
            prompt: "input.prompt",
            image: { each: "input.images", item: { from: "item", as: "link" } },
            seed: "input.seed",
          },
          { response_format: { const: "url" }, watermark, guidance_scale: "input.extras.guidance_scale" },
          { size: { from: "input.aspectRatio", as: { nearestRatio: pixels } } },
          { size: { from: "input.size", as: "size" } },
        ],
      },
    },
  ],
  accepted: { id: "id" },
  poll: {
    send: "GET /contents/generations/tasks/{id}",
    many: { send: "GET /contents/generations/tasks?page_size=100", repeat: "filter.task_ids", max: 100, list: "items", id: "id" },
  },
  status: {
    at: "status",
    words: { queued: "queued", running: "running", succeeded: "done", failed: "failed", cancelled: "cancelled", expired: "expired" },
  },
  results: {
    video: { video: "content.video_url", durationSeconds: "duration" },
    image: { pictures: "data", media: "url", usage: "usage" },
  },
  errors: {
    code: ["error.code", "data[0].error.code"],
    message: ["error.message", "data[0].error.message"],
    codes: {
      "*SensitiveContent*": "content_policy",
      "*RiskDetection*": "content_policy",
      "InvalidEndpoint.ClosedEndpoint": "transient",
      "InvalidEndpointOrModel*": "not_found",
      ModelNotOpen: "not_found",
      AuthenticationError: "auth",
      AccountOverdueError: "quota",
      AccessDenied: "auth",
      QuotaExceeded: "quota",
      SetLimitExceeded: "quota",
      "RateLimitExceeded*": "rate_limit",
      ServerOverloaded: "rate_limit",
      "Internal*": "transient",
    },
  },
  cancel: { send: "DELETE /contents/generations/tasks/{id}", from: ["queued"] },
  hears: unsigned,
});
