import { unsigned } from "../callbacks/unsigned.ts";
import { createJob } from "../job/job.ts";
import type { Fields } from "../job/spec.ts";
import { createKeyPairToken } from "../upstream/jwt.ts";
import { klingErrors } from "./kling-errors.ts";
import { pictureNote } from "./picture-note.ts";

const aspectRatios = ["16:9", "9:16", "1:1"] as const;

const clip = {
  model_name: "model",
  prompt: "input.prompt",
  negative_prompt: "input.negativePrompt",
  duration: { from: "input.durationSeconds", as: "text" },
  cfg_scale: "input.extras.cfg_scale",
  sound: "input.extras.sound",
  callback_url: "callback.url",
  external_task_id: "idempotencyKey",
} satisfies Fields<"video">;
// What one dialect calls a mode, another knows as a resolution.
const modes = [{ nearestLines: ["720p", "1080p"] }, { lookup: { "720p": "std", "1080p": "pro" } }] as const;
const byResolution = { mode: { from: "input.resolution", as: modes } } satisfies Fields<"video">;
const byMode = { mode: "input.extras.mode" } satisfies Fields<"video">;
const isOk = [{ at: "code", is: 0 }] as const;

/** Kling's API of the older generation, whose keys come in pairs. */
export const klingLegacy = createJob({
  type: "kling-legacy",
  about: {
    title: "Kling (legacy)",
    summary: "Videos of Kling 1 to 2.6. Write the key as `ACCESS_KEY:SECRET_KEY`; a single API key works too.",
    unconfirmed: ["The address for pictures and references (omni): this adapter makes videos of text and of frames alone.", pictureNote],
    examples: [{ kind: "video", model: "kling-v2-6", price: "per_second: 0.07" }],
  },
  baseUrl: "https://api-singapore.klingai.com",
  auth: { header: "authorization", prefix: "Bearer ", token: createKeyPairToken() },
  pollEveryMs: 5_000,
  pictures: { maxBytes: 10_000_000, minSide: 300, formats: ["jpeg", "png"] },
  models: { video: { "*": { durations: [5, 10], aspectRatios, promptCharacters: 2_500 } } },
  start: [
    {
      kind: "video",
      when: [
        { at: "input.source", exists: false },
        { at: "input.image", exists: true },
      ],
      send: "POST /v1/videos/image2video",
      body: {
        merge: [
          byResolution,
          byMode,
          { ...clip, image: { from: "input.image", as: "base64" }, image_tail: { from: "input.lastImage", as: "base64" } },
        ],
      },
      keep: { way: "image2video" },
    },
    {
      kind: "video",
      when: [
        { at: "input.source", exists: false },
        { at: "input.lastImage", exists: false },
      ],
      send: "POST /v1/videos/text2video",
      body: {
        merge: [byResolution, byMode, { ...clip, aspect_ratio: { from: "input.aspectRatio", as: { nearestRatio: aspectRatios } } }],
      },
      keep: { way: "text2video" },
    },
  ],
  accepted: { ok: isOk, id: "data.task_id" },
  poll: { send: "GET /v1/videos/{keep.way}/{id}", ok: isOk, task: "data", missing: [{ at: "code", is: 1203 }] },
  lookup: { send: "GET /v1/videos/{keep.way}/{reference}", ok: isOk, id: "data.task_id" },
  status: { at: "task_status", words: { submitted: "queued", processing: "running", succeed: "done", failed: "failed" } },
  results: { video: { video: "task_result.videos[0].url", durationSeconds: "task_result.videos[0].duration" } },
  errors: klingErrors,
  hears: unsigned,
});
