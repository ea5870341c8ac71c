import { createHmac } from "node:crypto";
import type { MusicInput, SongSource } from "../../src/core/kinds.ts";
import { bearerOf, fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, JobView, LabCallback, LabRequest, No } from "../dialect.ts";

const models = ["V3_5", "V4", "V4_5", "V4_5PLUS", "V4_5ALL", "V5", "V5_5"];
const short = ["V3_5", "V4"];

type House = Pick<Dialect, "type" | "webhookSecret"> & {
  /** The model that its configuration names. */
  offers: string;
  codes: Record<No, number>;
  sign(body: string, taskId: string, nowMs: number): LabCallback;
};

const wish: MusicInput = { mode: "inspiration", description: "a song about rain", instrumental: false };
const source: SongSource = {
  taskId: "0",
  songId: "s",
  songIndex: 1,
  upstreamTaskId: "task-there",
  upstreamSongId: "song-there",
  atSeconds: 61.5,
  direction: "after",
  song: { title: "Rain", tags: "folk", lyrics: "", durationSeconds: 120, seed: null },
};

function dialectOf({ type, codes, sign, offers, ...rest }: House): Dialect {
  return {
    ...rest,
    type,
    key: bearerOf,
    read,
    accepted: ({ id }) => ({ status: 200, body: { code: 200, msg: "success", data: { taskId: id } } }),
    shown: ([job]) => ({ status: 200, body: { code: 200, msg: "success", data: job ? recordOf(job) : null } }),
    callback: (job, { nowMs }) => sign(JSON.stringify(messageOf(job)), job.id, nowMs),
    // The real status is 200 whatever happened; what went wrong is in the body.
    no: (reason, says) => ({
      status: reason === "down" ? 500 : 200,
      body: { code: codes[reason], msg: reason === "content_policy" ? `The prompt contains sensitive words. ${says}` : says, data: null },
    }),
    envelope: true,
    plain: {
      queued: "PENDING",
      running: "TEXT_SUCCESS",
      done: "SUCCESS",
      failed: "GENERATE_AUDIO_FAILED",
      cancelled: "CREATE_TASK_FAILED",
    },
    words: {
      PENDING: { shows: "queued", means: "queued" },
      TEXT_SUCCESS: { shows: "running", means: "running" },
      FIRST_SUCCESS: { shows: "running", means: "running" },
      SUCCESS: { shows: "done", means: "done" },
      CALLBACK_EXCEPTION: { shows: "done", means: "done" },
      CREATE_TASK_FAILED: { shows: "failed", means: "failed" },
      GENERATE_AUDIO_FAILED: { shows: "failed", means: "failed" },
      GENERATE_LYRICS_FAILED: { shows: "failed", means: "failed" },
      SENSITIVE_WORD_ERROR: { shows: "failed", means: "failed" },
    },
    failures: { content: "The lyrics contain copyrighted material", internal: "Music generation failed" },
    tellsProgress: false,
    samples: [
      { kind: "music", model: "V4_5", input: wish },
      {
        kind: "music",
        model: "V5",
        input: {
          mode: "custom",
          lyrics: "[Verse]\nRain",
          title: "Rain",
          tags: "folk",
          instrumental: false,
          extras: { negative_tags: "metal" },
        },
      },
      { kind: "music", model: "V4", input: { mode: "custom", tags: "ambient", instrumental: true } },
      { kind: "music", model: "V4_5", input: { mode: "continuation", lyrics: "[Bridge]\nSun", instrumental: false, continues: source } },
      { kind: "lyrics", model: "lyrics", input: { prompt: "rain" } },
    ],
    models: [{ name: offers, kind: "music", price: "per_call: 0.10" }],
  };
}

/** Suno as sunoapi.org offers it. */
export const sunoApi = dialectOf({
  type: "sunoapi",
  offers: "V4_5",
  codes: { auth: 401, invalid: 400, quota: 429, rate_limit: 430, content_policy: 400, missing: 404, down: 500 },
  sign: (body) => ({ headers: { "content-type": "application/json" }, body }),
});

/** Suno as kie.ai offers it: the same wire, other codes, and messages whose task and time are signed. */
export const kie = dialectOf({
  type: "kie",
  offers: "V5",
  webhookSecret: "lab-kie-hmac-key",
  codes: { auth: 401, invalid: 422, quota: 402, rate_limit: 429, content_policy: 400, missing: 404, down: 500 },
  sign(body, taskId, nowMs) {
    const time = String(Math.floor(nowMs / 1_000));
    const signature = createHmac("sha256", "lab-kie-hmac-key").update(`${taskId}.${time}`).digest("base64");
    return { headers: { "content-type": "application/json", "x-webhook-timestamp": time, "x-webhook-signature": signature }, body };
  },
});

function read({ method, path, query, body }: LabRequest): Intent | null {
  if (method === "GET" && /^\/api\/v1\/(generate|lyrics)\/record-info$/.test(path))
    return { do: "poll", ids: [query.get("taskId") ?? ""], many: false };
  if (method !== "POST") return null;
  if (path === "/api/v1/lyrics") return readLyrics(body);
  if (path === "/api/v1/generate") return readSong(body);
  if (path === "/api/v1/generate/extend") return readExtension(body);
  return null;
}

