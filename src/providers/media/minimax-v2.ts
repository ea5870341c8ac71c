import { minimaxChallenge } from "../callbacks/minimax-challenge.ts";
import { createJob } from "../job/job.ts";
import { pictureNote } from "./picture-note.ts";

const aspectRatios = ["16:9", "9:16", "1:1", "4:3", "3:4", "21:9"] as const;

/** MiniMax's second API of videos. */
export const minimaxV2 = createJob({
  type: "minimax-v2",
  about: {
    title: "MiniMax Hailuo (v2)",
    summary: "Videos of MiniMax-H3, from text or between a first and a last frame. In China the base URL is `https://api.minimaxi.com`.",
    unconfirmed: [
      "Whether `expired` is ever said: it ends a job where it is.",
      "Whether a job that runs can be stopped: only waiting jobs are cancelled.",
      "Whether four seconds are allowed: some pages begin at five.",
      "The codes inside a failed job: its words decide where a code is not known.",
      pictureNote,
    ],
    examples: [{ kind: "video", model: "MiniMax-H3", price: "per_second: 0.08" }],
  },
  baseUrl: "https://api.minimax.io",
  pollEveryMs: 10_000,
  pictures: { maxBytes: 20_000_000, minSide: 300, formats: ["jpeg", "png", "webp"] },
  models: { video: { "*": { durations: { min: 4, max: 15 }, aspectRatios, promptCharacters: 7_000 } } },
  start: [
    {
      kind: "video",
      when: [{ at: "input.source", exists: false }],
      send: "POST /v2/video_generation",
      body: {
        model: "model",
        content: [
          { object: { type: { const: "text" }, text: "input.prompt" }, when: [{ at: "input.prompt", exists: true }] },
          {
            object: {
              type: { const: "image_url" },
              image_url: { url: { from: "input.image", as: "link" } },
              role: { const: "first_frame" },
            },
            when: [{ at: "input.image", exists: true }],
          },
          {
            object: {
              type: { const: "image_url" },
              image_url: { url: { from: "input.lastImage", as: "link" } },
              role: { const: "last_frame" },
            },
            when: [{ at: "input.lastImage", exists: true }],
          },
        ],
        duration: "input.durationSeconds",
        ratio: { from: "input.aspectRatio", as: { nearestRatio: aspectRatios } },
        resolution: { from: "input.resolution", as: { nearestLines: ["768P", "2K"] } },
        callback_url: "callback.url",
      },
    },
  ],
  accepted: { id: "task_id" },
  poll: { send: "GET /v2/query/video_generation/{id}", task: "task" },
  status: {
    at: "status",
    words: { queued: "queued", running: "running", succeeded: "done", failed: "failed", cancelled: "cancelled", expired: "expired" },
  },
  results: { video: { video: "content.url", durationSeconds: "duration" } },
  errors: {
    code: ["error.code", "error.type"],
    message: "error.message",
    codes: { "1026": "content_policy", "1027": "content_policy", "1008": "quota", "1002": "rate_limit", "2013": "invalid" },
    http: { 422: "content_policy" },
    texts: [
      ["sensitive|moderat|policy|safety", "content_policy"],
      ["balance|quota|insufficient", "quota"],
    ],
  },
  cancel: { send: "DELETE /v2/video_generation/{id}", from: ["queued"] },
  hears: minimaxChallenge,
});
