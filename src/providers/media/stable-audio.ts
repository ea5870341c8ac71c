import { createJob } from "../job/job.ts";
import type { Fields } from "../job/spec.ts";

const form = {
  model: "model",
  output_format: { const: "mp3" },
  duration: { from: "options.duration_seconds", as: { clamp: [1, 190] } },
  seed: "input.seed",
} satisfies Fields<"music">;

const place = {
  send: "POST /v2beta/audio/stable-audio-2/text-to-audio",
  headers: { accept: "application/json" },
  answers: "record",
} as const;

/** Stability's music, which comes with the answer. */
export const stableAudio = createJob({
  type: "stable-audio",
  about: {
    title: "Stability Stable Audio",
    summary:
      "One piece of music a request, as MP3. It does not sing: lyrics are refused unless the song is to be instrumental anyway, and songs cannot be continued.",
    unconfirmed: ["Stable Audio 3 has no known address yet."],
    options: { duration_seconds: "How long pieces are, 1 to 190 seconds; the upstream's choice unless given." },
    examples: [{ kind: "music", model: "stable-audio-2.5", price: "per_call: 0.20" }],
  },
  baseUrl: "https://api.stability.ai",
  pollEveryMs: 5_000,
  patience: { startSeconds: 300 },
  usualLimits: { perMinute: 600 },
  models: { music: { "*": {} } },
  start: [
    {
      ...place,
      kind: "music",
      when: [{ at: "input.mode", is: "inspiration" }],
      form: { ...form, prompt: "input.description" },
    },
    {
      ...place,
      kind: "music",
      when: [
        { at: "input.mode", is: "custom" },
        { at: "input.instrumental", is: true },
        { at: "input.tags", exists: true },
      ],
      form: { ...form, prompt: "input.tags" },
    },
    {
      ...place,
      kind: "music",
      when: [
        { at: "input.mode", is: "custom" },
        { at: "input.instrumental", is: true },
      ],
      form: { ...form, prompt: "input.title" },
    },
  ],
  status: {
    words: {},
    rules: [
      { when: [{ at: "finish_reason", is: "CONTENT_FILTERED" }], means: "content_policy" },
      { when: [{ at: "audio", exists: true }], means: "done" },
    ],
  },
  results: { music: { songs: "", seed: "seed", audio: { at: "audio", as: "base64" } } },
  errors: {
    code: "name",
    message: ["errors[0]", "message"],
    codes: {
      content_moderation: "content_policy",
      unauthorized: "auth",
      payment_required: "quota",
      rate_limit_exceeded: "rate_limit",
      internal_error: "transient",
    },
    http: { 413: "invalid", 422: "invalid" },
    texts: [["moderat|content policy", "content_policy"]],
  },
});
