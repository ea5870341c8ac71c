import { falEd25519 } from "../callbacks/fal-ed25519.ts";
import { createJob } from "../job/job.ts";
import { falWays } from "./fal-ways.ts";
import { resolutionOption } from "./hosted-resolutions.ts";

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
      "Which colour of a mask a model paints: white is sent, which most take.",
    ],
    options: {
      duration:
        'How models write a duration: "number" (5), "seconds" ("5s") or "none"; unless set as text ("5"), and as they want it for models known to differ.',
      resolution: resolutionOption,
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
  start: falWays,
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
    // A complaint about a field of the request may speak of a key, of credentials or of a balance as well.
    texts: [
      ["(exhausted|insufficient|negative|no) balance|balance (is )?(exhausted|insufficient|too low)|billing|payment", "quota"],
      ["not authorized|^forbidden|access denied|cannot access|user is locked|authentication|permission denied", "auth"],
      ["\\b(api|fal)[ _-]?key\\b|(invalid|unknown|wrong|expired|revoked) (key|credentials)|key id and secret", "auth"],
      ["\\bcancell?ed\\b", "cancelled"],
    ],
  },
  cancel: { send: "PUT {keep.cancel}", from: ["queued"], ok: [{ at: "status", is: "CANCELLATION_REQUESTED" }] },
  hears: falEd25519,
});
