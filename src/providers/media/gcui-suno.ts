import { createJob } from "../job/job.ts";
import type { Fields } from "../job/spec.ts";

const song = { model: "model", wait_audio: { const: false } } satisfies Fields<"music">;
const custom = {
  ...song,
  prompt: "input.lyrics",
  tags: "input.tags",
  title: "input.title",
  negative_tags: "input.extras.negative_tags",
} satisfies Fields<"music">;

/** The self-hosted gcui-art/suno-api: a job is its two songs, and their ids together are its own. */
export const gcuiSuno = createJob({
  type: "gcui-suno",
  about: {
    title: "gcui-art/suno-api (self-hosted)",
    summary:
      "Songs and lyrics of one's own Suno account through a self-hosted gcui-art/suno-api, which takes no key: keep it in a private network and set allow_private_network.",
    unconfirmed: [
      "How it tells of a song that it does not know: an empty list counts as missing, and so does 404.",
      "What it says when Suno itself refuses: mostly 500, after which nobody knows whether a song was begun; it is never asked for twice.",
    ],
    examples: [
      { kind: "music", model: "chirp-v3-5", price: "per_call: 0.05" },
      { kind: "lyrics", model: "lyrics", price: "per_call: 0.01" },
    ],
  },
  auth: "none",
  pollEveryMs: 5_000,
  // Suno itself is asked while the request waits, and lyrics come with the answer.
  patience: { startSeconds: 180 },
  models: { music: { "*": {} }, lyrics: { "*": {} } },
  start: [
    {
      kind: "music",
      when: [{ at: "input.mode", is: "inspiration" }],
      send: "POST /api/generate",
      body: { ...song, prompt: "input.description", make_instrumental: "input.instrumental" },
    },
    {
      kind: "music",
      when: [{ at: "input.mode", is: "custom" }],
      send: "POST /api/custom_generate",
      body: { ...custom, make_instrumental: "input.instrumental" },
    },
    {
      kind: "music",
      when: [
        { at: "input.continues.direction", is: "after" },
        { at: "input.continues.upstreamSongId", exists: true },
      ],
      send: "POST /api/extend_audio",
      body: { ...custom, audio_id: "input.continues.upstreamSongId", continue_at: "input.continues.atSeconds" },
    },
    { kind: "lyrics", send: "POST /api/generate_lyrics", body: { prompt: "input.prompt" }, answers: "record" },
  ],
  accepted: { id: "[*].id" },
  // Songs that are not known are left out of the list.
  poll: { send: "GET /api/get?ids={id}", missing: [{ at: "length", is: 0 }] },
  status: {
    at: ["[*].status", "status"],
    words: { submitted: "queued", queued: "queued", queue: "queued", streaming: "running", complete: "done", error: "failed" },
  },
  results: {
    music: {
      songs: "",
      ready: [{ at: "status", is: ["complete", "error"] }],
      id: "id",
      title: "title",
      tags: "tags",
      lyrics: "lyric",
      durationSeconds: "duration",
      audio: "audio_url",
      image: "image_url",
      video: "video_url",
    },
    lyrics: { title: "title", text: "text" },
  },
  errors: {
    message: ["error", "[0].error_message", "[1].error_message", "error_message"],
    texts: [
      ["moderat|policy|copyright|sensitive|artist name|inappropriate", "content_policy"],
      ["credit", "quota"],
    ],
  },
});
