import { openRouterOrStandard } from "../callbacks/openrouter-or-standard.ts";
import { createJob } from "../job/job.ts";
import type { Fields, StartOf } from "../job/spec.ts";
import { pictureNote } from "./picture-note.ts";

const durations = [4, 8, 12, 16, 20] as const;
const ratios = ["16:9", "9:16"] as const;
const usual = ["1280x720", "720x1280"] as const;
const large = ["1920x1080", "1080x1920"] as const;
const isLarge = { at: "input.resolution", is: ["1080p", "1440p", "2160p", "2k", "4k"] } as const;

const seconds = { from: "input.durationSeconds", as: "text" } as const;
// Upstreams that do not know the field refuse it.
const callback_url = { object: "callback.url", when: [{ at: "options.callbacks", is: "callback_url" }] } as const;
const derived = (act: "remix" | "extend") =>
  [{ at: "input.source.act", is: act } as const, { at: "input.source.upstreamTaskId", exists: true } as const] as const;
const isNew = { at: "input.source", exists: false } as const;

const ways = (shapes: readonly string[], ...when: NonNullable<StartOf<"video">["when"]>): StartOf<"video">[] => {
  const size = { from: "input.aspectRatio", as: { nearestRatio: shapes } } as const;
  const fields = { model: "model", prompt: "input.prompt", seconds, size, callback_url } satisfies Fields<"video">;
  const body = { ...fields, input_reference: { image_url: { from: "input.image", as: "link" } } } satisfies Fields<"video">;
  const form = { ...fields, input_reference: { from: "input.image", as: "file" } } satisfies Fields<"video">;
  return [
    { kind: "video", when: [isNew, ...when, { at: "input.image", exists: false }], send: "POST /videos", body },
    { kind: "video", when: [isNew, ...when, { at: "options.image", is: "json" }], send: "POST /videos", body },
    { kind: "video", when: [isNew, ...when], send: "POST /videos", form },
  ];
};

/** The wire of OpenAI's videos, which other upstreams and relays speak as well. */
export const openaiVideos = createJob({
  type: "openai-videos",
  about: {
    title: "OpenAI videos",
    summary:
      "Upstreams that speak OpenAI's /videos: Azure, new-api and its like. OpenAI's own service ended in September 2026, so set base_url to the upstream's. " +
      "A job cannot be stopped.",
    unconfirmed: [
      "The names of codes about content; whatever speaks of moderation or a content policy counts as such.",
      "Where relays put a result's address: four names are tried, then the content is asked for with the key.",
      "What OpenRouter signs: that a comma stands between time and body is known from one source alone.",
      pictureNote,
    ],
    options: {
      image: 'Set to "json" for upstreams that take a picture as input_reference.image_url in JSON, not as a part of a form.',
      callbacks: 'Set to "callback_url" for upstreams that take an address for messages under that name, as OpenRouter does.',
    },
    examples: [{ kind: "video", model: "sora-2", price: "per_second: 0.10" }],
  },
  baseUrl: "https://api.openai.com/v1",
  pollEveryMs: 5_000,
  patience: { startSeconds: 120 },
  models: {
    video: {
      "sora-2*": { durations, aspectRatios: ratios, promptCharacters: 32_000, acts: ["generate", "remix", "extend"] },
      "*": { aspectRatios: ratios, acts: ["generate", "remix", "extend"] },
    },
  },
  pictures: { formats: ["jpeg", "png", "webp"] },
  start: [
    {
      kind: "video",
      when: derived("remix"),
      send: "POST /videos/{input.source.upstreamTaskId}/remix",
      body: { prompt: "input.prompt" },
    },
    {
      kind: "video",
      when: derived("extend"),
      send: "POST /videos/extensions",
      body: { video: { id: "input.source.upstreamTaskId" }, prompt: "input.prompt", seconds },
    },
    ...ways(large, isLarge, { at: "model", begins: "sora-2-pro" }),
    ...ways(usual, { at: "model", begins: "sora-2" }),
    ...ways(large, isLarge),
    ...ways(usual),
  ],
  accepted: { id: "id" },
  poll: { send: "GET /videos/{id}" },
  status: {
    at: "status",
    words: {
      queued: "queued",
      pending: "queued",
      in_progress: "running",
      completed: "done",
      failed: "failed",
      cancelled: "cancelled",
      expired: "expired",
    },
  },
  progress: { at: "progress", of: 100 },
  results: {
    video: {
      video: { unless: ["metadata.url", "video_url", "url", "unsigned_urls[0]"], send: "GET /videos/{id}/content" },
      durationSeconds: "seconds",
    },
  },
  errors: {
    code: ["error.code", "code"],
    message: ["error.message", "message"],
    codes: {
      "*content_policy*": "content_policy",
      "*moderation*": "content_policy",
      invalid_prompt: "content_policy",
      invalid_api_key: "auth",
      model_not_found: "not_found",
      rate_limit_exceeded: "rate_limit",
      insufficient_quota: "quota",
      insufficient_user_quota: "quota",
      credit_balance_exhausted: "quota",
      "*spend_limit_exceeded*": "quota",
      server_error: "transient",
    },
    texts: [["moderation|content policy|safety", "content_policy"]],
  },
  hears: openRouterOrStandard,
});
