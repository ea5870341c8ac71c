import { createHmac } from "node:crypto";
import type { VideoInput } from "../../src/core/kinds.ts";
import { bearerOf, fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, JobView, LabRequest } from "../dialect.ts";
import {
  callbackOf,
  either,
  faultyField,
  isAddress,
  isBetween,
  isLink,
  isListOf,
  isObject,
  isShort,
  isText,
  oneOf,
  optional,
  reject,
} from "./body-check.ts";
import type { FieldCheck } from "./body-check.ts";
import { klingNo } from "./kling-refusal.ts";

const secretBytes = Buffer.from("the lab signs for kling as well.");

const durations: Record<string, FieldCheck> = {
  "kling-2.6": oneOf([5, 10]),
  "kling-3.0": isBetween(3, 15),
  "kling-3.0-turbo": isBetween(3, 15),
};
const lines = ["720p", "1080p"];
const common = { audio: optional(oneOf(["native", "off"])) };
const options = isObject({ callback_url: optional(isAddress), external_task_id: isText });
const content = either(
  isObject({ type: oneOf(["prompt"]), text: isShort(3_072) }),
  isObject({ type: oneOf(["first_frame", "last_frame"]), url: isLink }),
);

const asked: VideoInput = { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } };

/** Kling's tasks of the new generation, as api-singapore.klingai.com speaks of them. */
export const kling: Dialect = {
  type: "kling",
  key: bearerOf,
  read(request) {
    const { method, path } = request;
    const model = /^\/(?:text|image)-to-video\/([^/]+)$/.exec(path)?.[1];
    if (method === "GET" && path === "/tasks") return readQuestion(request);
    return method === "POST" && model !== undefined ? readSubmit(request, decodeURIComponent(model)) : null;
  },
  accepted: (job) => ({ status: 200, body: enveloped(recordOf(job)) }),
  shown: (jobs) => ({ status: 200, body: enveloped(jobs.map(recordOf)) }),
  callback(job, { id, nowMs }) {
    const body = JSON.stringify(recordOf(job));
    const time = String(Math.floor(nowMs / 1_000));
    const signature = createHmac("sha256", secretBytes).update(`${id}.${time}.${body}`).digest("base64");
    return {
      headers: { "content-type": "application/json", "webhook-id": id, "webhook-timestamp": time, "webhook-signature": `v1,${signature}` },
      body,
    };
  },
  webhookSecret: `whsec_${secretBytes.toString("base64")}`,
  no: klingNo,
  envelope: true,
  plain: { queued: "submitted", running: "processing", done: "succeeded", failed: "failed", cancelled: "failed" },
  words: {
    submitted: { shows: "queued", means: "queued" },
    processing: { shows: "running", means: "running" },
    succeeded: { shows: "done", means: "done" },
    failed: { shows: "failed", means: "failed" },
  },
  failures: { content: "Failure to pass the risk control system", internal: "Generation failed" },
  tellsProgress: false,
  samples: [
    { kind: "video", model: "kling-3.0", input: { ...asked, durationSeconds: 7, resolution: "1080p", extras: { audio: "native" } } },
    {
      kind: "video",
      model: "kling-2.6",
      input: { ...asked, durationSeconds: 10, resolution: "720p", image: { from: "url", url: "https://pictures.example/a.png" } },
    },
    {
      kind: "video",
      model: "kling-3.0",
      input: { ...asked, image: { from: "data", uri: "data:," }, lastImage: { from: "data", uri: "data:," } },
    },
  ],
  models: [{ name: "kling-3.0", kind: "video", price: "per_second: 0.14" }],
};

function readQuestion({ query }: LabRequest): Intent {
  const ids = query.get("task_ids");
  const references = query.get("external_task_ids");
  if ((ids === null) === (references === null)) return reject("exactly one of task_ids and external_task_ids");
  if (references !== null) return { do: "lookup", reference: references, many: true };
  return { do: "poll", ids: (ids ?? "").split(","), many: true };
}

function readSubmit({ path, body }: LabRequest, model: string): Intent {
  const duration = durations[model];
  if (duration === undefined) return reject("the model is not supported");
  const resolution = optional(oneOf(model.startsWith("kling-3") ? [...lines, "4k"] : lines));
  const settings = { ...common, resolution, duration };
  const isText2Video = path.startsWith("/text");
  const fault = isText2Video
    ? faultyField(body, {
        prompt: isShort(model === "kling-2.6" ? 2_500 : 3_072),
        settings: isObject({ ...settings, aspect_ratio: optional(oneOf(["16:9", "9:16", "1:1"])) }),
        options,
      })
    : faultyField(body, { contents: isListOf(content), settings: isObject(settings), options });
  if (fault !== null) return reject(`${fault} is not valid`);
  const contents = fieldOf(body, "contents");
  const parts: unknown[] = Array.isArray(contents) ? contents : [];
  if (!isText2Video && !parts.some((part) => textOf(part, "type") === "first_frame")) return reject("first_frame is missing");
  const prompt = isText2Video ? textOf(body, "prompt") : parts.map((part) => textOf(part, "text")).join("");
  const given = fieldOf(body, "options");
  return { do: "submit", kind: "video", model, prompt, reference: textOf(given, "external_task_id"), ...callbackOf(given, "callback_url") };
}

function enveloped(data: unknown): object {
  return { code: 0, message: "SUCCEED", request_id: "lab", data };
}

function recordOf(job: JobView): object {
  const isDone = job.state === "done" && job.hasResults;
  return {
    id: job.id,
    status: job.word,
    message: job.failure,
    create_time: job.submittedAt,
    update_time: job.submittedAt,
    external_id: "",
    ...(isDone && { outputs: [{ type: "video", id: `${job.id}-1`, url: job.link("clip.mp4"), duration: "2.0" }] }),
  };
}
