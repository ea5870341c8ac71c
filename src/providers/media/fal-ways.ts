import type { Start, StartOf } from "../job/spec.ts";
import { hostedResolution } from "./hosted-resolutions.ts";

const withUnit = ["fal-ai/veo3", "fal-ai/veo3/fast", "fal-ai/veo3.1", "fal-ai/veo3.1/fast", "fal-ai/luma-dream-machine/ray-2"] as const;
const asNumber = [
  "fal-ai/pika/v2.2/text-to-video",
  "fal-ai/pika/v2.2/image-to-video",
  "fal-ai/sora-2/text-to-video",
  "fal-ai/sora-2/image-to-video",
] as const;

const seconds = "input.durationSeconds" as const;
const usual = { at: "options.duration", exists: false } as const;
const first = { from: "input.image", as: "link" } as const;
const given = { from: "input.images[0]", as: "link" } as const;
const each = { each: "input.images", item: { from: "item", as: "link" } } as const;
const ratio = { from: "input.aspectRatio", as: "ratio" } as const;
const resolution = hostedResolution({
  "fal-ai/pika/": ["720p", "1080p"],
  "fal-ai/veo3": ["720p", "1080p"],
  "fal-ai/luma-dream-machine/ray-2": ["540p", "720p", "1080p"],
  "fal-ai/sora-2/": ["720p"],
});

const common = { send: "POST /{+model}", query: { fal_webhook: "callback.url" } } as const;

const video: StartOf<"video"> = {
  ...common,
  kind: "video",
  body: {
    merge: [
      "input.extras",
      {
        prompt: "input.prompt",
        negative_prompt: "input.negativePrompt",
        seed: "input.seed",
        aspect_ratio: ratio,
      },
      resolution,
      // Models write the same duration as "5", as 5 or as "5s".
      { object: { duration: { from: seconds, as: "text" } }, when: [usual] },
      { object: { duration: { from: seconds, as: { suffix: "s" } } }, when: [{ at: "model", is: withUnit }, usual] },
      { object: { duration: seconds }, when: [{ at: "model", is: asNumber }, usual] },
      { object: { duration: { from: seconds, as: { suffix: "s" } } }, when: [{ at: "options.duration", is: "seconds" }] },
      { object: { duration: seconds }, when: [{ at: "options.duration", is: "number" }] },
      { object: { image_url: first }, when: [{ at: "options.image_field", exists: false }] },
      { object: { start_image_url: first }, when: [{ at: "options.image_field", is: "start_image_url" }] },
      { object: { first_frame_url: first }, when: [{ at: "options.image_field", is: "first_frame_url" }] },
      { end_image_url: { from: "input.lastImage", as: "link" } },
    ],
  },
};

const image: StartOf<"image"> = {
  ...common,
  kind: "image",
  body: {
    merge: [
      "input.extras",
      {
        prompt: "input.prompt",
        negative_prompt: "input.negativePrompt",
        num_images: "input.count",
        seed: "input.seed",
        strength: "input.strength",
      },
      { image_size: "input.size", aspect_ratio: ratio, mask_url: { from: "input.mask", as: { mask: "white", as: "link" } } },
      {
        object: { image_url: given },
        when: [
          { at: "options.image_field", exists: false },
          { at: "input.images[1]", exists: false },
        ],
      },
      { object: { image_urls: each }, when: [{ at: "options.image_field", is: "image_urls" }] },
      { object: { image_urls: each }, when: [{ at: "input.images[1]", exists: true }] },
    ],
  },
};

const inspiration: StartOf<"music"> = {
  ...common,
  kind: "music",
  when: [{ at: "input.mode", is: "inspiration" }],
  body: {
    merge: [
      "input.extras",
      { prompt: "input.description", instrumental: "input.instrumental", seed: "input.seed" },
      { object: { tags: "input.description" }, when: [{ at: "model", is: "fal-ai/ace-step" }] },
    ],
  },
};

const custom: StartOf<"music"> = {
  ...common,
  kind: "music",
  when: [{ at: "input.mode", is: "custom" }],
  body: {
    merge: [
      "input.extras",
      { prompt: "input.tags", tags: "input.tags", lyrics: "input.lyrics", seed: "input.seed" },
      { object: { style_prompt: "input.tags" }, when: [{ at: "model", is: "fal-ai/diffrhythm" }] },
      { object: { genres: "input.tags" }, when: [{ at: "model", is: "fal-ai/yue" }] },
    ],
  },
};

/** How each kind of job is sent to an app; what the client sent along gives way to what was paid for. */
export const falWays: readonly Start[] = [video, image, inspiration, custom];
