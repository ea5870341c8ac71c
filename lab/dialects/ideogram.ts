import type { ImageInput } from "../../src/core/kinds.ts";
import { fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, LabRequest, No } from "../dialect.ts";

const status: Record<No, number> = { auth: 401, invalid: 400, quota: 402, rate_limit: 429, content_policy: 422, missing: 404, down: 500 };
const olderModels = ["V_1", "V_1_TURBO", "V_2", "V_2_TURBO", "V_2A", "V_2A_TURBO", "V_3", "AUTO"];
const shape = /^(1x1|16x9|9x16|4x3|3x4|3x2|2x3|16x10|10x16|2x1|1x2|4x5|5x4|1x3|3x1)$/;
const olderShape = /^ASPECT_(1_1|16_9|9_16|4_3|3_4|3_2|2_3|16_10|10_16|1_3|3_1)$/;

const wish: ImageInput = { act: "generate", prompt: "a lighthouse", images: [], count: 1, grid: false };
const picture = { from: "data", uri: "data:," } as const;

/** Ideogram's own API: what is made comes with the answer. */
export const ideogram: Dialect = {
  type: "ideogram",
  instant: true,
  key: ({ headers }) => {
    const key = headers["api-key"];
    return typeof key === "string" ? key : null;
  },
  read: (request) => (request.method === "POST" ? readSubmit(request) : null),
  accepted(job) {
    if (job.note["describes"] === true)
      return { status: 200, body: { descriptions: [{ text: "A lighthouse at dusk." }, { text: "A tower by the sea." }] } };
    const data = Array.from({ length: Number(job.note["count"]) }, (_, index) => ({
      prompt: `${job.prompt}, in fine detail`,
      resolution: "1024x1024",
      is_image_safe: true,
      seed: 1_000 + index,
      url: job.link("cover.png"),
      style_type: "GENERAL",
    }));
    return { status: 200, body: { created: new Date(job.submittedAt).toISOString(), data } };
  },
  no: (reason, says) => ({
    status: status[reason],
    body: { error: reason === "content_policy" ? `Prompt failed safety check: ${says}` : says },
  }),
  envelope: false,
  plain: { queued: "", running: "", done: "", failed: "", cancelled: "" },
  words: {},
  failures: { content: "safety", internal: "internal error" },
  samples: [
    { kind: "image", model: "V_3", input: { ...wish, count: 2, aspectRatio: { width: 16, height: 9 }, seed: 7 }, results: 2 },
    { kind: "image", model: "V_3_TURBO", input: { ...wish, size: { width: 832, height: 1248 }, negativePrompt: "boats" }, results: 1 },
    { kind: "image", model: "V_3", input: { ...wish, act: "vary", images: [picture], strength: 0.3 }, results: 1 },
    { kind: "image", model: "V_3", input: { ...wish, act: "edit", images: [picture], mask: picture }, results: 1 },
    { kind: "image", model: "V_3", input: { ...wish, act: "zoom", images: [picture], aspectRatio: { width: 16, height: 9 } }, results: 1 },
    { kind: "image", model: "V_2", input: { ...wish, count: 4, aspectRatio: { width: 10, height: 16 } }, results: 4 },
    { kind: "image", model: "V_2", input: { ...wish, act: "edit", images: [picture] }, results: 1 },
    { kind: "image", model: "V_2", input: { ...wish, act: "edit", images: [picture], mask: picture }, results: 1 },
    { kind: "image", model: "upscale", input: { ...wish, act: "upscale", prompt: "", images: [picture] }, results: 1 },
    { kind: "image", model: "describe", input: { ...wish, act: "describe", prompt: "", images: [picture] } },
  ],
  models: [
    { name: "V_3", kind: "image", price: "per_image: 0.06" },
    { name: "V_2", kind: "image", price: "per_image: 0.08" },
    { name: "upscale", kind: "image", price: "per_image: 0.06" },
    { name: "describe", kind: "image", price: "per_call: 0.01" },
  ],
};

function readSubmit({ path, body }: LabRequest): Intent | null {
  const newer = /^\/v1\/ideogram-v3\/(generate|remix|edit|reframe)$/.exec(path)?.[1];
  if (newer !== undefined) return readNewer(newer, body);
  const older = /^\/(generate|remix|edit|upscale|describe)$/.exec(path)?.[1];
  return older === undefined ? null : readOlder(older, body);
}

function readNewer(way: string, body: unknown): Intent {
  const prompt = textOf(body, "prompt");
  const shapes = textOf(body, "aspect_ratio");
  if (way !== "generate" && !isFile(fieldOf(body, "image"))) return reject("image is required");
  if (way === "edit" && !isFile(fieldOf(body, "mask"))) return reject("mask is required");
  if (way === "reframe" && !/^\d+x\d+$/.test(textOf(body, "resolution"))) return reject("resolution is required");
  if (way !== "reframe" && prompt === "") return reject("prompt is required");
  if (shapes !== "" && !shape.test(shapes)) return reject("aspect_ratio is wrong");
  if (!/^(FLASH|TURBO|DEFAULT|QUALITY)$/.test(textOf(body, "rendering_speed"))) return reject("rendering_speed is wrong");
  return submit(prompt, "V_3", fieldOf(body, "num_images"));
}

function readOlder(way: string, body: unknown): Intent {
  if (way !== "generate" && !isFile(fieldOf(body, "image_file"))) return reject("image_file is required");
  if (way === "describe") return { do: "submit", kind: "image", model: "describe", prompt: "", note: { describes: true } };
  const wishes = way === "edit" ? body : requestOf(fieldOf(body, "image_request"));
  const [prompt, model, shapes] = [textOf(wishes, "prompt"), textOf(wishes, "model"), textOf(wishes, "aspect_ratio")];
  if (way === "edit" && !isFile(fieldOf(body, "mask"))) return reject("mask is required");
  if (way !== "upscale" && (prompt === "" || !olderModels.includes(model))) return reject("image_request is wrong");
  if (shapes !== "" && !olderShape.test(shapes)) return reject("aspect_ratio is wrong");
  return submit(prompt, model || "upscale", fieldOf(wishes, "num_images"));
}

function submit(prompt: string, model: string, images: unknown): Intent {
  const count = images === undefined ? 1 : Number(images);
  if (!Number.isInteger(count) || count < 1 || count > 8) return reject("num_images is wrong");
  return { do: "submit", kind: "image", model, prompt, note: { count } };
}

function requestOf(value: unknown): unknown {
  try {
    return typeof value === "string" ? JSON.parse(value) : value;
  } catch {
    return undefined;
  }
}

function isFile(value: unknown): boolean {
  return typeof value === "object" && value !== null && "bytes" in value && "mime" in value && String(value.mime).startsWith("image/");
}

function reject(says: string): Intent {
  return { do: "reject", says };
}
