import { minimaxChallenge } from "../callbacks/minimax-challenge.ts";
import { createJob } from "../job/job.ts";
import type { Field, Fields } from "../job/spec.ts";
import { pictureNote } from "./picture-note.ts";

const lines = (...nearestLines: string[]): Fields<"video"> => ({ resolution: { from: "input.resolution", as: { nearestLines } } });
const hailuo = { at: "model", begins: "MiniMax-Hailuo" } as const;
const clip: Field<"video"> = {
  merge: [
    { model: "model", prompt: "input.prompt", duration: "input.durationSeconds", ...lines("720P") },
    { prompt_optimizer: "input.extras.prompt_optimizer", callback_url: "callback.url" },
    { object: lines("768P", "1080P"), when: [hailuo] },
    {
      object: lines("512P", "768P", "1080P"),
      when: [
        { at: "model", is: "MiniMax-Hailuo-02" },
        { at: "input.image", exists: true },
      ],
    },
    { object: lines("768P"), when: [hailuo, { at: "input.durationSeconds", is: 10 }] },
  ],
};
const isOk = [{ at: "base_resp.status_code", is: 0 }] as const;
const ours = { at: "input.source", exists: false } as const;

/** MiniMax's first API of videos. */
export const minimaxV1 = createJob({
  type: "minimax-v1",
  about: {
    title: "MiniMax Hailuo (v1)",
    summary:
      "Videos of Hailuo 02 and 2.3 and of the 01 models. It has no field for a shape: text alone becomes a wide video, and a picture keeps its own. In China the base URL is `https://api.minimaxi.com`.",
    unconfirmed: [
      "Which resolutions a model has: 720P the 01 models, 768P and 1080P the others, 768P where ten seconds are asked for.",
      "How long links of results work: they are loaded at once, and asked for anew.",
      "What an unknown job is answered with: code 2013 without a status counts as that.",
      pictureNote,
    ],
    examples: [{ kind: "video", model: "MiniMax-Hailuo-2.3", price: "per_second: 0.05" }],
  },
  baseUrl: "https://api.minimax.io",
  pollEveryMs: 10_000,
  pictures: { maxBytes: 20_000_000, minSide: 300, formats: ["jpeg", "png", "webp"] },
  models: {
    video: {
      "MiniMax-Hailuo-2.3-Fast": { durations: [6, 10], promptCharacters: 2_000, needsImage: true },
      "MiniMax-Hailuo-*": { durations: [6, 10], promptCharacters: 2_000 },
      "I2V-01*": { durations: [6], promptCharacters: 2_000, needsImage: true },
      "S2V-01*": { durations: [6], promptCharacters: 2_000, needsImage: true },
      "*": { durations: [6], promptCharacters: 2_000 },
    },
  },
  start: [
    {
      kind: "video",
      when: [ours, { at: "model", is: "S2V-01" }],
      send: "POST /v1/video_generation",
      body: { merge: [clip, { subject_reference: [{ type: { const: "character" }, image: [{ from: "input.image", as: "link" }] }] }] },
    },
    {
      kind: "video",
      when: [ours],
      send: "POST /v1/video_generation",
      body: {
        merge: [
          clip,
          { first_frame_image: { from: "input.image", as: "link" }, last_frame_image: { from: "input.lastImage", as: "link" } },
        ],
      },
    },
  ],
  accepted: { ok: isOk, id: "task_id" },
  poll: {
    send: "GET /v1/query/video_generation?task_id={id}",
    // The same code is one of our own bad requests; only without a status it is about the job.
    missing: [
      { at: "base_resp.status_code", is: 2013 },
      { at: "status", exists: false },
    ],
  },
  status: {
    at: "status",
    // The file may be named a little after the success.
    rules: [
      {
        when: [
          { at: "status", is: "Success" },
          { at: "file_id", exists: false },
        ],
        means: "running",
      },
    ],
    words: { Preparing: "queued", Queueing: "queued", Processing: "running", Success: "done", Fail: "failed" },
  },
  resolve: [{ name: "found", send: "GET /v1/files/retrieve?file_id={record.file_id}", refused: "wait", ok: isOk }],
  results: { video: { video: ["found.file.download_url", "found.file.backup_download_url"] } },
  errors: {
    code: "base_resp.status_code",
    message: "base_resp.status_msg",
    codes: {
      "1000": "transient",
      "1001": "transient",
      "1024": "transient",
      "1033": "transient",
      "1002": "rate_limit",
      "1039": "rate_limit",
      "1041": "rate_limit",
      "1004": "auth",
      "2049": "auth",
      "1008": "quota",
      "2056": "quota",
      "2061": "quota",
      "1026": "content_policy",
      "1027": "content_policy",
      "1042": "invalid",
      "2013": "invalid",
    },
    texts: [["sensitive|moderat|policy", "content_policy"]],
  },
  hears: minimaxChallenge,
});
