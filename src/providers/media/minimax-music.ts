import { createJob } from "../job/job.ts";

/** MiniMax's music, which comes with the answer. */
export const minimaxMusic = createJob({
  type: "minimax-music",
  about: {
    title: "MiniMax Music",
    summary:
      "One song a request, as MP3. MiniMax has closed it to new users since August 2026 (HTTP 410, code 2153): only keys of older accounts may still work. Songs cannot be continued.",
    unconfirmed: ["Whether keys of older accounts still work."],
    examples: [{ kind: "music", model: "music-2.6", price: "per_call: 0.15" }],
  },
  baseUrl: "https://api.minimax.io",
  pollEveryMs: 5_000,
  patience: { startSeconds: 600 },
  models: { music: { "*": {} } },
  start: [
    {
      kind: "music",
      when: [{ at: "input.continues", exists: false }],
      send: "POST /v1/music_generation",
      body: {
        merge: [
          {
            model: "model",
            prompt: { from: "input.tags", as: { cut: 2_000 } },
            is_instrumental: "input.instrumental",
            seed: "input.seed",
            audio_setting: { sample_rate: { const: 44_100 }, bitrate: { const: 256_000 }, format: { const: "mp3" } },
            output_format: { const: "hex" },
          },
          { prompt: { from: "input.description", as: { cut: 2_000 } } },
          {
            object: { lyrics: { from: "input.lyrics", as: { cut: 3_500 } } },
            when: [{ at: "input.instrumental", is: false }],
          },
          {
            object: { lyrics_optimizer: { const: true } },
            when: [
              { at: "input.instrumental", is: false },
              { at: "input.lyrics", exists: false },
            ],
          },
        ],
      },
      answers: "record",
    },
  ],
  status: {
    words: {},
    rules: [
      { when: [{ at: "base_resp.status_code", is: 0 }], means: "done" },
      { when: [{ at: "base_resp.status_code", exists: true }], means: "failed" },
    ],
  },
  results: { music: { songs: "", audio: { at: "data.audio", as: "hex" } } },
  errors: {
    code: "base_resp.status_code",
    message: ["base_resp.status_msg", "message"],
    codes: {
      "1002": "rate_limit",
      "1004": "auth",
      "1008": "quota",
      "1026": "content_policy",
      "1027": "content_policy",
      "1039": "rate_limit",
      "1041": "rate_limit",
      "2013": "invalid",
      "2049": "auth",
      "2056": "quota",
      "2153": "not_found",
      "1000": "transient",
      "1001": "transient",
    },
    texts: [["sensitive|moderat|policy", "content_policy"]],
    definite: ["1002", "1004", "1008", "1026", "1039", "2013", "2049", "2153"],
  },
});
