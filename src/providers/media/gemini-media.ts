import { unsigned } from "../callbacks/unsigned.ts";
import { createJob } from "../job/job.ts";
import { geminiErrors } from "./gemini-errors.ts";
import { geminiWays, shapes, wideOrTall } from "./gemini-ways.ts";
import { withImageInput, withShape } from "./image-input.ts";
import { pictureNote } from "./picture-note.ts";

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

const byWire = createJob({
  type: "gemini-media",
  about: {
    title: "Google Gemini: Veo, Gemini images, Lyria",
    summary: "Videos of Veo, pictures of the Gemini models that draw, and songs of Lyria. Pictures and songs come with the reply itself.",
    unconfirmed: [
      "The key that messages about a video are signed with: they only make us ask earlier.",
      "Whether newer Lyria models still answer generateContent: those that do not are refused as not found.",
      pictureNote,
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
  start: geminiWays,
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
      { when: [{ at: "candidates[0].content.parts[*].inlineData", exists: true }], means: "done" },
      // Words alone: the model says why it does not draw or sing, and would say so again.
      { when: [{ at: "candidates[0].finishReason", exists: true }], means: "unsupported" },
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
