import { sharedSecret } from "../callbacks/shared-secret.ts";
import { createJob } from "../job/job.ts";

/** Songs of Udio through PiAPI's tasks. */
export const piapi = createJob({
  type: "piapi",
  about: {
    title: "PiAPI (music-u)",
    summary: "Songs in the manner of Udio through PiAPI. It cannot go on from a song that was made before.",
    unconfirmed: [
      "The header in which its messages repeat our secret: one that is there must be right, one that is missing is no offence.",
      "Where songs lie in a finished task: output.songs, or output itself where that is the list.",
      "The word `staged`, taken for a task that waits.",
    ],
    options: { service_mode: "PiAPI's own word for how a task is paid: public or private." },
    examples: [{ kind: "music", model: "music-u", price: "per_call: 0.05" }],
  },
  baseUrl: "https://api.piapi.ai",
  auth: { header: "x-api-key" },
  pollEveryMs: 5_000,
  models: { music: { "*": {} } },
  start: [
    {
      kind: "music",
      when: [{ at: "input.continues", exists: false }],
      send: "POST /api/v1/task",
      body: {
        model: "model",
        task_type: { const: "generate_music" },
        input: {
          merge: [
            { gpt_description_prompt: "input.tags", lyrics: "input.lyrics", seed: { from: "input.seed", or: -1 } },
            {
              gpt_description_prompt: "input.description",
              negative_tags: "input.extras.negative_prompt",
              lyrics_type: { const: "generate" },
            },
            { negative_tags: "input.extras.negative_tags" },
            { object: { lyrics_type: { const: "user" } }, when: [{ at: "input.lyrics", exists: true }] },
            { object: { lyrics_type: { const: "instrumental" } }, when: [{ at: "input.instrumental", is: true }] },
          ],
        },
        config: {
          service_mode: "options.service_mode",
          webhook_config: {
            object: { endpoint: "callback.url", secret: "callback.secret" },
            when: [{ at: "callback.url", exists: true }],
          },
        },
      },
    },
  ],
  accepted: { ok: [{ at: "code", is: 200 }], id: "data.task_id" },
  poll: { send: "GET /api/v1/task/{id}", ok: [{ at: "code", is: 200 }], task: "data", missing: [{ at: "code", is: 404 }] },
  status: {
    at: "status",
    words: { pending: "queued", staged: "queued", processing: "running", completed: "done", failed: "failed" },
  },
  results: {
    music: {
      songs: ["output.songs", "output"],
      ready: [{ at: "song_path", exists: true }],
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
    code: ["error.code", "data.error.code", "code"],
    message: ["error.raw_message", "error.message", "data.error.raw_message", "data.error.message", "message"],
    // The codes of failed tasks are numbers of no order, of which only their words tell anything.
    codes: { "400": "invalid", "401": "auth", "402": "quota", "404": "not_found", "429": "rate_limit", "500": "transient" },
    texts: [
      ["moderat|policy|copyright|sensitive|artist name|inappropriate", "content_policy"],
      ["insufficient|credit|balance|quota", "quota"],
    ],
  },
  hears: sharedSecret,
});
