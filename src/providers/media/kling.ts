import { standardWebhooks } from "../callbacks/standard-webhooks.ts";
import { createJob } from "../job/job.ts";
import type { Field, Fields } from "../job/spec.ts";
import { klingErrors } from "./kling-errors.ts";
import { pictureNote } from "./picture-note.ts";

const aspectRatios = ["16:9", "9:16", "1:1"] as const;

const lines = (...nearestLines: string[]): Fields<"video"> => ({ resolution: { from: "input.resolution", as: { nearestLines } } });
const settings: Field<"video"> = {
  merge: [
    { ...lines("720p", "1080p"), duration: "input.durationSeconds", audio: "input.extras.audio" },
    { object: lines("720p", "1080p", "4k"), when: [{ at: "model", begins: "kling-3" }] },
  ],
};
const options = { callback_url: "callback.url", external_task_id: "idempotencyKey" } satisfies Fields<"video">;
const isOk = [{ at: "code", is: 0 }] as const;

/** Kling's API of the new generation, whose addresses name the model. */
export const kling = createJob({
  type: "kling",
  about: {
    title: "Kling (new generation)",
    summary:
      "Videos of Kling 2.6 and later, with an API key. A webhook secret made in Kling's console goes under `webhook_secret`; keys that are pairs belong to `kling-legacy`.",
    unconfirmed: [
      "Whether frames may come as data URIs: those that are not on the web are sent so.",
      "Addresses for pictures: this adapter makes videos alone.",
      pictureNote,
    ],
    examples: [{ kind: "video", model: "kling-3.0", price: "per_second: 0.14" }],
  },
  baseUrl: "https://api-singapore.klingai.com",
  pollEveryMs: 5_000,
  pictures: { maxBytes: 10_000_000, minSide: 300, formats: ["jpeg", "png"] },
  models: {
    video: {
      "kling-2.*": { durations: [5, 10], aspectRatios, promptCharacters: 2_500 },
      "kling-3.*": { durations: { min: 3, max: 15 }, aspectRatios, promptCharacters: 3_072 },
      "*": { aspectRatios, promptCharacters: 2_500 },
    },
  },
  start: [
    {
      kind: "video",
      when: [
        { at: "input.source", exists: false },
        { at: "input.image", exists: true },
      ],
      send: "POST /image-to-video/{model}",
      body: {
        contents: [
          { object: { type: { const: "prompt" }, text: "input.prompt" }, when: [{ at: "input.prompt", exists: true }] },
          { type: { const: "first_frame" }, url: { from: "input.image", as: "link" } },
          {
            object: { type: { const: "last_frame" }, url: { from: "input.lastImage", as: "link" } },
            when: [{ at: "input.lastImage", exists: true }],
          },
        ],
        settings,
        options,
      },
    },
    {
      kind: "video",
      when: [
        { at: "input.source", exists: false },
        { at: "input.lastImage", exists: false },
      ],
      send: "POST /text-to-video/{model}",
      body: {
        prompt: "input.prompt",
        settings: { merge: [settings, { aspect_ratio: { from: "input.aspectRatio", as: { nearestRatio: aspectRatios } } }] },
        options,
      },
    },
  ],
  accepted: { ok: isOk, id: "data.id" },
  poll: {
    send: "GET /tasks?task_ids={id}",
    ok: isOk,
    task: "data[0]",
    many: { send: "GET /tasks?task_ids={ids}", max: 50, list: "data", id: "id" },
  },
  lookup: { send: "GET /tasks?external_task_ids={reference}", ok: isOk, id: "data[0].id" },
  status: { at: "status", words: { submitted: "queued", processing: "running", succeeded: "done", failed: "failed" } },
  results: { video: { video: "outputs[0].url", durationSeconds: "outputs[0].duration" } },
  errors: klingErrors,
  hears: standardWebhooks,
});
