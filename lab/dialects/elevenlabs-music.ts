import type { MusicInput } from "../../src/core/kinds.ts";
import { fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, LabRequest, No } from "../dialect.ts";
import { mediaBytes } from "../media.ts";

const refusals: Record<No, { status: number; word: string }> = {
  auth: { status: 401, word: "invalid_api_key" },
  invalid: { status: 422, word: "" },
  quota: { status: 401, word: "quota_exceeded" },
  rate_limit: { status: 429, word: "too_many_concurrent_requests" },
  content_policy: { status: 400, word: "bad_prompt" },
  missing: { status: 404, word: "not_found" },
  down: { status: 500, word: "internal_error" },
};

const wish: MusicInput = { mode: "inspiration", description: "a song about rain", instrumental: false };

/** ElevenLabs where it makes music: the song is the answer. */
export const elevenLabsMusic: Dialect = {
  type: "elevenlabs-music",
  adapter: "elevenlabs",
  instant: true,
  key: ({ headers }) => {
    const key = headers["xi-api-key"];
    return typeof key === "string" ? key : null;
  },
  read: (request) => (request.method === "POST" && request.path === "/music" ? readSong(request) : null),
  accepted: (job) => ({ status: 200, headers: { "content-type": "audio/mpeg", "song-id": job.id }, body: mediaBytes("tone.mp3") }),
  no(reason, says) {
    const { status, word } = refusals[reason];
    const detail = word === "" ? [{ type: "value_error", loc: ["body"], msg: says }] : { status: word, message: says };
    return { status, body: { detail } };
  },
  envelope: false,
  plain: { queued: "", running: "", done: "", failed: "", cancelled: "" },
  words: {},
  failures: { content: "bad_prompt", internal: "internal_error" },
  tellsProgress: false,
  tellsQueue: false,
  linksExpire: false,
  samples: [
    { kind: "music", model: "music_v1", input: wish },
    {
      kind: "music",
      model: "music_v2",
      input: { mode: "custom", lyrics: "[Verse]\nRain", title: "Rain", tags: "folk", instrumental: false, seed: 7 },
    },
  ],
  models: [{ name: "music_v1", kind: "music", price: "per_call: 0.50" }],
};

function readSong({ query, body }: LabRequest): Intent {
  const reject = (says: string): Intent => ({ do: "reject", says });
  const [prompt, model, length] = [textOf(body, "prompt"), textOf(body, "model_id"), fieldOf(body, "music_length_ms")];
  if (!/^mp3_44100_(32|64|96|128|192)$/.test(query.get("output_format") ?? "")) return reject("output_format is wrong");
  if (prompt === "") return reject("prompt is required");
  if (!["music_v1", "music_v2"].includes(model)) return reject("model_id is wrong");
  if (fieldOf(body, "seed") !== undefined) return reject("seed cannot be used with prompt");
  if (typeof fieldOf(body, "force_instrumental") !== "boolean") return reject("force_instrumental is no boolean");
  if (length !== undefined && !(typeof length === "number" && length >= 3_000 && length <= 600_000))
    return reject("music_length_ms is wrong");
  return { do: "submit", kind: "music", model, prompt };
}
