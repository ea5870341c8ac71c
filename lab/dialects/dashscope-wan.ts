import type { VideoInput } from "../../src/core/kinds.ts";
import { bearerOf, fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, LabRequest, No } from "../dialect.ts";
import { faultyField, isBetween, isBoolean, isLink, isListOf, isObject, isText, oneOf, optional, reject } from "./body-check.ts";
import type { FieldCheck } from "./body-check.ts";

const refusals: Record<No, { status: number; code: string }> = {
  auth: { status: 401, code: "InvalidApiKey" },
  invalid: { status: 400, code: "InvalidParameter" },
  quota: { status: 400, code: "Arrearage" },
  rate_limit: { status: 429, code: "Throttling.RateQuota" },
  content_policy: { status: 400, code: "DataInspectionFailed" },
  missing: { status: 200, code: "" },
  down: { status: 500, code: "InternalError" },
};

const small = ["832*480", "480*832", "624*624"];
const shapes = ["1280*720", "720*1280", "960*960", "1088*832", "832*1088", "1920*1080", "1080*1920", "1440*1440", "1632*1248", "1248*1632"];
const isFrame = isObject({ type: oneOf(["first_frame", "last_frame"]), url: isLink });
const hasFirst = (media: unknown) => [media].flat().some((part) => textOf(part, "type") === "first_frame");
const size = oneOf(shapes);
const resolution = optional(oneOf(["720P", "1080P"]));
const shot_type = optional(oneOf(["single", "multi"]));

type Checks = Record<string, FieldCheck>;
/** What each model takes, beside what all take. */
const models: Record<string, { input: Checks; parameters: Checks }> = {
  "wan2.5-t2v-preview": { input: {}, parameters: { size: oneOf([...shapes, ...small]), duration: oneOf([5, 10]) } },
  "wan2.6-t2v": { input: {}, parameters: { size, shot_type, duration: oneOf([5, 10, 15]) } },
  "wan2.6-i2v": { input: { img_url: isLink }, parameters: { resolution, shot_type, duration: isBetween(2, 15) } },
  "wan2.7-t2v": { input: {}, parameters: { resolution, ratio: oneOf(["16:9", "9:16", "1:1", "4:3", "3:4"]), duration: isBetween(2, 15) } },
  "wan2.7-i2v": {
    input: { media: (value) => isListOf(isFrame)(value) && hasFirst(value) },
    parameters: { resolution, duration: isBetween(2, 15) },
  },
};
const common: Checks = {
  seed: optional(isBetween(0, 2_147_483_647)),
  prompt_extend: optional(isBoolean),
  watermark: optional(isBoolean),
  audio: optional(isBoolean),
};

const wide: VideoInput = { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } };
const picture = { from: "url", url: "https://pictures.example/a.png" } as const;

/** Alibaba's Model Studio: tasks of Wan. */
export const dashscopeWan: Dialect = {
  type: "dashscope-wan",
  key: bearerOf,
  read(request) {
    const { method, path } = request;
    const [, id, cancel] = /^\/api\/v1\/tasks\/([^/]+)(\/cancel)?$/.exec(path) ?? [];
    if (id !== undefined && cancel === undefined && method === "GET") return { do: "poll", ids: [decodeURIComponent(id)], many: false };
    if (id !== undefined && cancel !== undefined && method === "POST") return { do: "cancel", id: decodeURIComponent(id) };
    const isSubmit = method === "POST" && path === "/api/v1/services/aigc/video-generation/video-synthesis";
    return isSubmit ? readSubmit(request) : null;
  },
  accepted: ({ id }) => ({ status: 200, body: { output: { task_id: id, task_status: "PENDING" }, request_id: "r-1" } }),
  shown: ([job]) => ({
    status: 200,
    body: job && {
      request_id: "r-2",
      output: {
        task_id: job.id,
        task_status: job.word,
        submit_time: "2026-01-01 00:00:00.000",
        ...(job.state === "done" && { orig_prompt: job.prompt, ...(job.hasResults && { video_url: job.link("clip.mp4") }) }),
        ...(job.state === "failed" && { code: job.failure, message: "The task failed." }),
      },
      ...(job.state === "done" && { usage: { video_count: 1, duration: 5, SR: 720 } }),
    },
  }),
  cancelled: () => ({ status: 200, body: { request_id: "r-3" } }),
  cancels: ["queued"],
  no(reason, says) {
    const { status, code } = refusals[reason];
    if (reason === "missing") return { status, body: { request_id: "r-4", output: { task_id: "x", task_status: "UNKNOWN" } } };
    return { status, body: { code, message: says, request_id: "r-5" } };
  },
  envelope: false,
  plain: { queued: "PENDING", running: "RUNNING", done: "SUCCEEDED", failed: "FAILED", cancelled: "CANCELED" },
  words: {
    PENDING: { shows: "queued", means: "queued" },
    SUSPENDED: { shows: "queued", means: "queued" },
    RUNNING: { shows: "running", means: "running" },
    SUCCEEDED: { shows: "done", means: "done" },
    FAILED: { shows: "failed", means: "failed" },
    CANCELED: { shows: "cancelled", means: "failed" },
    UNKNOWN: { shows: "running", means: "missing" },
  },
  failures: { content: "DataInspectionFailed", internal: "InternalError.Algo" },
  tellsProgress: false,
  samples: [
    { kind: "video", model: "wan2.6-t2v", input: { ...wide, negativePrompt: "rain", resolution: "720p", seed: 7 } },
    { kind: "video", model: "wan2.5-t2v-preview", input: { ...wide, aspectRatio: { width: 3, height: 4 }, resolution: "1080p" } },
    { kind: "video", model: "wan2.6-i2v", input: { ...wide, image: picture, resolution: "720p" } },
    { kind: "video", model: "wan2.7-t2v", input: { ...wide, aspectRatio: { width: 1, height: 1 }, resolution: "1080p" } },
    { kind: "video", model: "wan2.7-i2v", input: { ...wide, image: { from: "data", uri: "data:," }, lastImage: picture } },
  ],
  models: [{ name: "wan2.*", kind: "video", price: "per_second: 0.10" }],
};

function readSubmit({ headers, body }: LabRequest): Intent {
  if (headers["x-dashscope-async"] !== "enable") return reject("The current user api does not support synchronous calls.");
  const model = models[textOf(body, "model")];
  if (!model) return reject("Model not exist.");
  const faulty = faultyField(body, {
    model: isText,
    input: isObject({ prompt: isText, negative_prompt: optional(isText), ...model.input }),
    parameters: isObject({ ...common, ...model.parameters }),
  });
  if (faulty !== null) return reject(`${faulty} is not valid: ${JSON.stringify(fieldOf(body, faulty)).slice(0, 200)}`);
  return { do: "submit", kind: "video", model: textOf(body, "model"), prompt: textOf(fieldOf(body, "input"), "prompt") };
}
