import { falEd25519 } from "../callbacks/fal-ed25519.ts";
import { createJob } from "../job/job.ts";
import type { StartOf } from "../job/spec.ts";

const withUnit = ["fal-ai/veo3", "fal-ai/veo3/fast", "fal-ai/veo3.1", "fal-ai/veo3.1/fast", "fal-ai/luma-dream-machine/ray-2"] as const;
const asNumber = [
  "fal-ai/pika/v2.2/text-to-video",
  "fal-ai/pika/v2.2/image-to-video",
  "fal-ai/sora-2/text-to-video",
  "fal-ai/sora-2/image-to-video",
] as const;

const seconds = "input.durationSeconds" as const;
const first = { from: "input.image", as: "link" } as const;
const given = { from: "input.images[0]", as: "link" } as const;
const each = { each: "input.images", item: { from: "item", as: "link" } } as const;
const ratio = { from: "input.aspectRatio", as: "ratio" } as const;

const common = { send: "POST /{+model}", query: { fal_webhook: "callback.url" } } as const;

const video: StartOf<"video"> = {
  ...common,
  kind: "video",
  body: {
    merge: [
      {
        prompt: "input.prompt",
        negative_prompt: "input.negativePrompt",
        resolution: "input.resolution",
        seed: "input.seed",
        aspect_ratio: ratio,
      },
      // Models write the same duration as "5", as 5 or as "5s".
      { object: { duration: { from: seconds, as: "text" } }, when: [{ at: "options.duration", exists: false }] },
      { object: { duration: { from: seconds, as: { suffix: "s" } } }, when: [{ at: "model", is: withUnit }] },
      { object: { duration: seconds }, when: [{ at: "model", is: asNumber }] },
      { object: { duration: { from: seconds, as: { suffix: "s" } } }, when: [{ at: "options.duration", is: "seconds" }] },
      { object: { duration: seconds }, when: [{ at: "options.duration", is: "number" }] },
      { object: { image_url: first }, when: [{ at: "options.image_field", exists: false }] },
      { object: { start_image_url: first }, when: [{ at: "options.image_field", is: "start_image_url" }] },
      { object: { first_frame_url: first }, when: [{ at: "options.image_field", is: "first_frame_url" }] },
      { end_image_url: { from: "input.lastImage", as: "link" } },
      "input.extras",
    ],
  },
};

const image: StartOf<"image"> = {
  ...common,
  kind: "image",
  body: {
    merge: [
      {
        prompt: "input.prompt",
        negative_prompt: "input.negativePrompt",
        num_images: "input.count",
        seed: "input.seed",
        strength: "input.strength",
      },
      { object: { image_size: "input.size" }, when: [{ at: "input.size", exists: true }] },
      { aspect_ratio: ratio, mask_url: { from: "input.mask", as: "link" } },
      {
        object: { image_url: given },
        when: [
          { at: "options.image_field", exists: false },
          { at: "input.images[1]", exists: false },
        ],
      },
      {
        object: { image_urls: each },
        when: [
          { at: "options.image_field", is: "image_urls" },
          { at: "input.images[0]", exists: true },
        ],
      },
      { object: { image_urls: each }, when: [{ at: "input.images[1]", exists: true }] },
      "input.extras",
    ],
  },
};

const inspiration: StartOf<"music"> = {
  ...common,
  kind: "music",
  when: [{ at: "input.mode", is: "inspiration" }],
  body: {
    merge: [
      { prompt: "input.description", instrumental: "input.instrumental", seed: "input.seed" },
      { object: { tags: "input.description" }, when: [{ at: "model", is: "fal-ai/ace-step" }] },
      "input.extras",
    ],
  },
};

const custom: StartOf<"music"> = {
  ...common,
  kind: "music",
  when: [{ at: "input.mode", is: "custom" }],
  body: {
    merge: [
      { prompt: "input.tags", tags: "input.tags", lyrics: "input.lyrics", seed: "input.seed" },
      { object: { style_prompt: "input.tags" }, when: [{ at: "model", is: "fal-ai/diffrhythm" }] },
      { object: { genres: "input.tags" }, when: [{ at: "model", is: "fal-ai/yue" }] },
      "input.extras",
    ],
  },
};

