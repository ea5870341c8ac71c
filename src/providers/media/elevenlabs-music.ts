import type { Job } from "../../core/provider.ts";
import { createJob } from "../job/job.ts";

/** Songs of ElevenLabs, which come with the answer. */
export const elevenLabsMusic = createJob({
  type: "elevenlabs-music",
  about: {
    title: "ElevenLabs Music",
    summary:
      "One song a request, as MP3, with no title, tags or lyrics of its own: these are what was asked for. Lyrics are sung as part of the prompt; songs cannot be continued, and a seed is not used.",
    unconfirmed: [
      "How a prompt that breaks the rules is refused: detail.status bad_prompt or bad_composition_plan, or words to that effect.",
    ],
    options: { length_seconds: "How long songs are, 3 to 600 seconds; as long as fits the prompt unless given." },
    examples: [{ kind: "music", model: "music_v1", price: "per_call: 0.50" }],
  },
  baseUrl: "https://api.elevenlabs.io/v1",
  auth: { header: "xi-api-key" },
  pollEveryMs: 5_000,
  patience: { startSeconds: 600 },
  models: { music: { "*": {} } },
  start: [
    {
      kind: "music",
      when: [{ at: "input.continues", exists: false }],
      send: "POST /music?output_format=mp3_44100_128",
      headers: { accept: "audio/mpeg" },
      build: wish,
      answers: "bytes",
    },
  ],
  status: { words: {} },
  results: { music: { songs: "", audio: { body: true } } },
  errors: {
    code: ["detail.status", "detail.code"],
    message: ["detail.message", "detail[0].msg", "detail"],
    codes: {
      bad_prompt: "content_policy",
      bad_composition_plan: "content_policy",
      invalid_api_key: "auth",
      missing_permissions: "auth",
      quota_exceeded: "quota",
      limited_access: "quota",
      too_many_concurrent_requests: "rate_limit",
      rate_limit_exceeded: "rate_limit",
      system_busy: "transient",
    },
    texts: [["terms of service|moderat|policy|copyright|prohibited", "content_policy"]],
    definite: ["system_busy", "too_many_concurrent_requests"],
  },
});

function wish({ kind, input, model }: Job, { options }: { options: Readonly<Record<string, unknown>> }): unknown {
  if (kind !== "music") return undefined;
  const { description, lyrics, title, tags, instrumental, extras } = input;
  const unwanted = extras?.["negative_tags"] ?? extras?.["negative_prompt"];
  const lines = [
    description,
    tags !== description && tags && `Style: ${tags}`,
    title && `Title: ${title}`,
    unwanted && `Without: ${String(unwanted)}`,
    !instrumental && lyrics && `Lyrics:\n${lyrics}`,
  ];
  const { length_seconds: seconds } = options;
  return {
    prompt: lines.filter(Boolean).join("\n") || "A song",
    model_id: model,
    force_instrumental: instrumental,
    ...(typeof seconds === "number" && { music_length_ms: Math.round(Math.min(Math.max(seconds, 3), 600) * 1_000) }),
  };
}
