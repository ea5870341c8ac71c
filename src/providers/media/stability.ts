import { createJob } from "../job/job.ts";
import type { Fields, StartOf } from "../job/spec.ts";
import { withImageInput, withShape } from "./image-input.ts";
import { pictureNote } from "./picture-note.ts";

const ratios = ["1:1", "16:9", "9:16", "3:2", "2:3", "5:4", "4:5", "21:9", "9:21"];
const image = { from: "input.images[0]", as: "file" } as const;
const strength = { from: "input.strength", or: 0.65 } as const;

const common = {
  prompt: "input.prompt",
  negative_prompt: "input.negativePrompt",
  seed: "input.seed",
  output_format: { const: "png" },
} satisfies Fields<"image">;
const shaped = { aspect_ratio: { from: "input.aspectRatio", as: { nearestRatio: ratios } } } satisfies Fields<"image">;
const style = { style_preset: "input.extras.style_preset" } satisfies Fields<"image">;
const sd3 = { model: "model", cfg_scale: "input.extras.cfg_scale" } satisfies Fields<"image">;
const pictured = { at: "input.images[0]", exists: true } as const;

const api = createJob({
  type: "stability",
  about: {
    title: "Stability AI",
    summary:
      "Stable Image ultra, core and the sd3.5 models, inpainting and two ways to enlarge, one picture a request, answered at once. A picture that was blurred over its content counts as refused.",
    unconfirmed: [pictureNote],
    examples: [
      { kind: "image", model: "core", price: "per_image: 0.03" },
      { kind: "image", model: "sd3.5-large", price: "per_image: 0.065" },
    ],
  },
  baseUrl: "https://api.stability.ai",
  headers: { accept: "application/json" },
  pollEveryMs: 5_000,
  patience: { startSeconds: 180 },
  usualLimits: { perMinute: 600 },
  pictures: { maxBytes: 9 * 1024 * 1024, minSide: 64, formats: ["png", "jpeg", "webp"] },
  models: {
    image: {
      core: { count: 1, promptCharacters: 10_000 },
      inpaint: { acts: ["edit"], count: 1, promptCharacters: 10_000 },
      "upscale-*": { acts: ["upscale"], count: 1 },
      "*": { acts: ["generate", "vary"], count: 1, promptCharacters: 10_000 },
    },
  },
  start: [
    way("generate/core", { ...common, ...shaped, ...style }, [is("core")]),
    way("edit/inpaint", { ...common, ...style, image, mask: { from: "input.mask", as: { mask: "white", as: "file" } } }, [is("inpaint")]),
    way("upscale/fast", { image, output_format: { const: "png" } }, [is("upscale-fast")]),
    way("upscale/conservative", { ...common, image }, [is("upscale-conservative")]),
    way("generate/ultra", { ...common, ...shaped, ...style, image, strength }, [is("ultra"), pictured]),
    way("generate/ultra", { ...common, ...shaped, ...style }, [is("ultra")]),
    way("generate/sd3", { ...common, ...sd3, mode: { const: "image-to-image" }, image, strength }, [pictured]),
    way("generate/sd3", { ...common, ...sd3, ...shaped, mode: { const: "text-to-image" } }, []),
  ],
  status: { at: "finish_reason", words: { SUCCESS: "done", CONTENT_FILTERED: "content_policy" } },
  results: { image: { pictures: "", media: { at: "image", as: "base64" }, seed: "seed" } },
  errors: {
    code: "name",
    message: ["errors[0]", "errors", "message"],
    codes: { content_moderation: "content_policy", unauthorized: "auth", payment_required: "quota", rate_limit_exceeded: "rate_limit" },
    texts: [
      ["moderat|content policy|safety", "content_policy"],
      ["credit", "quota"],
    ],
  },
});

/** Stability's own API. */
export const stability = withImageInput(api, withShape);

function is(model: string) {
  return { at: "model", is: model } as const;
}

function way(place: string, form: Fields<"image">, when: NonNullable<StartOf<"image">["when"]>): StartOf<"image"> {
  return { kind: "image", when, send: `POST /v2beta/stable-image/${place}`, form, answers: "record" };
}
