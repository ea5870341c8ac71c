import type { Fields, Start } from "../job/spec.ts";

/** The shapes of videos, and of pictures. */
export const wideOrTall = ["16:9", "9:16"] as const;
export const shapes = ["1:1", "16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "5:4", "4:5", "21:9"] as const;

const first = { bytesBase64Encoded: { from: "input.image", as: "base64" }, mimeType: { from: "input.image", as: "mime" } } as const;
const last = { bytesBase64Encoded: { from: "input.lastImage", as: "base64" }, mimeType: { from: "input.lastImage", as: "mime" } } as const;

const lines = (...nearestLines: string[]): Fields<"video"> => ({ resolution: { from: "input.resolution", as: { nearestLines } } });
// Shorter videos have no more lines than the usual ones.
const long = { at: "input.durationSeconds", is: 8 } as const;

const said = {
  description: { object: { text: "input.description" }, when: [{ at: "input.description", exists: true }] },
  title: { object: { text: { from: "input.title", as: { prefix: "Title: " } } }, when: [{ at: "input.title", exists: true }] },
  tags: { object: { text: { from: "input.tags", as: { prefix: "Style: " } } }, when: [{ at: "input.tags", exists: true }] },
  lyrics: { object: { text: { from: "input.lyrics", as: { prefix: "Lyrics:\n" } } }, when: [{ at: "input.lyrics", exists: true }] },
  instrumental: { object: { text: { const: "Instrumental only, no vocals." } }, when: [{ at: "input.instrumental", is: true }] },
} satisfies Fields<"music">;

/** How Google is asked for a video, a picture and a song. */
export const geminiWays: readonly Start[] = [
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
        merge: [
          {
            aspectRatio: { from: "input.aspectRatio", as: { nearestRatio: wideOrTall } },
            durationSeconds: "input.durationSeconds",
            negativePrompt: "input.negativePrompt",
            seed: "input.seed",
            personGeneration: "input.extras.person_generation",
          },
          lines("720p"),
          { object: lines("720p", "1080p", "4k"), when: [long] },
          { object: lines("720p", "1080p"), when: [long, { at: "model", begins: "veo-3.0" }] },
          { object: lines("720p"), when: [{ at: "model", begins: "veo-2" }] },
        ],
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
];
