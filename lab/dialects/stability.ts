import type { ImageInput } from "../../src/core/kinds.ts";
import { bearerOf, fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, LabRequest, No } from "../dialect.ts";
import { mediaBytes } from "../media.ts";

const refusals: Record<No, { status: number; name: string }> = {
  auth: { status: 401, name: "unauthorized" },
  invalid: { status: 400, name: "bad_request" },
  quota: { status: 402, name: "payment_required" },
  rate_limit: { status: 429, name: "rate_limit_exceeded" },
  content_policy: { status: 403, name: "content_moderation" },
  missing: { status: 404, name: "not_found" },
  down: { status: 500, name: "internal_error" },
};
const ratios = /^(16:9|1:1|21:9|2:3|3:2|4:5|5:4|9:16|9:21)$/;

const wish: ImageInput = { act: "generate", prompt: "a lighthouse", images: [], count: 1, grid: false };
const picture = { from: "data", uri: "data:," } as const;

/** Stability's pictures: what is made comes with the answer, as text. */
export const stability: Dialect = {
  type: "stability",
  instant: true,
  key: bearerOf,
  read: (request) => (request.method === "POST" ? readSubmit(request) : null),
  // A prompt can ask for the blurred picture that comes where the content was filtered.
  accepted: ({ prompt }) => ({
    status: 200,
    body: {
      image: Buffer.from(mediaBytes("cover.png")).toString("base64"),
      finish_reason: prompt.includes("blurred") ? "CONTENT_FILTERED" : "SUCCESS",
      seed: 7,
    },
  }),
  no: (reason, says) => ({ status: refusals[reason].status, body: { id: "1", name: refusals[reason].name, errors: [says] } }),
  envelope: false,
  plain: { queued: "", running: "", done: "SUCCESS", failed: "", cancelled: "" },
  words: {},
  failures: { content: "content_moderation", internal: "internal_error" },
  linksExpire: false,
  samples: [
    { kind: "image", model: "core", input: { ...wish, aspectRatio: { width: 16, height: 9 }, negativePrompt: "boats" }, results: 1 },
    { kind: "image", model: "ultra", input: { ...wish, seed: 7 }, results: 1 },
    { kind: "image", model: "ultra", input: { ...wish, act: "vary", images: [picture], strength: 0.4 }, results: 1 },
    { kind: "image", model: "sd3.5-large", input: { ...wish, size: { width: 1024, height: 1024 } }, results: 1 },
    { kind: "image", model: "sd3.5-medium", input: { ...wish, act: "vary", images: [picture] }, results: 1 },
    { kind: "image", model: "inpaint", input: { ...wish, act: "edit", images: [picture], mask: picture }, results: 1 },
    { kind: "image", model: "upscale-fast", input: { ...wish, act: "upscale", prompt: "", images: [picture] }, results: 1 },
    { kind: "image", model: "upscale-conservative", input: { ...wish, act: "upscale", images: [picture] }, results: 1 },
  ],
  models: [
    { name: "core", kind: "image", price: "per_image: 0.03" },
    { name: "sd3.5-large", kind: "image", price: "per_image: 0.065" },
  ],
};

function readSubmit({ path, headers, body }: LabRequest): Intent | null {
  const way = /^\/v2beta\/stable-image\/(generate\/(?:ultra|core|sd3)|edit\/inpaint|upscale\/(?:fast|conservative))$/.exec(path)?.[1];
  if (way === undefined) return null;
  const reject = (says: string): Intent => ({ do: "reject", says });
  const [prompt, ratio, model, mode] = ["prompt", "aspect_ratio", "model", "mode"].map((name) => textOf(body, name));
  const hasImage = isFile(fieldOf(body, "image"));
  if (headers.accept !== "application/json") return reject("accept: must be application/json here");
  if (!String(headers["content-type"]).startsWith("multipart/form-data")) return reject("content-type: must be multipart/form-data");
  if (way !== "upscale/fast" && !prompt) return reject("prompt: cannot be empty");
  if (ratio && (!ratios.test(ratio) || mode === "image-to-image")) return reject("aspect_ratio: not allowed");
  if (way === "generate/sd3" && !/^sd3\.5-(large|large-turbo|medium|flash)$/.test(model ?? "")) return reject("model: not known");
  if (way === "generate/sd3" && (mode === "image-to-image") !== hasImage) return reject("mode: does not fit the image");
  if (!way.startsWith("generate") && !hasImage) return reject("image: required");
  if (way.startsWith("generate") && hasImage && !(Number(fieldOf(body, "strength")) <= 1)) return reject("strength: required");
  return { do: "submit", kind: "image", model: model || (way.split("/")[1] ?? ""), prompt: prompt ?? "" };
}

function isFile(value: unknown): boolean {
  return typeof value === "object" && value !== null && "bytes" in value;
}
