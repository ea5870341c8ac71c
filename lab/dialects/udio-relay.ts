import type { MusicInput, SongSource } from "../../src/core/kinds.ts";
import { bearerOf, fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, JobView } from "../dialect.ts";
import { relayNo, relayStates } from "./relay-family.ts";

const strengths = ["song_section_start", "prompt_strength", "clarity_strength", "lyrics_strength", "generation_quality"];
const wish: MusicInput = { mode: "inspiration", description: "lofi, calm", tags: "lofi, calm", instrumental: false };
const source: SongSource = {
  taskId: "0",
  songId: "s",
  songIndex: 0,
  upstreamTaskId: "task-there",
  upstreamSongId: "song-there",
  atSeconds: 32,
  direction: "before",
  song: { title: "Rain", tags: "folk", lyrics: "", durationSeconds: 32, seed: null },
};

/** Relays of the Udio family: tasks under /udio, two songs each. */
export const udioRelay: Dialect = {
  type: "udio-relay",
  key: bearerOf,
  read({ method, path, body }) {
    const id = /^\/udio\/fetch\/([^/]+)$/.exec(path)?.[1];
    if (method === "GET" && id !== undefined) return { do: "poll", ids: [decodeURIComponent(id)], many: false };
    return method === "POST" && path === "/udio/submit/music" ? readMusic(fieldOf(body, "gen_params")) : null;
  },
  accepted: ({ id }) => ({ status: 200, body: { code: "success", message: "", data: id } }),
  shown: ([job]) => ({ status: 200, body: { code: "success", message: "", data: job ? taskOf(job) : null } }),
  no: relayNo,
  envelope: true,
  ...relayStates,
  failures: { content: "MODERATION failure", internal: "generation failed" },
  samples: [
    { kind: "music", model: "udio32-v1.5", input: wish },
    {
      kind: "music",
      model: "udio130-v1.5",
      input: {
        mode: "custom",
        lyrics: "[Verse]\nRain",
        tags: "folk",
        instrumental: false,
        seed: 7,
        extras: { prompt_strength: 0.5, negative_prompt: "metal", bypass_prompt_optimization: true },
      },
    },
    {
      kind: "music",
      model: "udio32-v1.5",
      input: { mode: "continuation", description: "lofi", tags: "lofi", instrumental: true, continues: source },
    },
    {
      kind: "music",
      model: "udio32-v1.5",
      input: { mode: "continuation", lyrics: "[Bridge]", tags: "lofi", instrumental: false, continues: { ...source, direction: "after" } },
    },
  ],
  models: [{ name: "udio*", kind: "music", price: "per_call: 0.10" }],
};

function readMusic(params: unknown): Intent {
  const reject = (says: string): Intent => ({ do: "reject", says });
  const [prompt, lyrics, type] = [textOf(params, "prompt"), textOf(params, "lyrics"), textOf(params, "lyrics_type")];
  if (prompt === "" && lyrics === "") return reject("prompt is empty");
  if (!["user", "generate", "instrumental"].includes(type)) return reject("lyrics_type is wrong");
  if (type === "user" && lyrics === "") return reject("lyrics are empty");
  if (!Number.isInteger(fieldOf(params, "seed"))) return reject("seed is no whole number");
  if (!textOf(params, "model_type").startsWith("udio")) return reject("model_type is wrong");
  for (const name of strengths) {
    const value = fieldOf(params, name);
    if (value !== undefined && !(typeof value === "number" && value >= 0 && value <= 1)) return reject(`${name} must be 0 to 1`);
  }
  const config = fieldOf(params, "config");
  const mode = textOf(config, "mode");
  if (!["regular", "continuation", "precede"].includes(mode)) return reject("config.mode is wrong");
  if (mode !== "regular" && textOf(fieldOf(config, "source"), "song_id") === "") return reject("config.source.song_id is empty");
  return { do: "submit", kind: "music", model: textOf(params, "model_type"), prompt: `${prompt} ${lyrics}`, note: { mode } };
}

function taskOf(job: JobView): object {
  const seconds = (ms: number) => Math.floor(ms / 1_000);
  return {
    task_id: job.id,
    action: "udio-generate",
    status: job.word,
    fail_reason: job.failure,
    submit_time: seconds(job.submittedAt),
    start_time: job.state === "queued" ? 0 : seconds(job.startedAt),
    finish_time: job.state === "done" || job.state === "failed" ? seconds(job.finishedAt) : 0,
    progress: `${Math.floor(job.progress * 100)}%`,
    data: { songs: [songOf(job, 0), songOf(job, 1)] },
  };
}

function songOf(job: JobView, index: number): object {
  const finished = job.state === "done" && job.hasResults;
  const link = (file: string) => (finished ? job.link(file) : "");
  return {
    id: `${job.id}-${index}`,
    tags: ["folk", "slow"],
    title: "Rain again",
    lyrics: "[Verse]\nIt rains again",
    prompt: job.prompt,
    duration: finished ? 2.06 : 0,
    finished,
    song_path: link("tone.mp3"),
    image_path: link("cover.png"),
    video_path: link("clip.mp4"),
    generation_id: job.id,
    created_at: new Date(job.submittedAt).toISOString(),
    attribution: null,
    error_code: null,
    error_type: job.state === "failed" ? "MODERATION" : null,
    error_detail: job.failure || null,
  };
}
