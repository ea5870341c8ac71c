import type { ImageInput, VideoInput } from "../../src/core/kinds.ts";
import { fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, JobView, LabReply, No } from "../dialect.ts";
import { mediaBytes } from "../media.ts";
import { either, faultyField, isAddress, isBase64, isListOf, isObject, isText, oneOf, optional, reject } from "./body-check.ts";

const refusals: Record<No, { code: number; status: string }> = {
  auth: { code: 400, status: "INVALID_ARGUMENT" },
  invalid: { code: 400, status: "INVALID_ARGUMENT" },
  quota: { code: 400, status: "FAILED_PRECONDITION" },
  rate_limit: { code: 429, status: "RESOURCE_EXHAUSTED" },
  content_policy: { code: 400, status: "INVALID_ARGUMENT" },
  missing: { code: 404, status: "NOT_FOUND" },
  down: { code: 500, status: "INTERNAL" },
};
const isWhole = (value: unknown) => Number.isInteger(value);
const frame = isObject({ bytesBase64Encoded: isBase64, mimeType: oneOf(["image/png", "image/jpeg", "image/webp"]) });
const video = {
  instances: isListOf(isObject({ prompt: isText, image: optional(frame), lastFrame: optional(frame) })),
  parameters: isObject({
    aspectRatio: optional(oneOf(["16:9", "9:16"])),
    durationSeconds: oneOf([4, 6, 8]),
    resolution: optional(oneOf(["720p", "1080p", "4k"])),
    negativePrompt: optional(isText),
    seed: optional(isWhole),
    personGeneration: optional(oneOf(["allow_all", "allow_adult", "dont_allow"])),
  }),
  webhookConfig: optional(isObject({ uris: isListOf(isAddress) })),
};
const part = either(isObject({ text: isText }), isObject({ inlineData: isObject({ mimeType: isText, data: isBase64 }) }));
const content = {
  contents: isListOf(isObject({ role: oneOf(["user"]), parts: isListOf(part) })),
  generationConfig: isObject({
    responseModalities: isListOf(oneOf(["TEXT", "IMAGE", "AUDIO"])),
    seed: optional(isWhole),
    imageConfig: optional(isObject({ aspectRatio: oneOf(["1:1", "16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "5:4", "4:5", "21:9"]) })),
  }),
};

const asked: VideoInput = { prompt: "waves", durationSeconds: 8, aspectRatio: { width: 16, height: 9 } };
const drawn: ImageInput = { act: "generate", prompt: "a fox", images: [], count: 1, grid: false };
const picture = { from: "data", uri: "data:," } as const;

/** Google's API of videos, which are operations, and of pictures and songs, which come with the reply. */
export const geminiMedia: Dialect = {
  type: "gemini-media",
  adapter: "gemini",
  key: ({ headers }) => (typeof headers["x-goog-api-key"] === "string" ? headers["x-goog-api-key"] : null),
  read({ method, path, body }) {
    const [, model = "", action] = /^\/models\/([^/:]+):(predictLongRunning|generateContent)$/.exec(path) ?? [];
    const file = /^\/files\/([^/:]+):download$/.exec(path)?.[1];
    if (method === "GET" && file !== undefined) return { do: "ask", id: file, as: "file" };
    if (method === "GET") return { do: "poll", ids: [path.split("/").at(-1) ?? ""], many: false };
    if (method !== "POST" || action === undefined) return null;
    return action === "generateContent" ? readContent(decodeURIComponent(model), body) : readVideo(decodeURIComponent(model), body);
  },
  instant: ["image", "music"],
  accepted: (job) => (job.kind === "video" ? { status: 200, body: { name: nameOf(job) } } : { status: 200, body: contentOf(job) }),
  shown: ([job]) => ({ status: 200, body: job && operationOf(job) }),
  other: { file: () => ({ status: 200, headers: { "content-type": "video/mp4" }, body: mediaBytes("clip.mp4") }) },
  callback: (job) =>
    job.state === "done" || job.state === "failed"
      ? { headers: { "content-type": "application/json" }, body: JSON.stringify({ type: "video.generated", data: { id: nameOf(job) } }) }
      : null,
  no,
  envelope: false,
  plain: { queued: "pending", running: "pending", done: "done", failed: "error", cancelled: "error" },
  // An operation has no words; these name what it can look like.
  words: {
    pending: { shows: "running", means: "running" },
    done: { shows: "done", means: "done" },
    error: { shows: "failed", means: "failed" },
  },
  failures: { content: "The video was filtered out for safety reasons.", internal: "An internal error has occurred." },
  tellsProgress: false,
  tellsQueue: false,
  linksExpire: false,
  samples: [
    { kind: "video", model: "veo-3.1-generate-preview", input: { ...asked, resolution: "4k", seed: 7, negativePrompt: "rain" } },
    {
      kind: "video",
      model: "veo-3.1-fast-generate-preview",
      input: { ...asked, durationSeconds: 4, resolution: "720p", image: picture, lastImage: picture },
    },
    { kind: "image", model: "gemini-2.5-flash-image", input: { ...drawn, aspectRatio: { width: 4, height: 3 } }, results: 1 },
    { kind: "image", model: "gemini-2.5-flash-image", input: { ...drawn, act: "edit", images: [picture, picture] }, results: 1 },
    {
      kind: "music",
      model: "lyria-3-clip-preview",
      input: { mode: "inspiration", description: "a song about rain", instrumental: true },
      results: 1,
    },
    {
      kind: "music",
      model: "lyria-3-clip-preview",
      input: { mode: "custom", lyrics: "[Verse]\nRain", title: "Rain", tags: "folk", instrumental: false },
      results: 1,
    },
  ],
  models: [
    { name: "veo-3.1-generate-preview", kind: "video", price: "per_second: 0.40" },
    { name: "gemini-2.5-flash-image", kind: "image", price: "per_image: 0.039" },
    { name: "lyria-3-clip-preview", kind: "music", price: "per_call: 0.04" },
  ],
};

function readVideo(model: string, body: unknown): Intent {
  const parameters = fieldOf(body, "parameters");
  const isTooLarge = ["1080p", "4k"].includes(textOf(parameters, "resolution")) && fieldOf(parameters, "durationSeconds") !== 8;
  const fault = model.startsWith("veo-") ? (isTooLarge ? "parameters.resolution" : faultyField(body, video)) : "model";
  if (fault !== null) return reject(`Invalid value at '${fault}'.`);
  const uris: unknown = fieldOf(fieldOf(body, "webhookConfig"), "uris");
  const url: unknown = Array.isArray(uris) ? uris[0] : undefined;
  const prompt = textOf(firstOf(fieldOf(body, "instances")), "prompt");
  return { do: "submit", kind: "video", model, prompt, ...(typeof url === "string" && { callback: { url } }) };
}

function readContent(model: string, body: unknown): Intent {
  const fault = faultyField(body, content);
  if (fault !== null) return reject(`Invalid value at '${fault}'.`);
  const kind = model.startsWith("lyria-") ? "music" : "image";
  const modes = JSON.stringify(fieldOf(fieldOf(body, "generationConfig"), "responseModalities"));
  if (!modes.includes(kind === "music" ? "AUDIO" : "IMAGE")) return reject("The model does not support the requested response modalities.");
  const parts = fieldOf(firstOf(fieldOf(body, "contents")), "parts");
  const prompt = (Array.isArray(parts) ? parts : []).map((one: unknown) => textOf(one, "text")).join(" ");
  return prompt.trim() === "" ? reject("The prompt is empty.") : { do: "submit", kind, model, prompt };
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}

function nameOf({ model, id }: JobView): string {
  return `models/${model}/operations/${id}`;
}

function operationOf(job: JobView): object {
  const name = nameOf(job);
  if (job.state === "queued" || job.state === "running") return { name };
  if (job.failure === geminiMedia.failures.content) {
    return { name, done: true, response: { generateVideoResponse: { raiMediaFilteredCount: 1, raiMediaFilteredReasons: [job.failure] } } };
  }
  if (job.state !== "done") return { name, done: true, error: { code: 13, message: job.failure } };
  const samples = [{ video: { uri: `${job.baseUrl}/files/${job.id}:download?alt=media` } }];
  return { name, done: true, response: { generateVideoResponse: job.hasResults ? { generatedSamples: samples } : {} } };
}

function contentOf(job: JobView): object {
  const [file, mimeType] = job.kind === "music" ? ["tone.mp3", "audio/mpeg"] : ["cover.png", "image/png"];
  const inlineData = { mimeType, data: Buffer.from(mediaBytes(file)).toString("base64") };
  const parts = job.hasResults ? [{ text: "[Verse]\nIt rains again" }, { inlineData }] : [];
  return {
    candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1_290, totalTokenCount: 1_295 },
    modelVersion: job.model,
    responseId: job.id,
  };
}

function no(reason: No, says: string): LabReply {
  const { code, status } = refusals[reason];
  const words: Partial<Record<No, string>> = {
    auth: "API key not valid. Please pass a valid API key.",
    content_policy: "The prompt violates our usage guidelines.",
  };
  return { status: code, body: { error: { code, message: `${words[reason] ?? ""} ${says}`.trim(), status } } };
}
