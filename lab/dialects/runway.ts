import type { VideoInput } from "../../src/core/kinds.ts";
import { bearerOf, fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, LabRequest, No } from "../dialect.ts";

const status: Record<No, number> = { auth: 401, invalid: 400, quota: 402, rate_limit: 429, content_policy: 400, missing: 404, down: 500 };
const shapes = ["1280:720", "720:1280", "1104:832", "832:1104", "960:960", "1584:672"];
const models: Record<string, { durations: number[]; text: string[]; image: string[] }> = {
  gen4_turbo: { durations: [2, 3, 4, 5, 6, 7, 8, 9, 10], text: [], image: shapes },
  "gen4.5": { durations: [2, 3, 4, 5, 6, 7, 8, 9, 10], text: ["1280:720", "720:1280"], image: shapes },
  "veo3.1": {
    durations: [4, 6, 8],
    text: ["1280:720", "720:1280", "1080:1920", "1920:1080"],
    image: ["1280:720", "720:1280", "1080:1920", "1920:1080"],
  },
};

const asked: VideoInput = { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } };

/** Runway's tasks, as api.dev.runwayml.com speaks of them. */
export const runway: Dialect = {
  type: "runway",
  key: bearerOf,
  read(request) {
    const { method, path } = request;
    const id = /^\/v1\/tasks\/([^/]+)$/.exec(path)?.[1];
    if (id !== undefined && method === "GET") return { do: "poll", ids: [decodeURIComponent(id)], many: false };
    if (id !== undefined && method === "DELETE") return { do: "cancel", id: decodeURIComponent(id) };
    if (method === "POST" && path === "/v1/text_to_video") return readSubmit(request, "text");
    if (method === "POST" && path === "/v1/image_to_video") return readSubmit(request, "image");
    return null;
  },
  accepted: ({ id }) => ({ status: 200, body: { id } }),
  shown: ([job]) => ({
    status: 200,
    body: job && {
      id: job.id,
      createdAt: new Date(job.submittedAt).toISOString(),
      status: job.word,
      ...(job.state === "running" && { progress: job.progress }),
      ...(job.state === "failed" && { failure: "The generation failed.", failureCode: job.failure }),
      ...(job.state === "done" && { output: job.hasResults ? [job.link("clip.mp4")] : [] }),
    },
  }),
  cancelled: () => ({ status: 204 }),
  no: (reason, says) => ({
    status: status[reason],
    body: { error: reason === "content_policy" ? `Input did not pass moderation. ${says}` : says, docUrl: "https://docs.example/api" },
  }),
  envelope: false,
  plain: { queued: "PENDING", running: "RUNNING", done: "SUCCEEDED", failed: "FAILED", cancelled: "CANCELLED" },
  words: {
    PENDING: { shows: "queued", means: "queued" },
    THROTTLED: { shows: "queued", means: "queued" },
    RUNNING: { shows: "running", means: "running" },
    SUCCEEDED: { shows: "done", means: "done" },
    FAILED: { shows: "failed", means: "failed" },
    CANCELLED: { shows: "cancelled", means: "failed" },
  },
  failures: { content: "SAFETY.INPUT.TEXT", internal: "INTERNAL.BAD_OUTPUT.CODE01" },
  samples: [
    { kind: "video", model: "gen4.5", input: asked },
    { kind: "video", model: "gen4.5", input: { ...asked, aspectRatio: { width: 1, height: 1 }, image: { from: "data", uri: "data:," } } },
    {
      kind: "video",
      model: "gen4_turbo",
      input: { ...asked, aspectRatio: { width: 4, height: 3 }, image: { from: "url", url: "https://pictures.example/a.png" } },
    },
    { kind: "video", model: "veo3.1", input: { ...asked, durationSeconds: 4, aspectRatio: { width: 9, height: 16 } } },
  ],
  models: [
    { name: "gen4_turbo", kind: "video", price: "per_second: 0.05" },
    { name: "gen4.5", kind: "video", price: "per_second: 0.12" },
  ],
};

function readSubmit({ headers, body }: LabRequest, from: "text" | "image"): Intent {
  const limits = models[textOf(body, "model")];
  const prompt = textOf(body, "promptText");
  const reject = (says: string): Intent => ({ do: "reject", says });
  if (headers["x-runway-version"] !== "2024-11-06") return reject("The header X-Runway-Version is wrong.");
  if (!limits || limits[from].length === 0) return reject("Validation of body failed: model.");
  if (!limits[from].includes(textOf(body, "ratio"))) return reject("Validation of body failed: ratio.");
  if (!limits.durations.some((seconds) => seconds === fieldOf(body, "duration"))) return reject("Validation of body failed: duration.");
  if (prompt === "" ? from === "text" : prompt.length > 1_000) return reject("Validation of body failed: promptText.");
  if (from === "image" && !/^(https:\/\/|data:image\/)/.test(textOf(body, "promptImage")))
    return reject("Validation of body failed: promptImage.");
  return { do: "submit", kind: "video", model: textOf(body, "model"), prompt };
}