function readLyrics(body: unknown): Intent {
  const prompt = textOf(body, "prompt");
  if (prompt === "") return { do: "reject", says: "prompt is required" };
  return withCallback(body, { do: "submit", kind: "lyrics", model: "lyrics", prompt });
}

function readSong(body: unknown): Intent {
  const [model, prompt, style, title] = [textOf(body, "model"), textOf(body, "prompt"), textOf(body, "style"), textOf(body, "title")];
  const [custom, instrumental] = [fieldOf(body, "customMode"), fieldOf(body, "instrumental")];
  const reject = (says: string): Intent => ({ do: "reject", says });
  if (typeof custom !== "boolean" || typeof instrumental !== "boolean") return reject("customMode and instrumental are required");
  const limits = sizesOf(model);
  if (limits === null) return reject("model is wrong");
  if (!custom && (prompt === "" || prompt.length > 500)) return reject("prompt must have 1 to 500 characters");
  if (custom && (style === "" || title === "")) return reject("style and title are required");
  if (custom && !instrumental && prompt === "") return reject("prompt is required");
  if (prompt.length > limits.prompt || style.length > limits.style || title.length > limits.title) return reject("a text is too long");
  return withCallback(body, { do: "submit", kind: "music", model, prompt: prompt || style });
}

function readExtension(body: unknown): Intent {
  const [model, prompt, style, title, audioId] = [
    textOf(body, "model"),
    textOf(body, "prompt"),
    textOf(body, "style"),
    textOf(body, "title"),
    textOf(body, "audioId"),
  ];
  const [own, at] = [fieldOf(body, "defaultParamFlag"), fieldOf(body, "continueAt")];
  const reject = (says: string): Intent => ({ do: "reject", says });
  if (typeof own !== "boolean" || audioId === "") return reject("defaultParamFlag and audioId are required");
  if (sizesOf(model) === null) return reject("model is wrong");
  if (own && (prompt === "" || style === "" || title === "")) return reject("prompt, style and title are required");
  if (own && !(typeof at === "number" && at > 0)) return reject("continueAt is required");
  return withCallback(body, { do: "submit", kind: "music", model, prompt: prompt || audioId });
}

function sizesOf(model: string): { prompt: number; style: number; title: number } | null {
  if (!models.includes(model)) return null;
  return short.includes(model) ? { prompt: 3_000, style: 200, title: 80 } : { prompt: 5_000, style: 1_000, title: 100 };
}

function withCallback(body: unknown, intent: Extract<Intent, { do: "submit" }>): Intent {
  const url = textOf(body, "callBackUrl");
  if (!/^https?:\/\//.test(url)) return { do: "reject", says: "callBackUrl is required" };
  return new URL(url).hostname.endsWith(".invalid") ? intent : { ...intent, callback: { url } };
}

function recordOf(job: JobView): object {
  const failed = job.state === "failed" || job.state === "cancelled";
  return {
    taskId: job.id,
    parentMusicId: "",
    param: JSON.stringify({ prompt: job.prompt, model: job.model }),
    response: { taskId: job.id, ...(job.kind === "music" ? { sunoData: songsOf(job) } : { data: lyricsOf(job) }) },
    status: job.word,
    type: job.kind === "music" ? "GENERATE" : "LYRICS",
    errorCode: failed ? (/copyright/.test(job.failure) ? 400 : 500) : null,
    errorMessage: failed ? job.failure : null,
  };
}

function songsOf(job: JobView): object[] {
  if (job.state === "queued" || job.state === "failed") return [];
  return [0, 1].map((index) => ({
    id: `${job.id}-${index}`,
    // A song that is still being made can be heard, but has no file of its own.
    audioUrl: job.state === "done" && job.hasResults ? job.link("tone.mp3") : "",
    streamAudioUrl: job.link("tone.mp3"),
    imageUrl: job.link("cover.png"),
    prompt: "[Verse]\nIt rains again",
    modelName: "chirp-auk",
    title: "Rain again",
    tags: "folk, slow",
    createTime: job.startedAt,
    duration: 2.06,
  }));
}

function lyricsOf(job: JobView): object[] {
  if (job.state !== "done" || !job.hasResults) return [];
  return [0, 1].map((index) => ({
    text: `[Verse]\nIt rains again, take ${index}`,
    title: "Rain again",
    status: "complete",
    errorMessage: "",
  }));
}

// Here names have underscores, unlike in the record that a poll shows.
function messageOf(job: JobView): object {
  const done = job.state === "done";
  const songs =
    done && job.kind === "music"
      ? [0, 1].map((index) => ({ id: `${job.id}-${index}`, audio_url: job.link("tone.mp3"), title: "Rain again" }))
      : [];
  return {
    code: done ? 200 : 501,
    msg: done ? "All generated successfully." : job.failure || "working",
    data: { callbackType: done ? "complete" : job.state === "running" ? "text" : "error", task_id: job.id, data: songs },
  };
}
