import type { MusicInput } from "../../src/core/kinds.ts";
import { bearerOf, fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, JobView } from "../dialect.ts";
import { relayNo, relayStates } from "./relay-family.ts";

const clipWords = { queued: "queued", running: "streaming", done: "complete", failed: "error", cancelled: "error" };
const wish: MusicInput = { mode: "inspiration", description: "a song about rain", instrumental: false };

/** The relays of Suno-API's and new-api's family: tasks under /suno, two songs each. */
export const sunoRelay: Dialect = {
  type: "suno-relay",
  key: bearerOf,
  read({ method, path, body }) {
    const id = /^\/suno\/fetch\/([^/]+)$/.exec(path)?.[1];
    if (method === "GET" && id !== undefined) return { do: "poll", ids: [decodeURIComponent(id)], many: false };
    if (method === "POST" && /^\/suno(\/submit)?\/fetch$/.test(path)) return readMany(body);
    if (method === "POST" && path === "/suno/submit/music") return readMusic(body);
    if (method === "POST" && path === "/suno/submit/lyrics") {
      const prompt = textOf(body, "prompt");
      if (prompt === "") return { do: "reject", says: "prompt is empty" };
      return { do: "submit", kind: "lyrics", model: "lyrics", prompt, ...hookOf(body) };
    }
    return null;
  },
  accepted: ({ id }) => ({ status: 200, body: { code: "success", message: "", data: id } }),
  shown: (jobs, many) => {
    const tasks = jobs.map(taskOf);
    return { status: 200, body: { code: "success", message: "", data: many ? tasks : tasks[0] } };
  },
  callback: (job) => ({ headers: {}, body: JSON.stringify(taskOf(job)) }),
  no: relayNo,
  envelope: true,
  ...relayStates,
  failures: { content: "moderation failure", internal: "generation failed" },
  samples: [
    { kind: "music", model: "chirp-v4", results: 2, input: wish },
    {
      kind: "music",
      model: "chirp-v4",
      input: {
        mode: "custom",
        lyrics: "[Verse]\nRain",
        title: "Rain",
        tags: "folk, slow",
        instrumental: false,
        extras: { negative_tags: "metal" },
      },
    },
    {
      kind: "music",
      model: "chirp-v4",
      input: {
        mode: "continuation",
        lyrics: "[Bridge]\nSun",
        instrumental: false,
        continues: {
          taskId: "0",
          songId: "s",
          songIndex: 1,
          upstreamTaskId: "task-of-the-relay",
          upstreamSongId: "clip-of-the-relay",
          atSeconds: 61.5,
          direction: "after",
          song: { title: "Rain", tags: "folk", lyrics: "", durationSeconds: 120, seed: null },
        },
      },
    },
    { kind: "lyrics", model: "lyrics", input: { prompt: "rain" } },
  ],
  models: [
    { name: "chirp-*", kind: "music", price: "per_call: 0.10" },
    { name: "lyrics", kind: "lyrics", price: "per_call: 0.01" },
  ],
};

function readMusic(body: unknown): Intent {
  const prompt = ["gpt_description_prompt", "prompt", "tags", "title"].map((name) => textOf(body, name)).find((text) => text !== "");
  if (prompt === undefined) return { do: "reject", says: "prompt is empty" };
  if (textOf(body, "continue_clip_id") !== "" && textOf(body, "task_id") === "") return { do: "reject", says: "task_id is empty" };
  if (typeof fieldOf(body, "make_instrumental") !== "boolean") return { do: "reject", says: "make_instrumental is no boolean" };
  return { do: "submit", kind: "music", model: textOf(body, "mv") || "chirp-v3-0", prompt, ...hookOf(body) };
}

function hookOf(body: unknown): { callback?: { url: string } } {
  const url = textOf(body, "notify_hook");
  return url === "" ? {} : { callback: { url } };
}

function readMany(body: unknown): Intent {
  const ids = fieldOf(body, "ids");
  if (!Array.isArray(ids) || ids.length > 100) return { do: "reject", says: "ids must be a list of at most 100" };
  return { do: "poll", ids: ids.map(String), many: true };
}

function taskOf(job: JobView): object {
  const ended = job.state === "done" || job.state === "failed";
  return {
    task_id: job.id,
    action: job.kind === "music" ? "MUSIC" : "LYRICS",
    status: job.word,
    fail_reason: job.failure,
    submit_time: seconds(job.submittedAt),
    start_time: job.state === "queued" ? 0 : seconds(job.startedAt),
    finish_time: ended ? seconds(job.finishedAt) : 0,
    progress: `${Math.floor(job.progress * 100)}%`,
    data: job.kind === "music" ? [clipOf(job, 0), clipOf(job, 1)] : lyricsOf(job),
  };
}

function lyricsOf(job: JobView): object | null {
  if (job.state !== "done" || !job.hasResults) return null;
  return {
    id: job.id,
    status: "complete",
    title: "Rain again",
    text: "[Verse]\nIt rains again\n[Chorus]\nRain, rain",
    tags: ["folk", "slow"],
  };
}

function clipOf(job: JobView, index: number): object {
  const complete = job.state === "done" && job.hasResults;
  const link = (file: string) => (complete ? job.link(file) : "");
  return {
    id: `${job.id.slice(0, -1)}${index}`,
    title: "Rain again",
    handle: "lab",
    status: complete ? "complete" : job.state === "done" ? "streaming" : clipWords[job.state],
    user_id: "lab",
    is_liked: false,
    metadata: {
      tags: "folk, slow",
      type: "gen",
      prompt: "[Verse]\nIt rains again",
      stream: true,
      duration: complete ? 2.06 : null,
      refund_credits: false,
      history: null,
      error_type: null,
      error_message: job.failure || null,
      concat_history: null,
      audio_prompt_id: null,
      gpt_description_prompt: null,
    },
    reaction: null,
    // A song that streams can be heard already, at an address that is not the finished file's.
    audio_url: job.state === "running" || job.state === "done" ? `${job.link("tone.mp3")}${complete ? "" : "&part=1"}` : "",
    image_url: link("cover.png"),
    video_url: link("clip.mp4"),
    image_large_url: link("cover.png"),
    is_public: false,
    created_at: new Date(job.submittedAt).toISOString(),
    is_trashed: false,
    model_name: job.model,
    major_model_version: "v4",
    play_count: 0,
    upvote_count: 0,
    display_name: "lab",
    is_video_pending: !complete,
    is_handle_updated: false,
  };
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
