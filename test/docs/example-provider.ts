import { standardWebhooks } from "../../src/providers/callbacks/standard-webhooks.ts";
import { createJob } from "../../src/providers/job/job.ts";

/** Acme Motion, an upstream that does not exist: the example of docs/add-a-provider.md. */
export const acmeMotion = createJob({
  type: "acme-motion",
  about: {
    title: "Acme Motion",
    summary: "Videos from text or from a first frame. Acme's console has a secret for messages: give it as webhook_secret.",
    unconfirmed: ["How long links work: results are copied at once."],
    examples: [{ kind: "video", model: "motion-1", price: "per_second: 0.05" }],
  },
  baseUrl: "https://api.acme-motion.example",
  auth: { header: "x-api-key" },
  pollEveryMs: 5_000,
  models: {
    video: {
      "motion-1": { durations: [5, 10], aspectRatios: ["16:9", "9:16", "1:1"], promptCharacters: 2_000 },
      "*": {},
    },
  },
  pictures: { maxBytes: 5_000_000, formats: ["jpeg", "png"] },
  start: [
    {
      kind: "video",
      when: [{ at: "input.image", exists: true }],
      send: "POST /v1/animate",
      body: {
        model: "model",
        text: "input.prompt",
        first_frame: { from: "input.image", as: "data-uri" },
        seconds: "input.durationSeconds",
        notify: "callback.url",
      },
    },
    {
      kind: "video",
      send: "POST /v1/generate",
      body: {
        model: "model",
        text: "input.prompt",
        seconds: "input.durationSeconds",
        size: { from: "input.aspectRatio", as: { nearestRatio: ["1280:720", "720:1280", "960:960"] } },
        options: { watermark: { const: false } },
        notify: "callback.url",
      },
    },
  ],
  accepted: { id: "job.id" },
  poll: { send: "GET /v1/jobs/{id}", task: "job" },
  status: { at: "state", words: { waiting: "queued", rendering: "running", ready: "done", failed: "failed", blocked: "content_policy" } },
  progress: { at: "percent", of: 100 },
  results: { video: { video: ["files.hd", "files.sd"], cover: "files.poster", durationSeconds: "seconds" } },
  errors: {
    code: "error.code",
    message: ["error.message", "error"],
    codes: { out_of_credit: "quota", "model_*": "not_found" },
    texts: [["unsafe|not allowed", "content_policy"]],
    definite: ["no_capacity"],
  },
  cancel: { send: "DELETE /v1/jobs/{id}", from: ["queued"] },
  hears: standardWebhooks,
});
