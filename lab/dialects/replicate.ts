import { createHmac } from "node:crypto";
import type { ImageInput, MusicInput, VideoInput } from "../../src/core/kinds.ts";
import { bearerOf, fieldOf, textOf } from "../dialect.ts";
import type { CallbackGiven, Dialect, Intent, JobView, LabRequest, No } from "../dialect.ts";
import { faultyField, isAddress, isBetween, isLink, isListOf, isObject, isText, oneOf, optional, reject } from "./body-check.ts";
import type { FieldCheck } from "./body-check.ts";

const refusals: Record<No, { status: number; title: string; detail: string }> = {
  auth: { status: 401, title: "Unauthenticated", detail: "You did not pass a valid authentication token." },
  invalid: { status: 422, title: "Input validation failed", detail: "" },
  quota: { status: 402, title: "Insufficient credit", detail: "You have insufficient credit to run this model." },
  rate_limit: { status: 429, title: "", detail: "Request was throttled. Your rate limit resets in ~7s." },
  content_policy: { status: 422, title: "Invalid input", detail: "The input was flagged as sensitive. (E005)" },
  missing: { status: 404, title: "", detail: "The requested resource could not be found." },
  down: { status: 500, title: "", detail: "Internal server error" },
};

type Model = { kind: "video" | "image" | "music"; input: Record<string, FieldCheck> };
const version = "a9dcd6d78e7c6560c340d916fe32e9f24aabfa331e5cce95fe31f77fb0312142";
const prompt = isText;
const seed = optional(isBetween(0, 4_294_967_295));
const aspect_ratio = optional(oneOf(["16:9", "9:16", "1:1", "3:2"]));
const image = optional(isLink);
const models: Record<string, Model> = {
  "bytedance/seedance-1-pro": {
    kind: "video",
    input: {
      prompt,
      seed,
      aspect_ratio,
      image,
      duration: isBetween(2, 12),
      resolution: optional(oneOf(["480p", "720p", "1080p"])),
      fps: oneOf([24]),
    },
  },
  [`acme/animate:${version}`]: { kind: "video", input: { prompt, seed, aspect_ratio, image: isLink, duration: isBetween(1, 10) } },
  "black-forest-labs/flux-dev": { kind: "image", input: { prompt, seed, aspect_ratio, image, num_outputs: optional(isBetween(1, 4)) } },
  [version]: { kind: "image", input: { prompt, seed, image: isLink, mask: optional(isLink) } },
  "stability-ai/stable-audio-2.5": { kind: "music", input: { prompt, seed, duration: isBetween(1, 190), steps: isBetween(4, 8) } },
  "acme/singer": { kind: "music", input: { prompt, seed, tags: isText, lyrics: isText } },
};

const wide: VideoInput = { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } };
const picture = { from: "url", url: "https://pictures.example/a.png" } as const;
const drawn: ImageInput = { act: "generate", prompt: "a lighthouse", images: [], count: 1, grid: false };
const song: MusicInput = { mode: "inspiration", description: "a song about rain", instrumental: true, extras: { duration: 60, steps: 8 } };
const secret = "whsec_dGVzdHNlY3JldHRlc3RzZWNyZXR0ZXN0c2VjcmV0MTI=";

