import { bfl as signed } from "../callbacks/bfl.ts";
import { createJob, type JobAdapter } from "../job/job.ts";
import type { Fields, StartOf } from "../job/spec.ts";
import { withImageInput, withShape, withSize } from "./image-input.ts";
import { pictureNote } from "./picture-note.ts";

const home = "https://api.bfl.ai";
const ratios = ["1:1", "16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "4:5", "5:4", "21:9", "9:21"];
const picture = (place: number) => ({ from: `input.images[${place}]`, as: "base64" }) as const;
const mask = { from: "input.mask", as: { mask: "white", as: "base64" } } as const;

const common = {
  // Without words a picture is varied, and the wire wants some.
  prompt: { from: "input.prompt", or: "the same picture, seen another way" },
  seed: "input.seed",
  safety_tolerance: "input.extras.safety_tolerance",
  output_format: { from: "input.extras.output_format", or: "png" },
  webhook_url: "callback.url",
  webhook_secret: "callback.secret",
} satisfies Fields<"image">;
const sized = { width: "input.size.width", height: "input.size.height" } satisfies Fields<"image">;
const shaped = { aspect_ratio: { from: "input.aspectRatio", as: { nearestRatio: ratios } } } satisfies Fields<"image">;
const upsampled = { prompt_upsampling: "input.extras.prompt_upsampling" } satisfies Fields<"image">;
const led = { image_prompt: picture(0), image_prompt_strength: "input.extras.image_prompt_strength" } satisfies Fields<"image">;
const pictures: Fields<"image"> = Object.fromEntries(
  Array.from({ length: 8 }, (_, place) => [place === 0 ? "input_image" : `input_image_${place + 1}`, picture(place)]),
);
const room = { from: "input.extras.margin", or: 256 } as const;

const api = createJob({
  type: "bfl",
  about: {
    title: "Black Forest Labs (FLUX)",
    summary: "FLUX pictures, edits, fills and extensions, one picture a request. Results are gone after ten minutes and are stored before.",
    unconfirmed: [
      "Whether sides must be multiples of 16; sizes that follow from a shape are.",
      "The answer to a request with a callback names no address to ask at; then the base URL's own is asked.",
      pictureNote,
    ],
    examples: [
      { kind: "image", model: "flux-2-pro", price: "per_image: 0.03" },
      { kind: "image", model: "flux-kontext-pro", price: "per_image: 0.04" },
    ],
  },
  baseUrl: home,
  trustedHosts: ["*.bfl.ai"],
  auth: { header: "x-key" },
  pollEveryMs: 1_000,
  usualLimits: { concurrent: 24 },
  pictures: { maxBytes: 20 * 1024 * 1024, formats: ["png", "jpeg", "webp"] },
  models: {
    image: {
      "flux-pro-1.0-fill*": { acts: ["edit"], count: 1 },
      "flux-pro-1.0-expand": { acts: ["zoom"], count: 1 },
      "flux-kontext-*": { acts: ["generate", "edit", "vary"], count: 1 },
      "flux-2-*": { acts: ["generate", "edit", "vary", "blend"], count: 1 },
      "flux-dev": { acts: ["generate"], count: 1 },
      "*": { acts: ["generate", "vary"], count: 1 },
    },
  },
  start: [
    way({ ...common, image: picture(0), mask }, "flux-pro-1.0-fill", "flux-pro-1.0-fill-finetuned"),
    way({ ...common, image: picture(0), top: room, bottom: room, left: room, right: room }, "flux-pro-1.0-expand"),
    way({ ...common, ...shaped, ...upsampled, input_image: picture(0) }, "flux-kontext-pro", "flux-kontext-max"),
    way({ ...common, ...shaped, ...upsampled, ...led, raw: "input.extras.raw" }, "flux-pro-1.1-ultra"),
    way({ ...common, ...sized, ...upsampled, ...led }, "flux-pro-1.1", "flux-pro", "flux-dev"),
    way({ ...common, ...sized, ...pictures, steps: "input.extras.steps", guidance: "input.extras.guidance" }),
  ],
  accepted: { id: "id", keep: { polling_url: "polling_url" } },
  poll: { send: "GET {keep.polling_url}" },
  status: {
    at: "status",
    words: {
      Pending: "running",
      Ready: "done",
      Error: "failed",
      Failed: "failed",
      "Request Moderated": "content_policy",
      "Content Moderated": "content_policy",
      "Task not found": "missing",
    },
  },
  progress: { at: "progress", of: 1 },
  results: { image: { pictures: "result", media: "sample", seed: "seed", prompt: "prompt" } },
  errors: {
    message: ["details", "detail", "error"],
    texts: [
      ["moderat|safety|policy", "content_policy"],
      ["insufficient credits|not enough credits", "quota"],
    ],
  },
  hears: signed,
});

/** FLUX, by its makers. */
export const bfl = withHomePoll(withImageInput(api, (input) => withShape(withSize(input, { pixels: 1024 * 1024, step: 32 }))));

function way(body: Fields<"image">, ...models: string[]): StartOf<"image"> {
  return { kind: "image", ...(models.length > 0 && { when: [{ at: "model", is: models }] }), send: "POST /v1/{model}", body };
}

function withHomePoll(adapter: JobAdapter): JobAdapter {
  return {
    ...adapter,
    create(settings) {
      const { tasks, ...rest } = adapter.create(settings);
      const { poll } = tasks;
      if (poll === undefined) return { ...rest, tasks };
      const base = (settings.baseUrl ?? home).replace(/\/+$/, "");
      const pollingUrl = (id: string) => `${base}/v1/get_result?id=${encodeURIComponent(id.toWellFormed())}`;
      return {
        ...rest,
        tasks: { ...tasks, poll: (job, work) => poll({ ...job, keep: { polling_url: pollingUrl(job.upstreamId), ...job.keep } }, work) },
      };
    },
  };
}
