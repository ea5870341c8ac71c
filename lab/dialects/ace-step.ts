import type { MusicInput } from "../../src/core/kinds.ts";
import { bearerOf, fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, JobView, LabRequest, No } from "../dialect.ts";
import { mediaBytes } from "../media.ts";

const status: Record<No, number> = { auth: 401, invalid: 400, quota: 402, rate_limit: 429, content_policy: 400, missing: 404, down: 500 };
const wish: MusicInput = { mode: "inspiration", description: "lofi, calm", instrumental: true };

/** The API of ACE-Step 1.5, started with a key. */
export const aceStep: Dialect = {
  type: "ace-step",
  key: bearerOf,
  read,
  accepted: ({ id }) => enveloped({ task_id: id, status: "queued", queue_position: 1 }),
  shown: (jobs) => enveloped(jobs.map(taskOf)),
  other: { audio: () => ({ status: 200, headers: { "content-type": "audio/mpeg" }, body: mediaBytes("tone.mp3") }) },
  no: (reason, says) => ({
    status: status[reason],
    body: {
      data: null,
      code: status[reason],
      error: reason === "content_policy" ? `moderation: ${says}` : says,
      timestamp: 0,
      extra: null,
    },
  }),
  envelope: true,
  plain: { queued: "0", running: "0", done: "1", failed: "2", cancelled: "2" },
  words: {
    "0": { shows: "running", means: "running" },
    "1": { shows: "done", means: "done" },
    "2": { shows: "failed", means: "failed" },
  },
  failures: { content: "moderation failure", internal: "CUDA out of memory" },
  tellsProgress: false,
  tellsQueue: false,
  linksExpire: false,
  samples: [
    { kind: "music", model: "acestep-v15-turbo", input: wish },
    {
      kind: "music",
      model: "acestep-v15-turbo",
      input: { mode: "custom", lyrics: "[Verse]\nRain", tags: "folk", instrumental: false, seed: 7 },
    },
  ],
  models: [{ name: "acestep-v15-turbo", kind: "music", price: "per_call: 0.01" }],
};

function read({ method, path, query, body }: LabRequest): Intent | null {
  if (method === "GET" && path === "/v1/audio") {
    const id = /^\/out\/([^/]+)-[01]\.mp3$/.exec(query.get("path") ?? "")?.[1];
    return id === undefined ? { do: "reject", says: "path is wrong" } : { do: "ask", id, as: "audio" };
  }
  if (method !== "POST") return null;
  if (path === "/release_task") return readTask(body);
  return path === "/query_result" ? readQuery(fieldOf(body, "task_id_list")) : null;
}

function readTask(body: unknown): Intent {
  const reject = (says: string): Intent => ({ do: "reject", says });
  const [prompt, lyrics] = [textOf(body, "prompt"), textOf(body, "lyrics")];
  const [seed, length] = [fieldOf(body, "seed"), fieldOf(body, "audio_duration")];
  if (prompt === "" && lyrics === "") return reject("prompt or lyrics must be given");
  if (!["mp3", "wav", "flac"].includes(textOf(body, "audio_format"))) return reject("audio_format is wrong");
  if (textOf(body, "task_type") !== "text2music") return reject("task_type is wrong");
  if (fieldOf(body, "use_random_seed") === false && !Number.isInteger(seed)) return reject("seed is wrong");
  if (length !== undefined && !(typeof length === "number" && length >= 10 && length <= 600)) return reject("audio_duration is wrong");
  return { do: "submit", kind: "music", model: textOf(body, "model"), prompt: `${prompt} ${lyrics}` };
}

// A list, or the text of one.
function readQuery(given: unknown): Intent {
  const list: unknown = typeof given === "string" ? parsed(given) : given;
  if (!Array.isArray(list)) return { do: "reject", says: "task_id_list must be a list" };
  return { do: "poll", ids: list.map(String), many: true };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function enveloped(data: unknown) {
  return { status: 200, body: { data, code: 200, error: null, timestamp: 0, extra: null } };
}

function taskOf(job: JobView): object {
  const ready = job.state === "done" && job.hasResults;
  const { pathname } = new URL(job.baseUrl);
  const songs = [0, 1].map((index) => ({
    file: ready ? `${pathname}/v1/audio?path=${encodeURIComponent(`/out/${job.id}-${index}.mp3`)}` : "",
    status: Number(job.word),
    prompt: job.prompt,
    lyrics: "[Verse]\nIt rains again",
    metas: { bpm: 120, duration: 2.06, genres: "folk, slow" },
    seed_value: "7",
  }));
  return {
    task_id: job.id,
    status: /^\d$/.test(job.word) ? Number(job.word) : job.word,
    result: JSON.stringify(job.failure === "" ? songs : [{ file: "", status: 2, error: job.failure }]),
  };
}
