import { createJob } from "../job/job.ts";

/** The API of a self-hosted ACE-Step 1.5. */
export const aceStep = createJob({
  type: "ace-step",
  about: {
    title: "ACE-Step 1.5 (self-hosted)",
    summary:
      "Songs of an open model on one's own machine, two a task. Give keys only if the service was started with one; set allow_private_network for a machine in one's own network.",
    unconfirmed: [
      "What it answers about a task that it does not know: nothing about it counts as missing.",
      "Words for progress: a task runs until it ends.",
    ],
    options: {
      duration_seconds: "How long songs are, 10 to 600 seconds; the model's own choice unless given.",
      thinking: "true to let its language model plan the song first.",
    },
    examples: [{ kind: "music", model: "acestep-v15-turbo", price: "per_call: 0.01" }],
  },
  baseUrl: "http://127.0.0.1:8001",
  keyOptional: true,
  pollEveryMs: 2_000,
  models: { music: { "*": {} } },
  start: [
    {
      kind: "music",
      when: [{ at: "input.continues", exists: false }],
      send: "POST /release_task",
      body: {
        merge: [
          {
            prompt: "input.tags",
            model: "model",
            task_type: { const: "text2music" },
            audio_format: { const: "mp3" },
            batch_size: { const: 2 },
            audio_duration: { from: "options.duration_seconds", as: { clamp: [10, 600] } },
            thinking: "options.thinking",
            use_random_seed: { const: true },
          },
          { prompt: "input.description", lyrics: "input.lyrics" },
          { object: { seed: "input.seed", use_random_seed: { const: false } }, when: [{ at: "input.seed", exists: true }] },
          { object: { lyrics: { const: "[Instrumental]" } }, when: [{ at: "input.instrumental", is: true }] },
        ],
      },
    },
  ],
  accepted: { ok: [{ at: "code", is: 200 }], id: "data.task_id" },
  poll: {
    send: "POST /query_result",
    // It takes the list as a text as well.
    body: { task_id_list: '["{id}"]' },
    ok: [
      { at: "code", is: 200 },
      { at: "data[0].task_id", exists: true },
    ],
    task: "data[0]",
    missing: [{ at: "data.length", is: 0 }],
    many: { send: "POST /query_result", ids: "task_id_list", max: 50, list: "data", id: "task_id" },
  },
  status: { at: "status", words: { "0": "running", "1": "done", "2": "failed" } },
  results: {
    music: {
      songs: "result.@json",
      lyrics: "lyrics",
      durationSeconds: "metas.duration",
      seed: "seed_value",
      audio: { at: "file", as: "guarded" },
    },
  },
  errors: {
    code: "code",
    message: ["error", "detail", "result.@json[0].error", "message"],
    // It repeats the HTTP status as its code, also under HTTP 200.
    codes: {
      "400": "invalid",
      "401": "auth",
      "402": "quota",
      "403": "auth",
      "404": "not_found",
      "413": "invalid",
      "422": "invalid",
      "429": "rate_limit",
      "5*": "transient",
    },
    texts: [["moderat|policy|nsfw", "content_policy"]],
  },
});
