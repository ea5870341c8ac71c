import type { ImageInput, VideoInput } from "../../src/core/kinds.ts";
import { bearerOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, JobView, No } from "../dialect.ts";
import {
  callbackOf,
  either,
  faultyField,
  isAddress,
  isBoolean,
  isLink,
  isListOf,
  isObject,
  isShort,
  isText,
  oneOf,
  optional,
  reject,
} from "./body-check.ts";

const status: Record<No, number> = { auth: 403, invalid: 400, quota: 400, rate_limit: 429, content_policy: 400, missing: 404, down: 500 };
const ratios = ["1:1", "16:9", "9:16", "4:3", "3:4", "21:9", "9:21"];
const keyframe = either(isObject({ type: oneOf(["image"]), url: isLink }), isObject({ type: oneOf(["generation"]), id: isText }));
const reference = isObject({ url: isLink, weight: optional((value) => typeof value === "number") });

const video = {
  model: oneOf(["ray-2", "ray-flash-2"]),
  prompt: optional(isShort(5_000)),
  aspect_ratio: optional(oneOf(ratios)),
  duration: optional(oneOf(["5s", "9s"])),
  resolution: optional(oneOf(["540p", "720p", "1080p", "4k"])),
  loop: optional(isBoolean),
  keyframes: optional(isObject({ frame0: optional(keyframe), frame1: optional(keyframe) })),
  callback_url: optional(isAddress),
};
const image = {
  model: oneOf(["photon-1", "photon-flash-1"]),
  prompt: optional(isShort(5_000)),
  aspect_ratio: optional(oneOf(ratios)),
  image_ref: optional(isListOf(reference)),
  modify_image_ref: optional(reference),
  format: optional(oneOf(["jpg", "png"])),
  callback_url: optional(isAddress),
};

const asked: VideoInput = { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } };
const drawn: ImageInput = { act: "generate", prompt: "a fox", images: [], count: 1, grid: false };
const source = { taskId: "ours", upstreamTaskId: "a-generation-of-luma", video: { from: "file", id: "file_1" } } as const;

/** Luma's generations, as api.lumalabs.ai speaks of them. */
export const luma: Dialect = {
  type: "luma",
  key: bearerOf,
  read({ method, path, body }) {
    const id = /^\/generations\/([^/]+)$/.exec(path)?.[1];
    if (id !== undefined && method === "GET") return { do: "poll", ids: [decodeURIComponent(id)], many: false };
    if (id !== undefined && method === "DELETE") return { do: "cancel", id: decodeURIComponent(id) };
    if (method === "POST" && path === "/generations/video") return readSubmit("video", body);
    if (method === "POST" && path === "/generations/image") return readSubmit("image", body);
    return null;
  },
  accepted: (job) => ({ status: 201, body: generationOf(job) }),
  shown: ([job]) => ({ status: 200, body: job && generationOf(job) }),
  cancelled: () => ({ status: 204 }),
  cancels: ["queued"],
  callback: (job) =>
    job.state === "queued" ? null : { headers: { "content-type": "application/json" }, body: JSON.stringify(generationOf(job)) },
  no: (reason, says) => ({
    status: status[reason],
    body: {
      detail:
        reason === "quota" ? `Insufficient credits. ${says}` : reason === "content_policy" ? `Prompt failed moderation. ${says}` : says,
    },
  }),
  envelope: false,
  plain: { queued: "queued", running: "dreaming", done: "completed", failed: "failed", cancelled: "failed" },
  words: {
    queued: { shows: "queued", means: "queued" },
    dreaming: { shows: "running", means: "running" },
    completed: { shows: "done", means: "done" },
    failed: { shows: "failed", means: "failed" },
  },
  failures: { content: "Frame moderation failed", internal: "Generation failed" },
  tellsProgress: false,
  samples: [
    { kind: "video", model: "ray-2", input: asked },
    {
      kind: "video",
      model: "ray-flash-2",
      input: {
        ...asked,
        durationSeconds: 9,
        resolution: "720p",
        loop: true,
        image: { from: "url", url: "https://pictures.example/a.png" },
      },
    },
    { kind: "video", model: "ray-2", input: { ...asked, lastImage: { from: "data", uri: "data:," } } },
    { kind: "video", model: "ray-2", input: { ...asked, source: { ...source, act: "extend" } } },
    { kind: "image", model: "photon-1", input: { ...drawn, aspectRatio: { width: 3, height: 2 } }, results: 1 },
    { kind: "image", model: "photon-1", input: { ...drawn, images: [{ from: "url", url: "https://pictures.example/a.png" }] }, results: 1 },
    { kind: "image", model: "photon-flash-1", input: { ...drawn, act: "edit", images: [{ from: "data", uri: "data:," }] }, results: 1 },
  ],
  models: [
    { name: "ray-2", kind: "video", price: "per_second: 0.10" },
    { name: "photon-1", kind: "image", price: "per_image: 0.02" },
  ],
};

function readSubmit(kind: "video" | "image", body: unknown): Intent {
  const fault = faultyField(body, kind === "video" ? video : image);
  if (fault !== null) return reject(`${fault}: Input should be valid`);
  const prompt = textOf(body, "prompt");
  if (prompt === "" && kind === "image") return reject("prompt: Field required");
  return { do: "submit", kind, model: textOf(body, "model"), prompt, ...callbackOf(body, "callback_url") };
}

function generationOf(job: JobView): object {
  const isDone = job.state === "done" && job.hasResults;
  return {
    id: job.id,
    generation_type: job.kind,
    state: job.word,
    failure_reason: job.failure || null,
    created_at: new Date(job.submittedAt).toISOString(),
    model: job.model,
    assets: isDone ? { image: job.link("cover.png"), ...(job.kind === "video" && { video: job.link("clip.mp4") }) } : null,
    request: { prompt: job.prompt },
  };
}
