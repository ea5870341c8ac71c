import type { VideoInput } from "../../src/core/kinds.ts";
import { bearerOf, fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, JobView, No } from "../dialect.ts";
import {
  callbackOf,
  faultyField,
  isAddress,
  isBoolean,
  isLink,
  isListOf,
  isObject,
  isShort,
  oneOf,
  optional,
  reject,
} from "./body-check.ts";

const codes: Record<No, number> = {
  auth: 1004,
  invalid: 2013,
  quota: 1008,
  rate_limit: 1002,
  content_policy: 1026,
  missing: 2013,
  down: 1000,
};
const words: Record<JobView["state"], string> = {
  queued: "processing",
  running: "processing",
  done: "success",
  failed: "failed",
  cancelled: "failed",
};

const checks = {
  model: oneOf(["MiniMax-Hailuo-2.3", "MiniMax-Hailuo-2.3-Fast", "MiniMax-Hailuo-02", "T2V-01", "I2V-01", "S2V-01"]),
  prompt: optional(isShort(2_000)),
  first_frame_image: optional(isLink),
  last_frame_image: optional(isLink),
  subject_reference: optional(isListOf(isObject({ type: oneOf(["character"]), image: isListOf(isLink) }))),
  duration: oneOf([6, 10]),
  prompt_optimizer: optional(isBoolean),
  callback_url: optional(isAddress),
};

const asked: VideoInput = { prompt: "waves", durationSeconds: 6, aspectRatio: { width: 16, height: 9 } };
const picture = { from: "url", url: "https://pictures.example/a.png" } as const;

/** MiniMax's first API of videos: a result is a file that is asked for by itself. */
export const minimaxV1: Dialect = {
  type: "minimax-v1",
  key: bearerOf,
  read({ method, path, query, body }) {
    if (method === "POST" && path === "/v1/video_generation") return readSubmit(body);
    if (method === "GET" && path === "/v1/query/video_generation") return { do: "poll", ids: [query.get("task_id") ?? ""], many: false };
    if (method === "GET" && path === "/v1/files/retrieve")
      return { do: "ask", id: (query.get("file_id") ?? "").replace(/^file_/, ""), as: "file" };
    return null;
  },
  accepted: ({ id }) => ({ status: 200, body: { task_id: id, base_resp: fine } }),
  shown: ([job]) => ({ status: 200, body: job && recordOf(job, job.word) }),
  other: {
    file: (job) => ({
      status: 200,
      body: {
        file: {
          file_id: `file_${job.id}`,
          bytes: 9_741,
          filename: "output.mp4",
          purpose: "video_generation",
          download_url: job.link("clip.mp4"),
        },
        base_resp: fine,
      },
    }),
  },
  challenge({ id }) {
    return { headers: { "content-type": "application/json" }, body: JSON.stringify({ challenge: id }), wants: id };
  },
  callback: (job) => ({ headers: { "content-type": "application/json" }, body: JSON.stringify(recordOf(job, words[job.state])) }),
  // Almost every no comes with HTTP 200.
  no: (reason, says) => ({ status: reason === "down" ? 500 : 200, body: { base_resp: { status_code: codes[reason], status_msg: says } } }),
  envelope: true,
  plain: { queued: "Queueing", running: "Processing", done: "Success", failed: "Fail", cancelled: "Fail" },
  words: {
    Preparing: { shows: "queued", means: "queued" },
    Queueing: { shows: "queued", means: "queued" },
    Processing: { shows: "running", means: "running" },
    Success: { shows: "done", means: "done" },
    Fail: { shows: "failed", means: "failed" },
  },
  failures: { content: "output new_sensitive", internal: "generation failed" },
  tellsProgress: false,
  samples: [
    { kind: "video", model: "MiniMax-Hailuo-2.3", input: { ...asked, resolution: "768p" } },
    {
      kind: "video",
      model: "MiniMax-Hailuo-02",
      input: { ...asked, durationSeconds: 10, resolution: "768p", image: picture, lastImage: { from: "data", uri: "data:," } },
    },
    { kind: "video", model: "MiniMax-Hailuo-02", input: { ...asked, image: picture, resolution: "512p" } },
    { kind: "video", model: "S2V-01", input: { ...asked, image: picture, resolution: "720p" } },
  ],
  models: [{ name: "MiniMax-Hailuo-2.3", kind: "video", price: "per_second: 0.05" }],
};

const fine = { status_code: 0, status_msg: "success" };

function linesOf(body: unknown): readonly string[] {
  if (!textOf(body, "model").startsWith("MiniMax-Hailuo")) return ["720P"];
  if (fieldOf(body, "duration") === 10) return ["768P"];
  const hasSmall = textOf(body, "model") === "MiniMax-Hailuo-02" && textOf(body, "first_frame_image") !== "";
  return [...(hasSmall ? ["512P"] : []), "768P", "1080P"];
}

function readSubmit(body: unknown): Intent {
  const fault = faultyField(body, { ...checks, resolution: optional(oneOf(linesOf(body))) });
  if (fault !== null) return reject(`invalid params, ${fault}`);
  const model = textOf(body, "model");
  if (model === "S2V-01" && Reflect.get(Object(body), "subject_reference") === undefined)
    return reject("invalid params, subject_reference");
  return { do: "submit", kind: "video", model, prompt: textOf(body, "prompt"), ...callbackOf(body, "callback_url") };
}

function recordOf(job: JobView, status: string): object {
  const isDone = job.state === "done" && job.hasResults;
  const isSensitive = job.failure === minimaxV1.failures.content;
  return {
    task_id: job.id,
    status,
    file_id: isDone ? `file_${job.id}` : "",
    ...(isDone && { video_width: 1366, video_height: 768 }),
    base_resp: job.failure === "" ? fine : { status_code: isSensitive ? 1027 : 0, status_msg: job.failure },
  };
}
