import { createJob } from "../job/job.ts";
import type { Fields } from "../job/spec.ts";
import { pictureNote } from "./picture-note.ts";

const ratios = ["16:9", "9:16", "1:1", "4:3", "3:4", "3:2", "2:3"] as const;

const common = { model: "model", prompt: "input.prompt" } satisfies Fields<"video">;
const lines = (...nearestLines: string[]): Fields<"video"> => ({ resolution: { from: "input.resolution", as: { nearestLines } } });
const source = { url: { from: "input.source.video", as: "link" } } satisfies Fields<"video">;

/** xAI's Grok Imagine videos. */
export const xaiVideo = createJob({
  type: "xai-video",
  about: {
    title: "xAI Grok Imagine (video)",
    summary: "Videos from text or a first frame, and changes and continuations of videos that the gateway made. A job cannot be stopped.",
    unconfirmed: [
      "All of its wire: it is known from clients of it alone.",
      "Whether progress counts to 100; a larger number is shown as 100 %.",
      "How it says that a key is wrong or a prompt not allowed; both are told by their words where the status says no more than a wrong request.",
      pictureNote,
    ],
    examples: [{ kind: "video", model: "grok-imagine-video", price: "per_second: 0.05" }],
  },
  baseUrl: "https://api.x.ai/v1",
  pollEveryMs: 5_000,
  patience: { startSeconds: 120 },
  models: { video: { "*": { durations: { min: 1, max: 15 }, aspectRatios: ratios, acts: ["generate", "extend", "remix"] } } },
  pictures: { maxBytes: 10_000_000, formats: ["jpeg", "png", "webp"] },
  start: [
    {
      kind: "video",
      when: [{ at: "input.source.act", is: "extend" }],
      send: "POST /videos/extensions",
      body: { ...common, video: source, duration: "input.durationSeconds" },
    },
    {
      kind: "video",
      when: [{ at: "input.source.act", is: "remix" }],
      send: "POST /videos/edits",
      body: { ...common, video: source },
    },
    {
      kind: "video",
      send: "POST /videos/generations",
      body: {
        merge: [
          { ...common, ...lines("480p", "720p") },
          { object: lines("480p", "720p", "1080p"), when: [{ at: "model", begins: "grok-imagine-video-1.5" }] },
          {
            duration: "input.durationSeconds",
            aspect_ratio: { from: "input.aspectRatio", as: { nearestRatio: ratios } },
            image: { object: { url: { from: "input.image", as: "link" } }, when: [{ at: "input.image", exists: true }] },
          },
        ],
      },
    },
  ],
  accepted: { id: "request_id" },
  poll: { send: "GET /videos/{id}" },
  status: {
    at: "status",
    words: { pending: "queued", done: "done", failed: "failed", expired: "expired" },
    rules: [
      { when: [{ at: "video.respect_moderation", is: false }], means: "content_policy" },
      {
        when: [
          { at: "status", exists: false },
          { at: "video.url", exists: true },
        ],
        means: "done",
      },
      {
        when: [
          { at: "status", is: "pending" },
          { at: "progress", exists: true },
        ],
        means: "running",
      },
    ],
  },
  progress: { at: "progress", of: 100 },
  results: { video: { video: "video.url", durationSeconds: "video.duration" } },
  errors: {
    code: ["error.code", "code"],
    message: ["error.message", "error"],
    codes: {
      "*moderation*": "content_policy",
      "*content_policy*": "content_policy",
      insufficient_quota: "quota",
      model_not_found: "not_found",
    },
    // It has one status for what a key may not do, what nobody may ask for and what is not paid for.
    http: { 403: "invalid" },
    texts: [
      ["guidelines|moderation|content policy|safety", "content_policy"],
      ["credits|spending limit|billing", "quota"],
      ["api key|permission|not authorized|blocked", "auth"],
      ["model .*(not exist|not found)", "not_found"],
    ],
  },
});
