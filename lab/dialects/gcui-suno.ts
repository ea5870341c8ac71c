import type { MusicInput } from "../../src/core/kinds.ts";
import { fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, JobView, LabRequest, No } from "../dialect.ts";

// It calls itself every other failure's fault: whatever Suno said becomes 500.
const status: Record<No, number> = { auth: 401, invalid: 400, quota: 402, rate_limit: 429, content_policy: 400, missing: 200, down: 500 };

const wish: MusicInput = { mode: "inspiration", description: "a song about rain", instrumental: false };

/** A self-hosted gcui-art/suno-api: songs are asked for by their own ids, and there are no tasks. */
export const gcuiSuno: Dialect = {
  type: "gcui-suno",
  key: () => "",
  keyless: true,
  read,
  instant: ["lyrics"],
  accepted: (job) => ({
    status: 200,
    body: job.kind === "lyrics" ? { title: "Rain again", text: "[Verse]\nIt rains again", status: "complete" } : clipsOf(job),
  }),
  shown: ([job]) => ({ status: 200, body: job ? clipsOf(job) : [] }),
  no: (reason, says) => ({
    status: status[reason],
    body: reason === "missing" ? [] : { error: reason === "content_policy" ? `Song description flagged for moderation. ${says}` : says },
  }),
  envelope: false,
  plain: { queued: "submitted", running: "streaming", done: "complete", failed: "error", cancelled: "error" },
  words: {
    submitted: { shows: "queued", means: "queued" },
    queued: { shows: "queued", means: "queued" },
    streaming: { shows: "running", means: "running" },
    complete: { shows: "done", means: "done" },
    error: { shows: "failed", means: "failed" },
  },
  failures: { content: "moderation failure", internal: "generation failed" },
  tellsProgress: false,
  samples: [
    { kind: "music", model: "chirp-v3-5", input: wish },
    {
      kind: "music",
      model: "chirp-v4",
      input: {
        mode: "custom",
        lyrics: "[Verse]\nRain",
        title: "Rain",
        tags: "folk",
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
          songIndex: 0,
          upstreamTaskId: "a,b",
          upstreamSongId: "a",
          atSeconds: 61.5,
          direction: "after",
          song: { title: "Rain", tags: "folk", lyrics: "", durationSeconds: 120, seed: null },
        },
      },
    },
    { kind: "lyrics", model: "lyrics", input: { prompt: "rain" } },
  ],
  models: [{ name: "chirp-gcui", kind: "music", price: "per_call: 0.05" }],
};

function read({ method, path, query, body }: LabRequest): Intent | null {
  if (method === "GET" && path === "/api/get") {
    const [first = ""] = (query.get("ids") ?? "").split(",");
    return { do: "poll", ids: [first.replace(/-[01]$/, "")], many: false };
  }
  if (method !== "POST") return null;
  if (path === "/api/generate") return readSong(body, [textOf(body, "prompt")], true);
  if (path === "/api/custom_generate") return readSong(body, [textOf(body, "prompt"), textOf(body, "tags"), textOf(body, "title")], true);
  if (path === "/api/extend_audio") {
    if (textOf(body, "audio_id") === "") return { do: "reject", says: "Audio ID is required" };
    return readSong(body, [textOf(body, "prompt"), textOf(body, "audio_id")], false);
  }
  if (path !== "/api/generate_lyrics") return null;
  if (textOf(body, "prompt") === "") return { do: "reject", says: "Prompt is required" };
  return { do: "submit", kind: "lyrics", model: "lyrics", prompt: textOf(body, "prompt") };
}

function readSong(body: unknown, words: string[], mayBeInstrumental: boolean): Intent {
  const prompt = words.find((text) => text !== "");
  if (prompt === undefined) return { do: "reject", says: "Prompt is required" };
  if (fieldOf(body, "wait_audio") !== false) return { do: "reject", says: "the lab does not wait for audio" };
  if (mayBeInstrumental && typeof fieldOf(body, "make_instrumental") !== "boolean")
    return { do: "reject", says: "make_instrumental is no boolean" };
  return { do: "submit", kind: "music", model: textOf(body, "model") || "chirp-v3-5", prompt };
}

function clipsOf(job: JobView): object[] {
  const ready = job.state === "done" && job.hasResults;
  return [0, 1].map((index) => ({
    id: `${job.id}-${index}`,
    title: "Rain again",
    image_url: job.link("cover.png"),
    lyric: "[Verse]\nIt rains again",
    audio_url: ready ? job.link("tone.mp3") : job.state === "running" ? `${job.link("tone.mp3")}&part=1` : "",
    video_url: ready ? job.link("clip.mp4") : "",
    created_at: new Date(job.submittedAt).toISOString(),
    model_name: job.model,
    gpt_description_prompt: job.prompt,
    prompt: "[Verse]\nIt rains again",
    status: job.state === "done" && !ready ? "streaming" : job.word,
    type: "gen",
    tags: "folk, slow",
    negative_tags: "",
    duration: ready ? "2.06" : "",
    error_message: job.failure,
  }));
}
