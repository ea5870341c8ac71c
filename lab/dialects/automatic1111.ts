import type { ImageInput } from "../../src/core/kinds.ts";
import { fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, LabRequest, No } from "../dialect.ts";
import { mediaBytes } from "../media.ts";

const status: Record<No, number> = { auth: 401, invalid: 422, quota: 402, rate_limit: 429, content_policy: 422, missing: 404, down: 500 };
const wish: ImageInput = { act: "generate", prompt: "a lighthouse", images: [], count: 1, grid: false };
const picture = { from: "data", uri: "data:," } as const;

/** The web UI of AUTOMATIC1111, started with --api and --api-auth. */
export const automatic1111: Dialect = {
  type: "automatic1111",
  instant: true,
  credential: (key) => `lab:${key}`,
  key({ headers }) {
    const encoded = /^Basic (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
    return /^lab:(.+)$/.exec(Buffer.from(encoded, "base64").toString())?.[1] ?? null;
  },
  read: (request) => (request.method === "POST" ? readSubmit(request) : null),
  accepted({ note, prompt }) {
    const image = Buffer.from(mediaBytes("cover.png")).toString("base64");
    if (note["way"] === "interrogate") return { status: 200, body: { caption: "a lighthouse at dusk" } };
    if (note["way"] === "extra-single-image") return { status: 200, body: { html_info: "", image } };
    const images = Array.from({ length: Number(note["count"]) }, () => image);
    return { status: 200, body: { images, parameters: { prompt }, info: JSON.stringify({ prompt, all_seeds: images.map(() => 7) }) } };
  },
  no: (reason, says) => ({
    status: status[reason],
    body: {
      error: reason === "down" ? "OutOfMemoryError" : "HTTPException",
      detail: reason === "content_policy" ? `NSFW content was found: ${says}` : says,
      body: "",
      errors: "",
    },
  }),
  envelope: false,
  plain: { queued: "", running: "", done: "", failed: "", cancelled: "" },
  words: {},
  failures: { content: "NSFW content was found", internal: "CUDA out of memory" },
  linksExpire: false,
  samples: [
    { kind: "image", model: "default", input: { ...wish, count: 2, seed: 7 }, results: 2 },
    { kind: "image", model: "v1-5-pruned.safetensors", input: { ...wish, aspectRatio: { width: 16, height: 9 } }, results: 1 },
    { kind: "image", model: "default", input: { ...wish, act: "edit", images: [picture], mask: picture, strength: 0.5 }, results: 1 },
    { kind: "image", model: "v1-5-pruned.safetensors", input: { ...wish, act: "vary", images: [picture] }, results: 1 },
    { kind: "image", model: "default", input: { ...wish, act: "upscale", prompt: "", images: [picture] }, results: 1 },
    { kind: "image", model: "default", input: { ...wish, act: "describe", prompt: "", images: [picture] } },
  ],
  models: [{ name: "default", kind: "image", price: "per_image: 0.01" }],
};

function readSubmit({ path, body }: LabRequest): Intent | null {
  const way = /^\/sdapi\/v1\/(txt2img|img2img|extra-single-image|interrogate)$/.exec(path)?.[1];
  if (way === undefined) return null;
  const reject = (says: string): Intent => ({ do: "reject", says });
  const [prompt, count, pictures] = [textOf(body, "prompt"), fieldOf(body, "batch_size"), fieldOf(body, "init_images")];
  const isRaw = (value: unknown) => typeof value === "string" && /^[A-Za-z0-9+/]+=*$/.test(value);
  const note = { way, count };
  if (way === "interrogate" || way === "extra-single-image")
    return isRaw(fieldOf(body, "image"))
      ? { do: "submit", kind: "image", model: way, prompt, note }
      : reject("image: Invalid encoded image");
  if (!Number.isInteger(count) || Number(count) < 1) return reject("batch_size: wrong");
  if (!Number.isInteger(fieldOf(body, "seed"))) return reject("seed: not an integer");
  for (const side of ["width", "height"]) {
    const length = fieldOf(body, side);
    if (length !== undefined && (!Number.isInteger(length) || Number(length) % 8 !== 0)) return reject(`${side}: wrong`);
  }
  if (way === "img2img" && !(Array.isArray(pictures) && pictures.length > 0 && pictures.every(isRaw)))
    return reject("Init image not found");
  const model = textOf(fieldOf(body, "override_settings"), "sd_model_checkpoint") || "default";
  return { do: "submit", kind: "image", model, prompt, note };
}
