import { createJob } from "../job/job.ts";
import type { Fields, Start } from "../job/spec.ts";
import { withImageInput, withSize } from "./image-input.ts";

const picture = { from: "input.images[0]", as: "base64" } as const;
const wishes = {
  prompt: "input.prompt",
  negative_prompt: "input.negativePrompt",
  seed: { from: "input.seed", or: -1 },
  width: "input.size.width",
  height: "input.size.height",
  batch_size: "input.count",
  steps: { from: "input.extras.steps", or: 25 },
  cfg_scale: { from: "input.extras.cfg_scale", or: 7 },
  sampler_name: "input.extras.sampler_name",
  scheduler: "input.extras.scheduler",
} satisfies Fields<"image">;
const changed = {
  init_images: [picture],
  denoising_strength: { from: "input.strength", or: 0.75 },
  mask: { from: "input.mask", as: { mask: "transparent", as: "base64" } },
  // It paints where a mask is opaque unless told otherwise.
  inpainting_mask_invert: { const: 1 },
} satisfies Fields<"image">;
const checkpoint = { override_settings: { sd_model_checkpoint: "model" } } satisfies Fields<"image">;
const asItStands = { at: "model", is: "default" } as const;

const api = createJob({
  type: "automatic1111",
  about: {
    title: "AUTOMATIC1111",
    summary:
      'A Stable Diffusion web UI of your own, started with --api. A model\'s name is that of a checkpoint; "default" is the one that is loaded. The key is user:password where it was started with --api-auth.',
    options: { upscaler: "The name of the upscaler that enlarges pictures; R-ESRGAN 4x+ unless given." },
    examples: [{ kind: "image", model: "default", price: "per_image: 0.01" }],
  },
  baseUrl: "http://127.0.0.1:7860",
  auth: { header: "authorization", prefix: "Basic ", token: (secret) => Buffer.from(secret).toString("base64") },
  keyOptional: true,
  pollEveryMs: 5_000,
  patience: { startSeconds: 600 },
  usualLimits: { concurrent: 1 },
  models: { image: { "*": { acts: ["generate", "edit", "vary", "upscale", "describe"], count: 8 } } },
  start: [
    {
      kind: "image",
      when: [{ at: "input.act", is: "describe" }],
      send: "POST /sdapi/v1/interrogate",
      body: { image: picture, model: { const: "clip" } },
      answers: "record",
    },
    {
      kind: "image",
      when: [{ at: "input.act", is: "upscale" }],
      send: "POST /sdapi/v1/extra-single-image",
      body: {
        image: picture,
        upscaling_resize: { from: "input.extras.upscaling_resize", or: 2 },
        upscaler_1: { from: "options.upscaler", or: "R-ESRGAN 4x+" },
      },
      answers: "record",
    },
    ...ways("POST /sdapi/v1/img2img", { ...wishes, ...changed }, ["edit", "vary"]),
    ...ways("POST /sdapi/v1/txt2img", wishes, ["generate"]),
  ],
  status: {
    words: {},
    rules: [
      { when: [{ at: "images", exists: true }], means: "done" },
      { when: [{ at: "image", exists: true }], means: "done" },
      { when: [{ at: "caption", exists: true }], means: "done" },
    ],
  },
  results: { image: { pictures: ["images", "image"], media: { at: "", as: "base64" }, texts: "caption" } },
  errors: {
    code: "error",
    message: ["errors", "detail", "error"],
    texts: [["nsfw|safety|not allowed", "content_policy"]],
  },
});

/** The web UI of AUTOMATIC1111, and those that kept its API. */
export const automatic1111 = withImageInput(api, (input) => withSize(input, { pixels: 1024 * 1024, step: 64 }));

function ways(send: "POST /sdapi/v1/img2img" | "POST /sdapi/v1/txt2img", body: Fields<"image">, acts: readonly string[]): readonly Start[] {
  const act = { at: "input.act", is: acts } as const;
  return [
    { kind: "image", when: [act, asItStands], send, body, answers: "record" },
    { kind: "image", when: [act], send, body: { ...body, ...checkpoint }, answers: "record" },
  ];
}