/** fal's queue: any of its models, whose own fields may be sent along. */
export const fal = createJob({
  type: "fal",
  about: {
    title: "fal",
    summary:
      "Any model of fal that makes videos, pictures or music, by the path of its app; Pika has no other API. Further fields of a request go into the model's input. " +
      "A job that has begun is not stopped for certain, so only waiting ones are.",
    unconfirmed: [
      "Whether a finished job may carry its error in its status; both the status and the result are looked at.",
      "Whether 403 may mean an empty account; it is told by its words.",
    ],
    options: {
      duration:
        'How models write a duration: "number" (5), "seconds" ("5s") or "none"; unless set as text ("5"), and as they want it for models known to differ.',
      image_field:
        "Where models take a picture: start_image_url or first_frame_url for videos, image_urls for pictures; image_url unless set.",
      jwks_url: "Where the public keys of callbacks are; fal's own address unless set.",
    },
    examples: [
      { kind: "video", model: "fal-ai/pika/v2.2/text-to-video", price: "per_second: 0.05" },
      { kind: "image", model: "fal-ai/flux/schnell", price: "per_image: 0.01" },
      { kind: "music", model: "fal-ai/ace-step", price: "per_call: 0.05" },
    ],
  },
  baseUrl: "https://queue.fal.run",
  trustedHosts: ["queue.fal.run"],
  auth: { header: "authorization", prefix: "Key " },
  pollEveryMs: 3_000,
  models: { video: { "*": {} }, image: { "*": { acts: ["generate", "edit"], count: 4 } }, music: { "*": {} } },
  start: [video, image, inspiration, custom],
  // The addresses of a job leave out a part of its app's path.
  accepted: { id: "request_id", keep: { status: "status_url", response: "response_url", cancel: "cancel_url" } },
  poll: { send: "GET {keep.status}" },
  status: {
    at: "status",
    words: { IN_QUEUE: "queued", IN_PROGRESS: "running", COMPLETED: "done" },
    rules: [
      {
        when: [
          { at: "status", is: "COMPLETED" },
          { at: "error", exists: true },
        ],
        means: "failed",
      },
    ],
  },
  resolve: [{ name: "result", send: "GET {keep.response}", refused: "failed" }],
  results: {
    video: { video: ["result.video.url", "result.videos[0].url", "result.video_url"], durationSeconds: "result.video.duration" },
    image: { pictures: ["result.images", "result.image"], media: "url" },
    music: {
      songs: "result",
      lyrics: "lyrics",
      tags: "tags",
      seed: "seed",
      durationSeconds: ["audio.duration", "duration"],
      audio: ["audio.url", "audio_file.url", "audio_url"],
    },
  },
  errors: {
    code: ["error_type", "detail[0].type"],
    message: ["error", "detail[0].msg", "detail"],
    codes: {
      content_policy_violation: "content_policy",
      request_timeout: "expired",
      image_load_error: "input_unreachable",
      file_download_error: "input_unreachable",
      no_media_generated: "transient",
      internal_server_error: "transient",
      generation_timeout: "transient",
      startup_timeout: "transient",
      "downstream_service_*": "transient",
      "runner_*": "transient",
    },
    // A model that failed answers its own status to whoever asks for the result.
    definite: [
      "internal_server_error",
      "generation_timeout",
      "startup_timeout",
      "request_timeout",
      "downstream_service_error",
      "downstream_service_unavailable",
    ],
    http: { 403: "invalid" },
    texts: [
      ["balance|billing|payment", "quota"],
      ["not authorized|forbidden|access denied|user is locked|authenticat|permission|credential|\\bkey\\b", "auth"],
      ["cancel", "cancelled"],
    ],
  },
  cancel: { send: "PUT {keep.cancel}", from: ["queued"], ok: [{ at: "status", is: "CANCELLATION_REQUESTED" }] },
  hears: falEd25519,
});
