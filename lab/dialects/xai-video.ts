import type { VideoInput, VideoSource } from "../../src/core/kinds.ts";
import { bearerOf, fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, LabReply, No } from "../dialect.ts";
import { isPictureLink, isWhole, strangeField } from "../strict-body.ts";

const refusals: Record<No, { status: number; code: string; says: string }> = {
  auth: { status: 400, code: "Client specified an invalid argument", says: "Incorrect API key provided." },
  invalid: { status: 422, code: "", says: "" },
  quota: { status: 403, code: "The caller does not have permission", says: "Your team has used all available credits." },
  rate_limit: { status: 429, code: "Some resource has been exhausted", says: "" },
  content_policy: { status: 403, code: "The caller does not have permission", says: "Content violates usage guidelines." },
  missing: { status: 404, code: "Some requested entity was not found", says: "" },
  down: { status: 500, code: "Internal error", says: "" },
};

const fields: Record<string, string[]> = {
  generations: ["model", "prompt", "duration", "aspect_ratio", "resolution", "image", "user"],
  edits: ["model", "prompt", "video"],
  extensions: ["model", "prompt", "video", "duration"],
};
const ratios = ["16:9", "9:16", "1:1", "4:3", "3:4", "3:2", "2:3"];

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
  key: bearerOf,
  read({ method, path, body }) {
    const [, last = ""] = /^\/videos\/([^/]+)$/.exec(path) ?? [];
    if (last === "") return null;
    if (method === "GET") return { do: "poll", ids: [decodeURIComponent(last)], many: false };
    return method === "POST" && fields[last] ? readSubmit(body, last) : null;
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

function readSubmit(body: unknown, way: string): Intent {
  const reject = (says: string): Intent => ({ do: "reject", says: `Failed to deserialize the JSON body: ${says}` });
  const known = fields[way] ?? [];
  const [model, prompt] = [textOf(body, "model"), textOf(body, "prompt")];
  const strange = strangeField(body, known);
  if (strange !== undefined) return reject(strange);
  if (!["grok-imagine-video", "grok-imagine-video-1.5"].includes(model)) return reject("model");
  if (prompt === "") return reject("prompt");
  if (known.includes("duration") && !isWhole(fieldOf(body, "duration"), 1, 15)) return reject("duration");
  if (known.includes("aspect_ratio") && !ratios.includes(textOf(body, "aspect_ratio"))) return reject("aspect_ratio");
  const sizes = ["", "480p", "720p", ...(model.endsWith("1.5") ? ["1080p"] : [])];
  if (!sizes.includes(textOf(body, "resolution"))) return reject("resolution");
  const image = fieldOf(body, "image");
  if (image !== undefined && !isPictureLink(fieldOf(image, "url"))) return reject("image");
  const video = textOf(fieldOf(body, "video"), "url");
  if (known.includes("video") && !/^(https:\/\/|data:)/.test(video)) return reject("video");
  return { do: "submit", kind: "video", model, prompt };
}
