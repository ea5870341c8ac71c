import { unsigned } from "../callbacks/unsigned.ts";
import { createJob } from "../job/job.ts";
import type { Fields } from "../job/spec.ts";
import { geminiErrors } from "./gemini-errors.ts";
import { withImageInput, withShape } from "./image-input.ts";

const wideOrTall = ["16:9", "9:16"] as const;
const shapes = ["1:1", "16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "5:4", "4:5", "21:9"] as const;
const refusals = [
  "SAFETY",
  "PROHIBITED_CONTENT",
  "BLOCKLIST",
  "SPII",
  "RECITATION",
  "IMAGE_SAFETY",
  "IMAGE_PROHIBITED_CONTENT",
  "IMAGE_RECITATION",
];
const samples = "response.generateVideoResponse.generatedSamples";

const first = { bytesBase64Encoded: { from: "input.image", as: "base64" }, mimeType: { from: "input.image", as: "mime" } } as const;
const last = { bytesBase64Encoded: { from: "input.lastImage", as: "base64" }, mimeType: { from: "input.lastImage", as: "mime" } } as const;

const said = {
  description: { object: { text: "input.description" }, when: [{ at: "input.description", exists: true }] },
  title: { object: { text: { from: "input.title", as: { prefix: "Title: " } } }, when: [{ at: "input.title", exists: true }] },
  tags: { object: { text: { from: "input.tags", as: { prefix: "Style: " } } }, when: [{ at: "input.tags", exists: true }] },
  lyrics: { object: { text: { from: "input.lyrics", as: { prefix: "Lyrics:\n" } } }, when: [{ at: "input.lyrics", exists: true }] },
  instrumental: { object: { text: { const: "Instrumental only, no vocals." } }, when: [{ at: "input.instrumental", is: true }] },
} satisfies Fields<"music">;

const byWire = createJob({
  type: "gemini-media",
  about: {
    title: "Google Gemini: Veo, Gemini images, Lyria",
    summary: "Videos of Veo, pictures of the Gemini models that draw, and songs of Lyria. Pictures and songs come with the reply itself.",
    unconfirmed: [
      "The key that messages about a video are signed with: they only make us ask earlier.",
      "Whether newer Lyria models still answer generateContent: those that do not are refused as not found.",
    ],
    examples: [
      { kind: "video", model: "veo-3.1-fast-generate-preview", price: "per_second: 0.15" },
      { kind: "image", model: "gemini-2.5-flash-image", price: "per_image: 0.039" },
      { kind: "music", model: "lyria-3-clip-preview", price: "per_call: 0.04" },
    ],
  },
  baseUrl: "https://generativelanguage.googleapis.com/v1beta",
  auth: { header: "x-goog-api-key" },
  pollEveryMs: 10_000,
  // A song of some minutes comes with the reply.
  patience: { startSeconds: 300 },
  pictures: { maxBytes: 7_000_000, formats: ["jpeg", "png", "webp"] },
  models: {
    video: {
      "veo-3*": { durations: [4, 6, 8], aspectRatios: wideOrTall },
      "veo-2*": { durations: { min: 5, max: 8 }, aspectRatios: wideOrTall },
      "*": { aspectRatios: wideOrTall },
    },
    image: { "*": { aspectRatios: shapes, acts: ["generate", "edit", "blend"], count: 1 } },
    music: { "*": {} },
  },
  start: [
    {
      kind: "video",
      when: [{ at: "input.source", exists: false }],
      send: "POST /models/{model}:predictLongRunning",
      body: {
        instances: [
          {
            prompt: "input.prompt",
            image: { object: first, when: [{ at: "input.image", exists: true }] },
            lastFrame: { object: last, when: [{ at: "input.lastImage", exists: true }] },
          },
        ],
        parameters: {
          aspectRatio: { from: "input.aspectRatio", as: { nearestRatio: wideOrTall } },
          durationSeconds: "input.durationSeconds",
          resolution: "input.resolution",
          negativePrompt: "input.negativePrompt",
          seed: "input.seed",
          personGeneration: "input.extras.person_generation",
        },
        webhookConfig: { object: { uris: ["callback.url"] }, when: [{ at: "callback.url", exists: true }] },
      },
    },
    {
      kind: "image",
      when: [
        { at: "input.act", is: ["generate", "edit", "blend"] },
        { at: "input.mask", exists: false },
      ],
      send: "POST /models/{model}:generateContent",
      body: {
        contents: [
          {
            role: { const: "user" },
            parts: [
              {
                each: "input.images",
                item: { inlineData: { mimeType: { from: "item", as: "mime" }, data: { from: "item", as: "base64" } } },
              },
              { text: "input.prompt" },
            ],
          },
        ],
        generationConfig: {
          responseModalities: [{ const: "TEXT" }, { const: "IMAGE" }],
          seed: "input.seed",
          imageConfig: {
            object: { aspectRatio: { from: "input.aspectRatio", as: { nearestRatio: shapes } } },
            when: [{ at: "input.aspectRatio", exists: true }],
          },
        },
      },
      answers: "record",
    },
    {
      kind: "music",
      when: [{ at: "input.mode", is: ["inspiration", "custom"] }],
      send: "POST /models/{model}:generateContent",
      body: {
        contents: [{ role: { const: "user" }, parts: Object.values(said) }],
        generationConfig: { responseModalities: [{ const: "AUDIO" }, { const: "TEXT" }] },
      },
      answers: "record",
    },
  ],
  accepted: { id: "name" },
  poll: { send: "GET /{+id}" },
  status: {
    // An operation has no word but its name, which says that it goes on.
    at: ["name", "responseId", "modelVersion"],
    words: {},
    rules: [
      { when: [{ at: "error", exists: true }], means: "failed" },
      { when: [{ at: "promptFeedback.blockReason", exists: true }], means: "content_policy" },
      { when: [{ at: "candidates[0].finishReason", is: refusals }], means: "content_policy" },
      { when: [{ at: "candidates[0].content.parts[0]", exists: true }], means: "done" },
      { when: [{ at: `${samples}[0]`, exists: true }], means: "done" },
      { when: [{ at: "response.generateVideoResponse.raiMediaFilteredCount", exists: true }], means: "content_policy" },
      { when: [{ at: "done", is: true }], means: "done" },
    ],
  },
  results: {
    video: { video: { at: `${samples}[0].video.uri`, as: "guarded" } },
    image: { pictures: "candidates[0].content.parts", media: { at: "inlineData.data", as: "base64" }, usage: "usageMetadata" },
    music: {
      songs: "candidates[0].content",
      lyrics: ["parts[0].text", "parts[1].text"],
      audio: { at: ["parts[0].inlineData.data", "parts[1].inlineData.data", "parts[2].inlineData.data"], as: "base64" },
    },
  },
  errors: geminiErrors,
  hears: unsigned,
});

/** Google's API of videos, pictures and songs. */
export const geminiMedia = withImageInput(byWire, withShape);
