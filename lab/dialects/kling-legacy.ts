import { createHmac } from "node:crypto";
import type { VideoInput } from "../../src/core/kinds.ts";
import { bearerOf, fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, JobView, LabRequest } from "../dialect.ts";
import { callbackOf, faultyField, isAddress, isBase64, isShort, isText, oneOf, optional, reject } from "./body-check.ts";
import { klingNo } from "./kling-refusal.ts";

const common = {
  model_name: oneOf(["kling-v1", "kling-v1-6", "kling-v2-5-turbo", "kling-v2-6"]),
  prompt: optional(isShort(2_500)),
  negative_prompt: optional(isShort(2_500)),
  // A text, and not a number.
  duration: oneOf(["5", "10"]),
  mode: optional(oneOf(["std", "pro"])),
  cfg_scale: optional((value) => typeof value === "number" && value >= 0 && value <= 1),
  sound: optional(oneOf(["on", "off"])),
  callback_url: optional(isAddress),
  external_task_id: optional(isText),
};
const bodies = {
  text2video: { ...common, prompt: isShort(2_500), aspect_ratio: optional(oneOf(["16:9", "9:16", "1:1"])) },
  // Bytes come without the beginning that a data URI has.
  image2video: { ...common, image: isBase64, image_tail: optional(isBase64) },
};
type Way = keyof typeof bodies;

const asked: VideoInput = { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } };

/** Kling's tasks of the older generation. */
export const klingLegacy: Dialect = {
  type: "kling-legacy",
  key: keyOf,
  credential: (key) => `${key}:${secretOf(key)}`,
  read(request) {
    const [, name = "", id] = /^\/v1\/videos\/(\w+)(?:\/([^/]+))?$/.exec(request.path) ?? [];
    const way = name === "text2video" || name === "image2video" ? name : null;
    if (way === null) return null;
    if (request.method === "POST" && id === undefined) return readSubmit(request, way);
    if (request.method !== "GET" || id === undefined) return null;
    // The same address finds a task by its own name and by ours.
    return isOurs(id) ? { do: "poll", ids: [id], many: false } : { do: "lookup", reference: decodeURIComponent(id) };
  },
  accepted: (job) => ({ status: 200, body: enveloped({ ...recordOf(job), task_info: { external_task_id: "" } }) }),
  shown: ([job]) => ({ status: 200, body: enveloped(job && recordOf(job)) }),
  callback: (job) => ({ headers: { "content-type": "application/json" }, body: JSON.stringify(recordOf(job)) }),
  no: klingNo,
  envelope: true,
  plain: { queued: "submitted", running: "processing", done: "succeed", failed: "failed", cancelled: "failed" },
  words: {
    submitted: { shows: "queued", means: "queued" },
    processing: { shows: "running", means: "running" },
    succeed: { shows: "done", means: "done" },
    failed: { shows: "failed", means: "failed" },
  },
  failures: { content: "Failure to pass the risk control system", internal: "Generation failed" },
  tellsProgress: false,
  samples: [
    { kind: "video", model: "kling-v2-6", input: { ...asked, negativePrompt: "rain", resolution: "1080p", extras: { sound: "on" } } },
    {
      kind: "video",
      model: "kling-v1-6",
      input: { ...asked, durationSeconds: 10, extras: { mode: "std", cfg_scale: 0.5 }, image: { from: "data", uri: "data:," } },
    },
    {
      kind: "video",
      model: "kling-v2-5-turbo",
      input: { ...asked, image: { from: "url", url: "https://pictures.example/a.png" }, lastImage: { from: "data", uri: "data:," } },
    },
  ],
  models: [{ name: "kling-v2-6", kind: "video", price: "per_second: 0.07" }],
};

function secretOf(access: string): string {
  return `secret-of-${access}`;
}

// A single API key is shown as it is; a pair as a token that the secret half has signed and that is valid now.
function keyOf(request: Pick<LabRequest, "headers">): string | null {
  const shown = bearerOf(request);
  const [head, claims, signature] = shown?.split(".") ?? [];
  if (shown === null || head === undefined || claims === undefined || signature === undefined) return shown;
  const parsed: unknown = JSON.parse(Buffer.from(claims, "base64url").toString());
  const access = textOf(parsed, "iss");
  const right = createHmac("sha256", secretOf(access)).update(`${head}.${claims}`).digest("base64url");
  const now = Date.now() / 1_000;
  const isValid = Number(fieldOf(parsed, "exp")) > now && Number(fieldOf(parsed, "nbf")) <= now;
  return signature === right && isValid ? access : null;
}

function isOurs(id: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-4/.test(id);
}

function readSubmit({ body }: LabRequest, way: Way): Intent {
  const fault = faultyField(body, bodies[way]);
  if (fault !== null) return reject(`${fault} is not valid`);
  const reference = textOf(body, "external_task_id");
  return {
    do: "submit",
    kind: "video",
    model: textOf(body, "model_name"),
    prompt: textOf(body, "prompt"),
    ...(reference !== "" && { reference }),
    ...callbackOf(body, "callback_url"),
    note: { way },
  };
}

function enveloped(data: unknown): object {
  return { code: 0, message: "SUCCEED", request_id: "lab", data };
}

function recordOf(job: JobView): object {
  const isDone = job.state === "done" && job.hasResults;
  return {
    task_id: job.id,
    task_status: job.word,
    task_status_msg: job.failure,
    created_at: job.submittedAt,
    updated_at: job.submittedAt,
    task_result: isDone ? { videos: [{ id: `${job.id}-1`, url: job.link("clip.mp4"), duration: "2.0" }] } : {},
  };
}
