import type { KindLimits } from "../../core/provider.ts";
import { createJob } from "../job/job.ts";
import type { Fields } from "../job/spec.ts";

const everyShape = ["1280:720", "720:1280", "1104:832", "832:1104", "960:960", "1584:672"] as const;
const everyRatio = ["16:9", "9:16", "4:3", "3:4", "1:1", "21:9"] as const;
const wideOrTall = ["1280:720", "720:1280"] as const;

const veo: KindLimits = { durations: [4, 6, 8], aspectRatios: ["16:9", "9:16"], promptCharacters: 1_000 };

const common = { model: "model", promptText: "input.prompt", duration: "input.durationSeconds" } satisfies Fields<"video">;
const promptImage = { from: "input.image", as: "link" } as const;

/** Runway's own API. */
export const runway = createJob({
  type: "runway",
  about: {
    title: "Runway",
    summary: "Video from text or from a first frame, at Runway's own API. Finished links end after a day or two; results are kept here.",
    examples: [{ kind: "video", model: "gen4_turbo", price: "per_second: 0.05" }],
  },
  baseUrl: "https://api.dev.runwayml.com",
  headers: { "x-runway-version": "2024-11-06" },
  pollEveryMs: 5_000,
  models: {
    video: {
      gen4_turbo: { durations: { min: 2, max: 10 }, aspectRatios: everyRatio, promptCharacters: 1_000, needsImage: true },
      "gen4.5": { durations: { min: 2, max: 10 }, aspectRatios: everyRatio, promptCharacters: 1_000 },
      "veo3.1": veo,
      "veo3.1_fast": veo,
      veo3: { ...veo, durations: [8] },
      "*": { promptCharacters: 1_000 },
    },
  },
  start: [
    {
      kind: "video",
      when: [
        { at: "input.image", exists: true },
        { at: "model", is: ["gen4_turbo", "gen4.5"] },
      ],
      send: "POST /v1/image_to_video",
      body: { ...common, promptImage, ratio: { from: "input.aspectRatio", as: { nearestRatio: everyShape } } },
    },
    {
      kind: "video",
      when: [{ at: "input.image", exists: true }],
      send: "POST /v1/image_to_video",
      body: { ...common, promptImage, ratio: { from: "input.aspectRatio", as: { nearestRatio: wideOrTall } } },
    },
    {
      kind: "video",
      send: "POST /v1/text_to_video",
      body: { ...common, ratio: { from: "input.aspectRatio", as: { nearestRatio: wideOrTall } } },
    },
  ],
  accepted: { id: "id" },
  poll: { send: "GET /v1/tasks/{id}" },
  status: {
    at: "status",
    words: { PENDING: "queued", THROTTLED: "queued", RUNNING: "running", SUCCEEDED: "done", FAILED: "failed", CANCELLED: "cancelled" },
  },
  progress: { at: "progress", of: 1 },
  results: { video: { video: "output[0]" } },
  errors: {
    code: "failureCode",
    message: ["failure", "error"],
    codes: {
      "SAFETY.*": "content_policy",
      "INPUT_PREPROCESSING.SAFETY.*": "content_policy",
      "ASSET.INVALID": "invalid",
      "INTERNAL*": "transient",
    },
    texts: [
      ["not have enough credits", "quota"],
      ["moderation|safety|content policy", "content_policy"],
    ],
  },
  cancel: { send: "DELETE /v1/tasks/{id}", from: ["queued", "running"] },
});
