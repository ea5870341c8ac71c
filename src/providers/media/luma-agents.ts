import { createJob } from "../job/job.ts";
import type { Fields } from "../job/spec.ts";
import { withImageInput, withShape } from "./image-input.ts";

const aspectRatios = ["16:9", "9:16", "1:1", "4:3", "3:4", "3:2", "2:3", "21:9", "2:1", "1:2", "3:1", "1:3"] as const;
const aspect_ratio = { from: "input.aspectRatio", as: { nearestRatio: aspectRatios } } as const;

const common = { model: "model", prompt: "input.prompt", aspect_ratio } as const;
const resolution = { from: "input.resolution", as: { nearestLines: ["540p", "720p", "1080p"] } } as const;
const video = { resolution, hdr: "input.extras.hdr" } satisfies Fields<"video">;
const clip = { ...video, duration: { from: "input.durationSeconds", as: { suffix: "s" } }, loop: "input.loop" } satisfies Fields<"video">;
const first = { data: { from: "input.image", as: "base64" }, media_type: { from: "input.image", as: "mime" } } as const;
const last = { data: { from: "input.lastImage", as: "base64" }, media_type: { from: "input.lastImage", as: "mime" } } as const;
const end_frame = { object: last, when: [{ at: "input.lastImage", exists: true }] } as const;

const picture = { ...common, style: "input.extras.style", output_format: "input.extras.output_format" } satisfies Fields<"image">;
const image_ref = {
  each: "input.images",
  item: { data: { from: "item", as: "base64" }, media_type: { from: "item", as: "mime" } },
} as const;
const source = { data: { from: "input.images[0]", as: "base64" }, media_type: { from: "input.images[0]", as: "mime" } } as const;

const byWire = createJob({
  type: "luma-agents",
  about: {
    title: "Luma Agents API",
    summary: "Videos of Ray 3.2 and pictures of Uni. Its keys are its own: those of the older API do not work here.",
    unconfirmed: ["Callbacks, cancelling and rate limits: none is known, so jobs are only asked about."],
    examples: [
      { kind: "video", model: "ray-3.2", price: "per_second: 0.12" },
      { kind: "image", model: "uni-1", price: "per_image: 0.04" },
    ],
  },
  baseUrl: "https://agents.lumalabs.ai/v1",
  pollEveryMs: 4_000,
  models: {
    video: {
      "ray-*": { durations: [5, 10], aspectRatios, promptCharacters: 6_000, acts: ["generate", "extend", "remix"] },
      "*": { aspectRatios, promptCharacters: 6_000, acts: ["generate", "extend", "remix"] },
    },
    image: { "*": { aspectRatios, promptCharacters: 6_000, acts: ["generate", "edit"], count: 1 } },
  },
  start: [
    {
      kind: "video",
      when: [
        { at: "input.source.act", is: "extend" },
        { at: "input.source.upstreamTaskId", exists: true },
      ],
      send: "POST /generations",
      body: {
        ...common,
        type: { const: "video" },
        video: { ...clip, start_frame: { generation_id: "input.source.upstreamTaskId" }, end_frame },
      },
    },
    {
      kind: "video",
      when: [
        { at: "input.source.act", is: "remix" },
        { at: "input.source.upstreamTaskId", exists: true },
      ],
      send: "POST /generations",
      // A change of a video is as long and as wide as the video.
      body: {
        model: "model",
        prompt: "input.prompt",
        type: { const: "video_edit" },
        source: { generation_id: "input.source.upstreamTaskId" },
        video: { ...video, edit: { strength: { from: "input.extras.strength" }, auto_controls: { const: true } } },
      },
    },
    {
      kind: "video",
      when: [{ at: "input.source", exists: false }],
      send: "POST /generations",
      body: {
        ...common,
        type: { const: "video" },
        video: { ...clip, start_frame: { object: first, when: [{ at: "input.image", exists: true }] }, end_frame },
      },
    },
    {
      kind: "image",
      when: [
        { at: "input.act", is: "edit" },
        { at: "input.images[0]", exists: true },
        { at: "input.images[1]", exists: false },
        { at: "input.mask", exists: false },
      ],
      send: "POST /generations",
      body: { ...picture, type: { const: "image_edit" }, source },
    },
    {
      kind: "image",
      when: [{ at: "input.act", is: "generate" }],
      send: "POST /generations",
      body: { ...picture, type: { const: "image" }, image_ref },
    },
  ],
  accepted: { id: "id" },
  poll: { send: "GET /generations/{id}" },
  status: { at: "state", words: { queued: "queued", processing: "running", completed: "done", failed: "failed" } },
  results: {
    video: { video: "output[0].url" },
    image: { pictures: "output", media: "url" },
  },
  errors: {
    code: ["failure_code", "error.code", "code"],
    message: ["failure_reason", "error.message", "detail", "message"],
    codes: {
      content_moderated: "content_policy",
      budget_exhausted: "quota",
      rate_limited: "rate_limit",
      generation_failed: "transient",
      output_not_found: "transient",
      image_too_large: "invalid",
      unsupported_format: "invalid",
      corrupt_input: "invalid",
      invalid_request: "invalid",
    },
    texts: [
      ["credit|budget|billing|balance", "quota"],
      ["moderat|safety|policy", "content_policy"],
    ],
  },
});

/** Luma's newer API of videos and pictures. */
export const lumaAgents = withImageInput(byWire, withShape);
