import { unsigned } from "../callbacks/unsigned.ts";
import { createJob } from "../job/job.ts";
import type { Fields } from "../job/spec.ts";
import { withImageInput, withShape } from "./image-input.ts";

const aspectRatios = ["16:9", "9:16", "1:1", "4:3", "3:4", "21:9", "9:21"] as const;
const aspect_ratio = { from: "input.aspectRatio", as: { nearestRatio: aspectRatios } } as const;

const clip = {
  model: "model",
  prompt: "input.prompt",
  aspect_ratio,
  duration: { from: "input.durationSeconds", as: { suffix: "s" } },
  resolution: { from: "input.resolution", as: { nearestLines: ["540p", "720p", "1080p", "4k"] } },
  loop: "input.loop",
  callback_url: "callback.url",
} satisfies Fields<"video">;
const first = { type: { const: "image" }, url: { from: "input.image", as: "link" } } as const;
const last = { type: { const: "image" }, url: { from: "input.lastImage", as: "link" } } as const;
const firstIfAny = { object: first, when: [{ at: "input.image", exists: true }] } as const;
const lastIfAny = { object: last, when: [{ at: "input.lastImage", exists: true }] } as const;

const picture = {
  model: "model",
  prompt: "input.prompt",
  aspect_ratio,
  format: "input.extras.format",
  callback_url: "callback.url",
} satisfies Fields<"image">;

const byWire = createJob({
  type: "luma",
  about: {
    title: "Luma Dream Machine (legacy API)",
    summary: "Videos of Ray 2 and pictures of Photon. Keys of the Agents API do not work here; that API is `luma-agents`.",
    unconfirmed: [
      "Whether a picture may come as a data URI: one that is not on the web is sent so.",
      "Whether deleting a job that waits stops its charge: only waiting jobs are cancelled.",
      "The words for too little credit and for moderation: both are guessed from the message.",
    ],
    examples: [
      { kind: "video", model: "ray-2", price: "per_second: 0.10" },
      { kind: "image", model: "photon-1", price: "per_image: 0.02" },
    ],
  },
  baseUrl: "https://api.lumalabs.ai/dream-machine/v1",
  pollEveryMs: 5_000,
  models: {
    video: {
      "ray-*": { durations: [5, 9], aspectRatios, promptCharacters: 5_000, acts: ["generate", "extend"] },
      "*": { aspectRatios, acts: ["generate", "extend"] },
    },
    image: { "*": { aspectRatios, promptCharacters: 5_000, acts: ["generate", "edit"], count: 1 } },
  },
  start: [
    {
      kind: "video",
      when: [
        { at: "input.source.act", is: "extend" },
        { at: "input.source.upstreamTaskId", exists: true },
      ],
      send: "POST /generations/video",
      body: { ...clip, keyframes: { frame0: { type: { const: "generation" }, id: "input.source.upstreamTaskId" }, frame1: lastIfAny } },
    },
    {
      kind: "video",
      when: [{ at: "input.source", exists: false }],
      send: "POST /generations/video",
      body: { ...clip, keyframes: { frame0: firstIfAny, frame1: lastIfAny } },
    },
    {
      kind: "image",
      when: [
        { at: "input.act", is: "edit" },
        { at: "input.images[0]", exists: true },
        { at: "input.images[1]", exists: false },
        { at: "input.mask", exists: false },
      ],
      send: "POST /generations/image",
      body: { ...picture, modify_image_ref: { url: { from: "input.images[0]", as: "link" } } },
    },
    {
      kind: "image",
      when: [{ at: "input.act", is: "generate" }],
      send: "POST /generations/image",
      body: { ...picture, image_ref: { each: "input.images", item: { url: { from: "item", as: "link" } } } },
    },
  ],
  accepted: { id: "id" },
  poll: { send: "GET /generations/{id}" },
  status: { at: "state", words: { queued: "queued", dreaming: "running", completed: "done", failed: "failed" } },
  results: {
    video: { video: "assets.video", cover: "assets.image" },
    image: { pictures: "assets.image", media: "" },
  },
  errors: {
    message: ["failure_reason", "detail"],
    texts: [
      ["credit|billing|balance", "quota"],
      ["moderat|safety|policy|nsfw|inappropriate|blocked|banned", "content_policy"],
    ],
  },
  cancel: { send: "DELETE /generations/{id}", from: ["queued"] },
  hears: unsigned,
});

/** Luma's older API of videos and pictures. */
export const luma = withImageInput(byWire, withShape);
