import type { ImageAct, ImageInput } from "../../core/kinds.ts";
import { createJob } from "../job/job.ts";
import type { Fields, Send, StartOf } from "../job/spec.ts";
import { withImageInput, withShape } from "./image-input.ts";
import { pictureNote } from "./picture-note.ts";

const shapes = ["1x1", "16x9", "9x16", "4x3", "3x4", "3x2", "2x3", "16x10", "10x16", "2x1", "1x2", "4x5", "5x4", "1x3", "3x1"];
const olderShapes = ["1:1", "16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "16:10", "10:16", "1:3", "3:1"];
const frames = ["1024x1024", "1344x768", "768x1344", "1152x896", "896x1152", "1248x832", "832x1248", "1536x640", "640x1536"];

const file = { from: "input.images[0]", as: "file" } as const;
const mask = { from: "input.mask", as: { mask: "black", as: "file" } } as const;
const common = { seed: "input.seed", num_images: "input.count", style_type: "input.extras.style_type" } as const;
const magic = { from: "input.extras.magic_prompt_option", as: "upper" } as const;
const weight = "input.extras.image_weight";

const plain = {
  ...common,
  rendering_speed: { from: "model", as: { lookup: { V_3_FLASH: "FLASH", V_3_TURBO: "TURBO", V_3_QUALITY: "QUALITY" } }, or: "DEFAULT" },
} as const;
const worded = { ...plain, prompt: "input.prompt", magic_prompt: magic } as const;
const shaped = {
  ...worded,
  negative_prompt: "input.negativePrompt",
  aspect_ratio: { from: "input.aspectRatio", as: { nearestRatio: shapes } },
} as const;
const olderWorded = { ...common, prompt: "input.prompt", model: "model", magic_prompt_option: magic } as const;
const olderShaped = {
  ...olderWorded,
  negative_prompt: "input.negativePrompt",
  aspect_ratio: { from: "input.aspectRatio", as: [{ nearestRatio: olderShapes }, { replace: [":", "_"] }, { prefix: "ASPECT_" }] },
} as const;
const enlarged = {
  prompt: "input.prompt",
  resemblance: "input.extras.resemblance",
  detail: "input.extras.detail",
  seed: "input.seed",
  num_images: "input.count",
} as const;

const api = createJob({
  type: "ideogram",
  about: {
    title: "Ideogram",
    summary:
      "Pictures, remixes, edits, reframes, enlargements and descriptions, answered at once. Models are V_3, V_3_TURBO, V_3_QUALITY and V_3_FLASH on the newer addresses, all others on the older ones.",
    unconfirmed: ["How long links work; pictures are stored at once.", pictureNote],
    examples: [
      { kind: "image", model: "V_3", price: "per_image: 0.06" },
      { kind: "image", model: "V_2", price: "per_image: 0.08" },
    ],
  },
  baseUrl: "https://api.ideogram.ai",
  auth: { header: "api-key" },
  pollEveryMs: 5_000,
  patience: { startSeconds: 180 },
  usualLimits: { concurrent: 10 },
  pictures: { maxBytes: 10 * 1024 * 1024, formats: ["png", "jpeg", "webp"] },
  models: {
    image: {
      describe: { acts: ["describe"] },
      upscale: { acts: ["upscale"], count: 8 },
      "V_3*": { acts: ["generate", "edit", "vary", "upscale", "zoom", "describe"], count: 8 },
      "*": { acts: ["generate", "edit", "vary", "upscale", "describe"], count: 8 },
    },
  },
  start: [
    way("describe", "POST /describe", { image_file: file }),
    way("upscale", "POST /upscale", { image_file: file, image_request: enlarged }),
    newer("generate", "POST /v1/ideogram-v3/generate", shaped),
    newer("edit", "POST /v1/ideogram-v3/edit", { ...worded, image: file, mask }, true),
    newer("edit", "POST /v1/ideogram-v3/remix", { ...shaped, image: file, image_weight: weight }),
    newer("vary", "POST /v1/ideogram-v3/remix", { ...shaped, image: file, image_weight: weight }),
    newer("zoom", "POST /v1/ideogram-v3/reframe", {
      ...plain,
      image: file,
      resolution: { from: "input.aspectRatio", as: { nearestRatio: frames }, or: "1024x1024" },
    }),
    { kind: "image", when: [is("generate")], send: "POST /generate", body: { image_request: olderShaped }, answers: "record" },
    way("edit", "POST /edit", { ...olderWorded, image_file: file, mask }, true),
    way("edit", "POST /remix", { image_file: file, image_request: { ...olderShaped, image_weight: weight } }),
    way("vary", "POST /remix", { image_file: file, image_request: { ...olderShaped, image_weight: weight } }),
  ],
  status: {
    words: {},
    rules: [
      { when: [{ at: "data", exists: true }], means: "done" },
      { when: [{ at: "descriptions", exists: true }], means: "done" },
    ],
  },
  results: {
    image: {
      pictures: "data",
      media: "url",
      seed: "seed",
      prompt: "prompt",
      withheld: [{ at: "is_image_safe", is: false }],
      texts: "descriptions[*].text",
    },
  },
  errors: {
    code: "code",
    message: ["error", "message", "detail"],
    http: { 422: "content_policy" },
    texts: [["safety|moderat|inappropriate|policy", "content_policy"]],
  },
});

/** Ideogram's own API. */
export const ideogram = withImageInput(api, (input) => weighted(withShape(input)));

// How near to its source a remix stays, 1 to 100: the other way round from how far it may go.
function weighted(input: ImageInput): ImageInput {
  if (input.strength === undefined) return input;
  return { ...input, extras: { image_weight: Math.round(100 - input.strength * 99), ...input.extras } };
}

function is(act: ImageAct) {
  return { at: "input.act", is: act } as const;
}

function way(act: ImageAct, send: Send, form: Fields<"image">, isMasked = false): StartOf<"image"> {
  return { kind: "image", when: isMasked ? [is(act), { at: "input.mask", exists: true }] : [is(act)], send, form, answers: "record" };
}

function newer(act: ImageAct, send: Send, form: Fields<"image">, isMasked = false): StartOf<"image"> {
  const older = way(act, send, form, isMasked);
  return { ...older, when: [...(older.when ?? []), { at: "model", is: ["V_3", "V_3_FLASH", "V_3_TURBO", "V_3_QUALITY"] }] };
}
