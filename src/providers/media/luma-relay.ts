import { unsigned } from "../callbacks/unsigned.ts";
import { createJob } from "../job/job.ts";
import type { Fields } from "../job/spec.ts";

const clip = {
  user_prompt: "input.prompt",
  model_name: "model",
  aspect_ratio: { from: "input.aspectRatio", as: "ratio" },
  duration: { from: "input.durationSeconds", as: { suffix: "s" } },
  resolution: { from: "input.resolution", as: { nearestLines: ["540p", "720p", "1080p"] } },
  loop: "input.loop",
  expand_prompt: "input.extras.expand_prompt",
  image_url: { from: "input.image", as: "link" },
  image_end_url: { from: "input.lastImage", as: "link" },
  notify_hook: "callback.url",
} satisfies Fields<"video">;

/** Relays that speak the wire of Luma's web site under /luma. */
export const lumaRelay = createJob({
  type: "luma-relay",
  about: {
    title: "Luma through a relay",
    summary: "Relays of the new-api family that offer Luma under `/luma`. Name the relay's address as `base_url`.",
    unconfirmed: [
      "The address that extends a video: `/luma/generations/{id}/extend` is known from third parties alone.",
      "The question for many jobs at once (`/luma/tasks`): where a relay lacks it, jobs are asked about one by one.",
      "Whether a relay wraps its answer: the id is looked for inside an envelope too.",
    ],
    examples: [{ kind: "video", model: "ray-v2", price: "per_second: 0.08" }],
  },
  pollEveryMs: 5_000,
  models: {
    video: {
      "ray-v2": { durations: [5, 9], acts: ["generate", "extend"] },
      "*": { durations: [5], acts: ["generate", "extend"] },
    },
  },
  start: [
    {
      kind: "video",
      when: [
        { at: "input.source.act", is: "extend" },
        { at: "input.source.upstreamTaskId", exists: true },
      ],
      send: "POST /luma/generations/{input.source.upstreamTaskId}/extend",
      body: clip,
    },
    { kind: "video", when: [{ at: "input.source", exists: false }], send: "POST /luma/generations", body: clip },
  ],
  accepted: { id: ["id", "data.id", "data.task_id", "data", "task_id"] },
  poll: {
    send: "GET /luma/generations/{id}",
    missing: [{ at: "code", is: "task_not_exist" }],
    many: { send: "POST /luma/tasks", ids: "ids", max: 50, list: "", id: "id" },
  },
  status: {
    at: "state",
    words: { pending: "queued", queued: "queued", processing: "running", dreaming: "running", completed: "done", failed: "failed" },
  },
  results: {
    video: {
      // The address to look at comes before the one to load from, and is not the whole video yet.
      video: ["video.download_url", "video_raw.url"],
      cover: ["video.thumbnail", "thumbnail.url", "thumbnail"],
      durationSeconds: "video_raw.duration",
    },
  },
  errors: {
    code: ["code", "error.code"],
    message: ["failure_reason", "fail_reason", "message", "error.message", "detail"],
    codes: {
      invalid_request: "invalid",
      insufficient_user_quota: "quota",
      pre_consume_token_quota_failed: "quota",
      model_not_found: "not_found",
      model_price_error: "not_found",
      get_channel_failed: "transient",
      task_channel_disable: "transient",
    },
    texts: [["moderat|policy|sensitive|banned|inappropriate|nsfw", "content_policy"]],
    definite: ["model_not_found", "model_price_error", "get_channel_failed", "task_channel_disable", "invalid_request"],
  },
  hears: unsigned,
});
