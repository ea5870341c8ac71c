import { standardWebhooks } from "../callbacks/standard-webhooks.ts";
import { createJob } from "../job/job.ts";
import type { Field, StartOf } from "../job/spec.ts";
import { hostedResolution, resolutionOption } from "./hosted-resolutions.ts";

type Kind = "video" | "image" | "music";

// One address takes every name of a model: "owner/name", "owner/name:version" and a version alone.
const start = <K extends Kind>(kind: K, when: StartOf<K>["when"], input: Field<K>): StartOf<K> => ({
  kind,
  ...(when && { when }),
  send: "POST /predictions",
  body: {
    merge: [
      { version: "model", input },
      {
        object: { webhook: "callback.url", webhook_events_filter: [{ const: "completed" }] },
        when: [{ at: "callback.url", exists: true }],
      },
    ],
  },
});

// What the client sent along comes first, and so gives way to what was paid for.
const first = { from: "input.image", as: "link" } as const;
const given = { from: "input.images[0]", as: "link" } as const;
const all = { each: "input.images", item: { from: "item", as: "link" } } as const;
const one = { at: "input.images[1]", exists: false } as const;
const ratio = { from: "input.aspectRatio", as: "ratio" } as const;
const resolution = hostedResolution({
  "bytedance/seedance-1": ["480p", "720p", "1080p"],
  "google/veo-3": ["720p", "1080p"],
  "minimax/hailuo": ["512p", "768p", "1080p"],
  "wan-video/wan-2.2": ["480p", "720p"],
});

const video = start("video", undefined, {
  merge: [
    "input.extras",
    { prompt: "input.prompt", negative_prompt: "input.negativePrompt", seed: "input.seed" },
    resolution,
    { object: { duration: "input.durationSeconds" }, when: [{ at: "options.duration", exists: false }] },
    { object: { aspect_ratio: ratio }, when: [{ at: "options.aspect_ratio", exists: false }] },
    { object: { image: first }, when: [{ at: "options.image_field", exists: false }] },
    { object: { start_image: first }, when: [{ at: "options.image_field", is: "start_image" }] },
    { object: { first_frame_image: first }, when: [{ at: "options.image_field", is: "first_frame_image" }] },
    { end_image: { from: "input.lastImage", as: "link" } },
  ],
});

const image = start("image", undefined, {
  merge: [
    "input.extras",
    { prompt: "input.prompt", negative_prompt: "input.negativePrompt", seed: "input.seed", prompt_strength: "input.strength" },
    { width: "input.size.width", height: "input.size.height", mask: { from: "input.mask", as: { mask: "white", as: "link" } } },
    { object: { aspect_ratio: ratio }, when: [{ at: "options.aspect_ratio", exists: false }] },
    { object: { num_outputs: "input.count" }, when: [{ at: "input.count", is: [2, 3, 4] }] },
    { object: { num_outputs: "input.count" }, when: [{ at: "input.extras.num_outputs", exists: true }] },
    { object: { image: given }, when: [{ at: "options.image_field", exists: false }, one] },
    { object: { input_image: given }, when: [{ at: "options.image_field", is: "input_image" }, one] },
    { object: { image_input: all }, when: [{ at: "options.image_field", is: "image_input" }] },
    { object: { image_input: all }, when: [{ at: "input.images[1]", exists: true }] },
  ],
});

/** Replicate: any of its models, whose own fields may be sent along. */
export const replicate = createJob({
  type: "replicate",
  about: {
    title: "Replicate",
    summary:
      'Any model of Replicate that makes videos, pictures or music: "owner/name" for official models, "owner/name:version" or a version for others. ' +
      "Further fields of a request go into the model's input. Links end after an hour, so results are copied at once.",
    unconfirmed: [
      "How a model says that a prompt is not allowed: it is told by words such as NSFW or the code E005.",
      "Which colour of a mask a model paints: white is sent, which most take.",
    ],
    options: {
      image_field:
        "Where a model takes its picture: start_image or first_frame_image for videos, input_image or image_input (a list) for pictures; image unless set.",
      duration: 'Set to "none" for models that take no duration.',
      resolution: resolutionOption,
      aspect_ratio: 'Set to "none" for models that take no aspect ratio.',
    },
    examples: [
      { kind: "video", model: "kwaivgi/kling-v2.1", price: "per_second: 0.08" },
      { kind: "image", model: "black-forest-labs/flux-schnell", price: "per_image: 0.01" },
      { kind: "music", model: "stability-ai/stable-audio-2.5", price: "per_call: 0.25" },
    ],
  },
  baseUrl: "https://api.replicate.com/v1",
  pollEveryMs: 3_000,
  usualLimits: { perMinute: 600 },
  models: { video: { "*": {} }, image: { "*": { acts: ["generate", "edit"], count: 4 } }, music: { "*": {} } },
  start: [
    video,
    image,
    start("music", [{ at: "input.mode", is: "inspiration" }], {
      merge: ["input.extras", { prompt: "input.description", seed: "input.seed" }],
    }),
    start("music", [{ at: "input.mode", is: "custom" }], {
      merge: ["input.extras", { prompt: "input.tags", tags: "input.tags", lyrics: "input.lyrics", seed: "input.seed" }],
    }),
  ],
  accepted: { id: "id" },
  poll: { send: "GET /predictions/{id}" },
  status: {
    at: "status",
    words: { starting: "queued", processing: "running", succeeded: "done", failed: "failed", canceled: "cancelled", aborted: "cancelled" },
  },
  progress: { at: "logs", of: 100, last: true },
  results: {
    video: { video: ["output.video", "output.video_url", "output.url", "output[0]", "output"] },
    image: { pictures: ["output.images", "output"], media: ["url", "image", ""] },
    music: {
      songs: "",
      audio: ["output.audio", "output.audio_out", "output.url", "output[0]", "output"],
      durationSeconds: "output.duration",
    },
  },
  errors: {
    code: "code",
    message: ["error", "detail", "title"],
    texts: [
      ["nsfw|E005|flagged as sensitive|safety|moderation|content policy", "content_policy"],
      ["insufficient credit|billing|payment", "quota"],
    ],
  },
  cancel: { send: "POST /predictions/{id}/cancel", from: ["queued", "running"] },
  hears: standardWebhooks,
});
