import type { MusicInput } from "../../src/core/kinds.ts";
import { fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, JobView, No } from "../dialect.ts";

const codes: Record<No, number> = { auth: 401, invalid: 400, quota: 402, rate_limit: 429, content_policy: 400, missing: 404, down: 500 };
const wish: MusicInput = { mode: "inspiration", description: "lofi, calm", instrumental: true };

/** PiAPI's tasks, as far as they make songs. */
export const piapi: Dialect = {
  type: "piapi",
  key: ({ headers }) => {
    const key = headers["x-api-key"];
    return typeof key === "string" ? key : null;
  },
  read({ method, path, body }) {
    const id = /^\/api\/v1\/task\/([^/]+)$/.exec(path)?.[1];
    if (method === "GET" && id !== undefined) return { do: "poll", ids: [decodeURIComponent(id)], many: false };
    return method === "POST" && path === "/api/v1/task" ? readTask(body) : null;
  },
  accepted: (job) => ({ status: 200, body: { code: 200, data: taskOf(job), message: "success" } }),
  shown: ([job]) => ({ status: 200, body: { code: 200, data: job ? taskOf(job) : null, message: "success" } }),
  callback: (job, { secret = "" }) => ({
    headers: { "content-type": "application/json", "x-webhook-secret": secret },
    body: JSON.stringify({ timestamp: Math.floor(job.finishedAt / 1_000), data: taskOf(job) }),
  }),
  no(reason, says) {
    const message = reason === "content_policy" ? `Prompt failed moderation: ${says}` : says;
    return {
      status: codes[reason],
      body: { code: codes[reason], message, data: { error: { code: 0, raw_message: "", message: "", detail: null } } },
    };
  },
  envelope: true,
  plain: { queued: "pending", running: "processing", done: "completed", failed: "failed", cancelled: "failed" },
  words: {
    Pending: { shows: "queued", means: "queued" },
    pending: { shows: "queued", means: "queued" },
    staged: { shows: "queued", means: "queued" },
    processing: { shows: "running", means: "running" },
    completed: { shows: "done", means: "done" },
    failed: { shows: "failed", means: "failed" },
  },
  failures: { content: "moderation failure", internal: "task failed" },
  tellsProgress: false,
  samples: [
    { kind: "music", model: "music-u", input: wish },
    {
      kind: "music",
      model: "music-u",
      input: { mode: "custom", lyrics: "[Verse]\nRain", tags: "folk", instrumental: false, seed: 7, extras: { negative_tags: "metal" } },
    },
  ],
  models: [{ name: "music-u", kind: "music", price: "per_call: 0.05" }],
};

function readTask(body: unknown): Intent {
  const input = fieldOf(body, "input");
  const [description, lyrics, type] = [textOf(input, "gpt_description_prompt"), textOf(input, "lyrics"), textOf(input, "lyrics_type")];
  const reject = (says: string): Intent => ({ do: "reject", says });
  if (textOf(body, "model") !== "music-u") return reject("invalid model");
  if (textOf(body, "task_type") !== "generate_music") return reject("invalid task_type");
  if (!["user", "generate", "instrumental"].includes(type)) return reject("invalid lyrics_type");
  if (type === "user" ? lyrics === "" : description === "") return reject("prompt is empty");
  if (!Number.isInteger(fieldOf(input, "seed"))) return reject("invalid seed");
  const hook = fieldOf(fieldOf(body, "config"), "webhook_config");
  const [url, secret] = [textOf(hook, "endpoint"), textOf(hook, "secret")];
  if (hook !== undefined && url === "") return reject("invalid webhook_config");
  return {
    do: "submit",
    kind: "music",
    model: "music-u",
    prompt: `${description} ${lyrics}`,
    ...(url !== "" && { callback: { url, ...(secret !== "" && { secret }) } }),
  };
}

function taskOf(job: JobView): object {
  const ready = job.state === "done" && job.hasResults;
  return {
    task_id: job.id,
    model: job.model,
    task_type: "generate_music",
    status: job.word,
    input: {},
    output: ready ? { generation_id: job.id, songs: [songOf(job, 0), songOf(job, 1)] } : { songs: [] },
    meta: {
      created_at: new Date(job.submittedAt).toISOString(),
      started_at: job.state === "queued" ? "0001-01-01T00:00:00Z" : new Date(job.startedAt).toISOString(),
      ended_at: job.state === "done" ? new Date(job.finishedAt).toISOString() : "0001-01-01T00:00:00Z",
      usage: { type: "point", frozen: 0, consume: 0 },
    },
    error: { code: job.failure === "" ? 0 : 10_000, raw_message: job.failure, message: job.failure && "task failed", detail: null },
  };
}

function songOf(job: JobView, index: number): object {
  return {
    id: `${job.id}-${index}`,
    title: "Rain again",
    image_path: job.link("cover.png"),
    lyrics: "[Verse]\nIt rains again",
    duration: 2.06,
    finished: true,
    song_path: job.link("tone.mp3"),
    tags: ["folk", "slow"],
    error_type: null,
  };
}
