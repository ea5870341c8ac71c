import { createJob } from "../job/job.ts";
import type { Field, Fields } from "../job/spec.ts";

const strengths = {
  bypass_prompt_optimization: "input.extras.bypass_prompt_optimization",
  song_section_start: "input.extras.song_section_start",
  prompt_strength: "input.extras.prompt_strength",
  clarity_strength: "input.extras.clarity_strength",
  lyrics_strength: "input.extras.lyrics_strength",
  generation_quality: "input.extras.generation_quality",
} satisfies Fields<"music">;

/** The body with a config of its own; later parts go before earlier ones. */
function paramsWith(config: Fields<"music">): Field<"music"> {
  return {
    gen_params: {
      merge: [
        { prompt: "input.tags", lyrics: "input.lyrics", seed: { from: "input.seed", or: -1 }, model_type: "model", ...strengths },
        { prompt: "input.description", negative_prompt: "input.extras.negative_tags", lyrics_type: { const: "generate" }, config },
        { negative_prompt: "input.extras.negative_prompt" },
        { object: { lyrics_type: { const: "user" } }, when: [{ at: "input.lyrics", exists: true }] },
        { object: { lyrics_type: { const: "instrumental" } }, when: [{ at: "input.instrumental", is: true }] },
      ],
    },
  };
}

const source = { source_type: { const: "song" }, song_id: "input.continues.upstreamSongId" } satisfies Fields<"music">;
const mode = { from: "input.continues.direction", as: { lookup: { after: "continuation", before: "precede" } } } as const;

/** Relays that speak the wire of the Udio family under /udio. */
export const udioRelay = createJob({
  type: "udio-relay",
  about: {
    title: "Udio relays",
    summary: "Songs of Udio through a relay: two songs a task, continuations after and before a song. Udio itself has no public API.",
    unconfirmed: [
      "The whole wire is known from relays and their clients alone; songs are looked for in both places where relays put them.",
    ],
    examples: [{ kind: "music", model: "udio32-v1.5", price: "per_call: 0.10" }],
  },
  pollEveryMs: 5_000,
  models: { music: { "*": {} } },
  start: [
    {
      kind: "music",
      when: [{ at: "input.continues", exists: false }],
      send: "POST /udio/submit/music",
      body: paramsWith({ mode: { const: "regular" } }),
    },
    {
      kind: "music",
      when: [{ at: "input.continues.upstreamSongId", exists: true }],
      send: "POST /udio/submit/music",
      body: paramsWith({ mode, context_length: { const: 130 }, source }),
    },
  ],
  accepted: { ok: [{ at: "code", is: "success" }], id: "data" },
  poll: {
    send: "GET /udio/fetch/{id}",
    ok: [{ at: "code", is: "success" }],
    task: "data",
    missing: [{ at: "code", is: "task_not_exist" }],
  },
  // The family's UNKNOWN is left out: it says that the relay cannot tell, and a job that was paid for may still come.
  status: {
    at: "status",
    words: { NOT_START: "queued", SUBMITTED: "queued", QUEUED: "queued", IN_PROGRESS: "running", SUCCESS: "done", FAILURE: "failed" },
  },
  progress: { at: "progress", of: 100 },
  results: {
    music: {
      songs: ["data.songs", "songs"],
      ready: [{ at: "finished", is: true }],
      id: "id",
      title: "title",
      tags: "tags",
      lyrics: "lyrics",
      durationSeconds: "duration",
      audio: "song_path",
      image: "image_path",
      video: "video_path",
    },
  },
  errors: {
    code: ["code", "error.code"],
    message: ["fail_reason", "message", "error.message", "data.songs[0].error_detail", "songs[0].error_detail"],
    codes: {
      invalid_request: "invalid",
      prompt_empty: "invalid",
      insufficient_user_quota: "quota",
      pre_consume_token_quota_failed: "quota",
      model_not_found: "not_found",
      model_price_error: "not_found",
      get_channel_failed: "transient",
      task_channel_disable: "transient",
    },
    texts: [["moderat|policy|copyright|sensitive|artist name|banned|inappropriate", "content_policy"]],
    definite: ["model_not_found", "model_price_error", "get_channel_failed", "task_channel_disable", "prompt_empty", "invalid_request"],
  },
});
