import type { MusicInput } from "../../src/core/kinds.ts";
import { bearerOf, fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, LabRequest, No } from "../dialect.ts";
import { mediaBytes } from "../media.ts";

const codes: Record<No, number> = {
  auth: 1004,
  invalid: 2013,
  quota: 1008,
  rate_limit: 1002,
  content_policy: 1026,
  missing: 2013,
  down: 1000,
};
const wish: MusicInput = { mode: "inspiration", description: "a song about rain", instrumental: false };

/** MiniMax where it makes music: the song is in the answer, in hexadecimal. */
export const minimaxMusic: Dialect = {
  type: "minimax-music",
  instant: true,
  key: bearerOf,
  read: (request) => (request.method === "POST" && request.path === "/v1/music_generation" ? readSong(request) : null),
  accepted: () => ({
    status: 200,
    body: {
      data: { audio: Buffer.from(mediaBytes("tone.mp3")).toString("hex"), status: 2 },
      extra_info: { music_duration: 2_060, music_sample_rate: 44_100, music_channel: 2, bitrate: 256_000 },
      trace_id: "0123",
      base_resp: { status_code: 0, status_msg: "success" },
    },
  }),
  // Its status is 200 whatever happened, as long as its own machines stand.
  no: (reason, says) => ({ status: reason === "down" ? 500 : 200, body: { base_resp: { status_code: codes[reason], status_msg: says } } }),
  envelope: true,
  plain: { queued: "", running: "", done: "", failed: "", cancelled: "" },
  words: {},
  failures: { content: "1026", internal: "1000" },
  tellsProgress: false,
  tellsQueue: false,
  linksExpire: false,
  samples: [
    { kind: "music", model: "music-2.6", input: wish },
    { kind: "music", model: "music-3.0", input: { mode: "custom", lyrics: "[Verse]\nRain", tags: "folk", instrumental: false, seed: 7 } },
    { kind: "music", model: "music-2.6", input: { mode: "custom", tags: "ambient", instrumental: true } },
  ],
  models: [{ name: "music-2.6", kind: "music", price: "per_call: 0.15" }],
};

function readSong({ body }: LabRequest): Intent {
  const reject = (says: string): Intent => ({ do: "reject", says: `invalid params, ${says}` });
  const [model, prompt, lyrics, format] = [
    textOf(body, "model"),
    textOf(body, "prompt"),
    textOf(body, "lyrics"),
    textOf(body, "output_format"),
  ];
  const instrumental = fieldOf(body, "is_instrumental");
  if (!["music-3.0", "music-2.6"].includes(model)) return reject("model");
  if (prompt.length > 2_000 || lyrics.length > 3_500) return reject("too long");
  if (typeof instrumental !== "boolean") return reject("is_instrumental");
  if (!instrumental && lyrics === "" && fieldOf(body, "lyrics_optimizer") !== true) return reject("lyrics");
  if (instrumental && prompt === "") return reject("prompt");
  if (format !== "hex") return reject("output_format");
  if (textOf(fieldOf(body, "audio_setting"), "format") !== "mp3") return reject("audio_setting");
  return { do: "submit", kind: "music", model, prompt: `${prompt} ${lyrics}` };
}
