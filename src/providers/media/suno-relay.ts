import { unsigned } from "../callbacks/unsigned.ts";
import { createJob } from "../job/job.ts";
import type { Fields } from "../job/spec.ts";

const song = {
  mv: "model",
  make_instrumental: "input.instrumental",
  negative_tags: "input.extras.negative_tags",
  notify_hook: "callback.url",
} satisfies Fields<"music">;

const custom = { ...song, prompt: "input.lyrics", title: "input.title", tags: "input.tags" } satisfies Fields<"music">;

/** Relays that speak the wire of Suno-API and new-api under /suno. */
export const sunoRelay = createJob({
  type: "suno-relay",
  about: {
    title: "Suno relays",
    summary: "Songs and lyrics through a relay that speaks the wire of Suno-API or new-api under /suno; base_url names the relay.",
    examples: [
      { kind: "music", model: "chirp-v4", price: "per_call: 0.10" },
      { kind: "lyrics", model: "lyrics", price: "per_call: 0.01" },
    ],
  },
  pollEveryMs: 5_000,
  models: { music: { "*": {} }, lyrics: { "*": {} } },
  start: [
    {
      kind: "music",
      when: [{ at: "input.mode", is: "inspiration" }],
      send: "POST /suno/submit/music",
      body: { ...song, gpt_description_prompt: "input.description" },
    },
    { kind: "music", when: [{ at: "input.mode", is: "custom" }], send: "POST /suno/submit/music", body: custom },
    {
      kind: "music",
      when: [
        { at: "input.continues.direction", is: "after" },
        { at: "input.continues.upstreamSongId", exists: true },
      ],
      send: "POST /suno/submit/music",
      body: {
        ...custom,
        // The relay finds by its own task the account that made the song.
        task_id: "input.continues.upstreamTaskId",
        continue_clip_id: "input.continues.upstreamSongId",
        continue_at: "input.continues.atSeconds",
      },
    },
    { kind: "lyrics", send: "POST /suno/submit/lyrics", body: { prompt: "input.prompt", notify_hook: "callback.url" } },
  ],
  accepted: { ok: [{ at: "code", is: "success" }], id: "data" },
  poll: {
    send: "GET /suno/fetch/{id}",
    ok: [{ at: "code", is: "success" }],
    task: "data",
    missing: [{ at: "code", is: "task_not_exist" }],
    many: { send: "POST /suno/fetch", ids: "ids", max: 100, list: "data", id: "task_id" },
  },
  // The family's UNKNOWN is left out: it says that the relay cannot tell, and a job that was paid for may still come.
  status: {
    at: "status",
    words: { NOT_START: "queued", SUBMITTED: "queued", QUEUED: "queued", IN_PROGRESS: "running", SUCCESS: "done", FAILURE: "failed" },
  },
  progress: { at: "progress", of: 100 },
  results: {
    music: {
      songs: "data",
      // While a song streams its address plays, but is not the finished file.
      ready: [{ at: "status", is: ["complete", "error"] }],
      id: "id",
      title: "title",
      tags: "metadata.tags",
      lyrics: "metadata.prompt",
      durationSeconds: "metadata.duration",
      audio: "audio_url",
      image: ["image_large_url", "image_url"],
      video: "video_url",
    },
    lyrics: { title: "data.title", text: "data.text", tags: "data.tags" },
  },
  errors: {
    code: ["code", "error.code"],
    message: ["fail_reason", "message", "error.message"],
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
  hears: unsigned,
});
