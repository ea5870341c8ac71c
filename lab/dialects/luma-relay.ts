import type { VideoInput } from "../../src/core/kinds.ts";
import { bearerOf, fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, JobView } from "../dialect.ts";
import { relayNo } from "./relay-family.ts";
import { callbackOf, faultyField, isAddress, isBoolean, isLink, isText, oneOf, optional, reject } from "./body-check.ts";

const checks = {
  user_prompt: isText,
  model_name: oneOf(["ray-v1", "ray-v2"]),
  aspect_ratio: optional(isText),
  duration: optional(oneOf(["5s", "9s"])),
  resolution: optional(oneOf(["540p", "720p", "1080p"])),
  loop: optional(isBoolean),
  expand_prompt: optional(isBoolean),
  image_url: optional(isLink),
  image_end_url: optional(isLink),
  notify_hook: optional(isAddress),
};

const asked: VideoInput = { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } };

/** Relays that offer Luma as its web site does, under /luma. */
export const lumaRelay: Dialect = {
  type: "luma-relay",
  key: bearerOf,
  read({ method, path, body }) {
    const id = /^\/luma\/generations\/([^/]+)$/.exec(path)?.[1];
    if (method === "GET" && id !== undefined) return { do: "poll", ids: [decodeURIComponent(id)], many: false };
    if (method === "POST" && path === "/luma/tasks") return readMany(body);
    if (method === "POST" && /^\/luma\/generations(\/[^/]+\/extend)?$/.test(path)) return readSubmit(body);
    return null;
  },
  accepted: (job) => ({ status: 200, body: generationOf(job) }),
  shown: (jobs, many) => ({ status: 200, body: many ? jobs.map(generationOf) : jobs.map(generationOf)[0] }),
  callback: (job) => ({ headers: { "content-type": "application/json" }, body: JSON.stringify(generationOf(job)) }),
  no: relayNo,
  envelope: false,
  plain: { queued: "pending", running: "processing", done: "completed", failed: "failed", cancelled: "failed" },
  words: {
    pending: { shows: "queued", means: "queued" },
    queued: { shows: "queued", means: "queued" },
    processing: { shows: "running", means: "running" },
    dreaming: { shows: "running", means: "running" },
    completed: { shows: "done", means: "done" },
    failed: { shows: "failed", means: "failed" },
  },
  failures: { content: "moderation failed", internal: "generation failed" },
  tellsProgress: false,
  samples: [
    { kind: "video", model: "ray-v2", input: { ...asked, loop: false, resolution: "720p", extras: { expand_prompt: true } } },
    {
      kind: "video",
      model: "ray-v2",
      input: { ...asked, image: { from: "url", url: "https://pictures.example/a.png" }, lastImage: { from: "data", uri: "data:," } },
    },
    {
      kind: "video",
      model: "ray-v1",
      input: {
        ...asked,
        source: { act: "extend", taskId: "ours", upstreamTaskId: "task-of-the-relay", video: { from: "file", id: "file_1" } },
      },
    },
  ],
  models: [{ name: "ray-v2", kind: "video", price: "per_second: 0.08" }],
};

function readSubmit(body: unknown): Intent {
  const fault = faultyField(body, checks);
  if (fault !== null) return reject(`${fault} is not valid`);
  return {
    do: "submit",
    kind: "video",
    model: textOf(body, "model_name"),
    prompt: textOf(body, "user_prompt"),
    ...callbackOf(body, "notify_hook"),
  };
}

function readMany(body: unknown): Intent {
  const ids = fieldOf(body, "ids");
  return Array.isArray(ids) ? { do: "poll", ids: ids.map(String), many: true } : reject("ids must be a list");
}

function generationOf(job: JobView): object {
  const isDone = job.state === "done";
  // The address to look at is there before the one to load from.
  const look = isDone ? { url: `${job.link("clip.mp4")}&preview=1`, width: 1360, height: 752, thumbnail: job.link("cover.png") } : null;
  return {
    id: job.id,
    prompt: job.prompt,
    state: job.word,
    queue_state: null,
    created_at: new Date(job.submittedAt).toISOString(),
    batch_id: "",
    video: look && { ...look, download_url: job.hasResults ? job.link("clip.mp4") : null },
    video_raw: null,
    liked: null,
    estimate_wait_seconds: null,
    thumbnail: null,
    last_frame: null,
    ...(job.failure !== "" && { failure_reason: job.failure }),
  };
}