/** Replicate's predictions. */
export const replicate: Dialect = {
  type: "replicate",
  key: bearerOf,
  read(request) {
    const { method, path, body } = request;
    const [, id, cancel] = /^\/predictions\/([^/]+)(\/cancel)?$/.exec(path) ?? [];
    if (id !== undefined && cancel === undefined && method === "GET") return { do: "poll", ids: [decodeURIComponent(id)], many: false };
    if (id !== undefined && cancel !== undefined && method === "POST") return { do: "cancel", id: decodeURIComponent(id) };
    if (method === "POST" && path === "/predictions") return readSubmit(request, textOf(body, "version"));
    const official = /^\/models\/([^/]+\/[^/]+)\/predictions$/.exec(path)?.[1];
    return method === "POST" && official !== undefined ? readSubmit(request, official) : null;
  },
  accepted: (job) => ({ status: 201, body: predictionOf(job) }),
  shown: ([job]) => ({ status: 200, body: job && predictionOf(job) }),
  cancelled: () => ({ status: 200, body: { status: "canceled" } }),
  callback: (job, given) => (job.state === "queued" || job.state === "running" ? null : signed(JSON.stringify(predictionOf(job)), given)),
  webhookSecret: secret,
  no(reason, says) {
    const { status, title, detail } = refusals[reason];
    return { status, body: { ...(title !== "" && { title }), detail: `${detail} ${says}`, status } };
  },
  envelope: false,
  plain: { queued: "starting", running: "processing", done: "succeeded", failed: "failed", cancelled: "canceled" },
  words: {
    starting: { shows: "queued", means: "queued" },
    processing: { shows: "running", means: "running" },
    succeeded: { shows: "done", means: "done" },
    failed: { shows: "failed", means: "failed" },
    canceled: { shows: "cancelled", means: "failed" },
    aborted: { shows: "cancelled", means: "failed" },
  },
  failures: { content: "NSFW content detected. Try running it again.", internal: "CUDA out of memory" },
  samples: [
    { kind: "video", model: "bytedance/seedance-1-pro", input: { ...wide, resolution: "720p", seed: 3, extras: { fps: 24 } } },
    { kind: "video", model: `acme/animate:${version}`, input: { ...wide, image: { from: "data", uri: "data:," } } },
    { kind: "image", model: "black-forest-labs/flux-dev", input: { ...drawn, count: 2, aspectRatio: { width: 3, height: 2 } }, results: 2 },
    { kind: "image", model: version, input: { ...drawn, act: "edit", images: [picture] }, results: 1 },
    { kind: "music", model: "stability-ai/stable-audio-2.5", input: song, results: 1 },
    {
      kind: "music",
      model: "acme/singer",
      input: { mode: "custom", lyrics: "[verse]\nRain", tags: "folk", instrumental: false },
      results: 1,
    },
  ],
  models: [
    { name: "bytedance/seedance-*", kind: "video", price: "per_second: 0.06" },
    { name: "black-forest-labs/flux-*", kind: "image", price: "per_image: 0.03" },
    { name: "stability-ai/stable-audio-*", kind: "music", price: "per_call: 0.25" },
  ],
};

function predictionOf(job: JobView) {
  const percent = Math.round(job.progress * 100);
  const isOver = job.state !== "queued" && job.state !== "running";
  return {
    id: job.id,
    model: job.model,
    version: "hidden",
    status: job.word,
    input: { prompt: job.prompt },
    output: job.state === "done" && job.hasResults ? outputOf(job) : null,
    error: job.state === "failed" ? job.failure : null,
    logs: job.state === "queued" ? "" : `loading\n  1%|          | 1/100\n ${percent}%|#####     | ${percent}/100 [00:05<00:05]\n`,
    created_at: new Date(job.submittedAt).toISOString(),
    completed_at: isOver ? new Date(job.finishedAt).toISOString() : null,
    urls: { get: `${job.baseUrl}/predictions/${job.id}`, cancel: `${job.baseUrl}/predictions/${job.id}/cancel` },
  };
}

function outputOf(job: JobView): unknown {
  if (job.kind === "video") return job.model.includes(":") ? { video: job.link("clip.mp4") } : job.link("clip.mp4");
  if (job.kind === "music") return job.link("tone.mp3");
  return job.model === version ? job.link("cover.png") : Array.from({ length: Number(job.note["count"]) }, () => job.link("cover.png"));
}

function readSubmit({ body }: LabRequest, name: string): Intent {
  const model = models[name];
  if (!model) return reject("- version: The specified version does not exist.");
  const input = fieldOf(body, "input");
  const faulty =
    faultyField(input, model.input) ??
    faultyField(body, {
      version: optional(isText),
      input: isObject(model.input),
      webhook: optional(isAddress),
      webhook_events_filter: optional(isListOf(oneOf(["start", "output", "logs", "completed"]))),
    });
  if (faulty !== null) return reject(`- input.${faulty} is not valid`);
  const url = textOf(body, "webhook");
  const note = { count: fieldOf(input, "num_outputs") ?? 1 };
  const words = textOf(input, "lyrics") || textOf(input, "prompt");
  return { do: "submit", kind: model.kind, model: name, prompt: words, note, ...(url !== "" && { callback: { url } }) };
}

function signed(body: string, { nowMs, id }: CallbackGiven) {
  const time = String(Math.floor(nowMs / 1_000));
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64");
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": time,
    "webhook-signature": `v1,${signature}`,
  };
  return { headers, body };
}
