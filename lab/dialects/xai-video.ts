import type { VideoInput, VideoSource } from "../../src/core/kinds.ts";
import { bearerOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, LabReply, No } from "../dialect.ts";
import { faultyField, isBetween, isLink, isObject, isText, oneOf, optional, reject } from "./body-check.ts";
import type { FieldCheck } from "./body-check.ts";

const refusals: Record<No, { status: number; code: string; says: string }> = {
  auth: { status: 400, code: "Client specified an invalid argument", says: "Incorrect API key provided." },
  invalid: { status: 422, code: "", says: "" },
  quota: { status: 403, code: "The caller does not have permission", says: "Your team has used all available credits." },
  rate_limit: { status: 429, code: "Some resource has been exhausted", says: "" },
  content_policy: { status: 403, code: "The caller does not have permission", says: "Content violates usage guidelines." },
  missing: { status: 404, code: "Some requested entity was not found", says: "" },
  down: { status: 500, code: "Internal error", says: "" },
};

const isVideo: FieldCheck = (value) => typeof value === "string" && /^(https:\/\/|data:)/.test(value);
const common = { model: oneOf(["grok-imagine-video", "grok-imagine-video-1.5"]), prompt: isText };
const ways: Record<string, Record<string, FieldCheck>> = {
  generations: {
    ...common,
    duration: isBetween(1, 15),
    aspect_ratio: oneOf(["16:9", "9:16", "1:1", "4:3", "3:4", "3:2", "2:3"]),
    resolution: optional(oneOf(["480p", "720p", "1080p"])),
    image: optional(isObject({ url: isLink })),
  },
  edits: { ...common, video: isObject({ url: isVideo }) },
  extensions: { ...common, video: isObject({ url: isVideo }), duration: isBetween(1, 15) },
};

const wide: VideoInput = { prompt: "waves", durationSeconds: 6, aspectRatio: { width: 16, height: 9 } };
const source = (act: VideoSource["act"]): VideoSource => ({
  act,
  taskId: "0",
  upstreamTaskId: "their-id",
  video: { from: "url", url: "https://videos.example/a.mp4" },
});

/** xAI's videos. */
export const xaiVideo: Dialect = {
  type: "xai-video",
  adapter: "xai",
  key: bearerOf,
  read({ method, path, body }) {
    const [, last = ""] = /^\/videos\/([^/]+)$/.exec(path) ?? [];
    if (last === "") return null;
    if (method === "GET") return { do: "poll", ids: [decodeURIComponent(last)], many: false };
    const way = ways[last];
    return method === "POST" && way ? readSubmit(body, way) : null;
  },
  accepted: ({ id }) => ({ status: 200, body: { request_id: id } }),
  shown: ([job]): LabReply => {
    if (!job) return { status: 404 };
    if (job.state === "queued" || job.state === "running")
      return { status: 202, body: { status: job.word, ...(job.state === "running" && { progress: Math.round(job.progress * 100) }) } };
    const { model, word: status, failure } = job;
    if (job.state !== "done") return { status: 200, body: { status, error: { code: failure, message: "The video could not be made." } } };
    const video = { ...(job.hasResults && { url: job.link("clip.mp4") }), duration: 6, respect_moderation: true };
    return { status: 200, body: { status, video, model, progress: 100, usage: { cost_in_usd_ticks: 1 } } };
  },
  no(reason, says) {
    const { status, code, says: own } = refusals[reason];
    return { status, body: code === "" ? { error: says } : { code, error: `${own} ${says}` } };
  },
  envelope: false,
  plain: { queued: "pending", running: "pending", done: "done", failed: "failed", cancelled: "expired" },
  words: {
    pending: { shows: "queued", means: "queued" },
    done: { shows: "done", means: "done" },
    failed: { shows: "failed", means: "failed" },
    expired: { shows: "cancelled", means: "failed" },
  },
  failures: { content: "moderation_failed", internal: "internal_error" },
  samples: [
    { kind: "video", model: "grok-imagine-video", input: { ...wide, resolution: "720p" } },
    { kind: "video", model: "grok-imagine-video", input: { ...wide, image: { from: "data", uri: "data:," } } },
    { kind: "video", model: "grok-imagine-video-1.5", input: { ...wide, aspectRatio: { width: 2, height: 3 }, resolution: "1080p" } },
    { kind: "video", model: "grok-imagine-video", input: { ...wide, source: source("remix") } },
    { kind: "video", model: "grok-imagine-video", input: { ...wide, source: source("extend") } },
  ],
  models: [{ name: "grok-imagine-*", kind: "video", price: "per_second: 0.05" }],
};

function readSubmit(body: unknown, way: Record<string, FieldCheck>): Intent {
  const [model, prompt] = [textOf(body, "model"), textOf(body, "prompt")];
  const isTooLarge = textOf(body, "resolution") === "1080p" && model !== "grok-imagine-video-1.5";
  const faulty = isTooLarge ? "resolution" : faultyField(body, way);
  return faulty === null ? { do: "submit", kind: "video", model, prompt } : reject(`Failed to deserialize the JSON body: ${faulty}`);
}
