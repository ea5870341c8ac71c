import { createHmac } from "node:crypto";
import { fieldOf } from "../dialect.ts";
import type { CallbackGiven, Dialect, JobView } from "../dialect.ts";
import { callbackOf, isAddress, reject } from "./body-check.ts";
import { openaiVideos, videoOf } from "./openai-videos.ts";

const secret = "or_secret_of_the_lab";
const [sample, withPicture] = openaiVideos.samples;

/** OpenRouter, which speaks OpenAI's videos and tells of their ends. */
export const openrouterVideos: Dialect = {
  ...openaiVideos,
  type: "openrouter-videos",
  adapter: "openai-videos",
  options: () => ({ image: "json", callbacks: "callback_url" }),
  read(request) {
    const { body } = request;
    const address = fieldOf(body, "callback_url");
    if (address !== undefined && !isAddress(address)) return reject("callback_url");
    const rest = typeof body === "object" && body !== null ? Object.fromEntries(Object.entries(body).filter(isWish)) : body;
    const intent = openaiVideos.read({ ...request, body: rest });
    return intent?.do === "submit" ? { ...intent, ...callbackOf(body, "callback_url") } : intent;
  },
  shown: ([job]) => ({ status: 200, body: job && recordOf(job) }),
  callback: (job, given) => (job.state === "queued" || job.state === "running" ? null : signed(job, given)),
  webhookSecret: secret,
  other: {},
  plain: { queued: "pending", running: "in_progress", done: "completed", failed: "failed", cancelled: "cancelled" },
  words: {
    pending: { shows: "queued", means: "queued" },
    in_progress: { shows: "running", means: "running" },
    completed: { shows: "done", means: "done" },
    failed: { shows: "failed", means: "failed" },
    cancelled: { shows: "cancelled", means: "failed" },
    expired: { shows: "cancelled", means: "failed" },
  },
  linksExpire: true,
  samples: [sample, withPicture].filter((one) => one !== undefined),
  models: [],
};

function isWish([name]: [string, unknown]): boolean {
  return name !== "callback_url";
}

function recordOf(job: JobView) {
  return { ...videoOf(job), ...(job.state === "done" && { unsigned_urls: job.hasResults ? [job.link("clip.mp4")] : [] }) };
}

function signed(job: JobView, { nowMs }: CallbackGiven) {
  const time = Math.floor(nowMs / 1_000);
  const body = JSON.stringify({ type: `video.generation.${job.word}`, created_at: time, data: recordOf(job) });
  const signature = createHmac("sha256", secret).update(`${time},${body}`).digest("hex");
  return { headers: { "content-type": "application/json", "x-openrouter-signature": `t=${time},v1=${signature}` }, body };
}
