import { createHmac } from "node:crypto";
import type { ImageInput } from "../../src/core/kinds.ts";
import { fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, JobView, LabRequest, No } from "../dialect.ts";

const status: Record<No, number> = { auth: 403, invalid: 422, quota: 402, rate_limit: 429, content_policy: 422, missing: 404, down: 500 };
const models = /^flux-(2-(pro|max|flex|klein-4b|klein-9b)|kontext-(pro|max)|pro-1\.1(-ultra)?|dev|pro-1\.0-(fill|expand))$/;

const wish: ImageInput = { act: "generate", prompt: "a lighthouse", images: [], count: 1, grid: false };
const picture = { from: "data", uri: "data:," } as const;

/** FLUX, as api.bfl.ai speaks of it. */
export const bfl: Dialect = {
  type: "bfl",
  key: ({ headers }) => {
    const key = headers["x-key"];
    return typeof key === "string" ? key : null;
  },
  read(request) {
    const { method, path, query } = request;
    const id = query.get("id");
    if (method === "GET" && path === "/v1/get_result" && id !== null) return { do: "poll", ids: [id], many: false };
    const model = /^\/v1\/([^/]+)$/.exec(path)?.[1];
    return method === "POST" && model !== undefined ? readSubmit(model, request) : null;
  },
  accepted: ({ id, baseUrl, note }) => ({
    status: 200,
    body: note["isTold"] === true ? { id, status: "Pending", cost: 3 } : { id, polling_url: `${baseUrl}/v1/get_result?id=${id}`, cost: 3 },
  }),
  shown: ([job]) => ({ status: 200, body: job && resultOf(job) }),
  callback(job, { secret }) {
    if (job.state !== "done" && job.state !== "failed") return null;
    const body = JSON.stringify({ task_id: job.id, status: job.word, result: null });
    const signature = createHmac("sha256", secret ?? "")
      .update(body)
      .digest("hex");
    return { headers: { "content-type": "application/json", "x-bfl-signature": `sha256=${signature}` }, body };
  },
  no: (reason, says) => ({
    status: status[reason],
    body: { detail: reason === "content_policy" ? `Request moderated: ${says}` : says },
  }),
  envelope: false,
  plain: { queued: "Pending", running: "Pending", done: "Ready", failed: "Error", cancelled: "Error" },
  words: {
    Pending: { shows: "running", means: "running" },
    Ready: { shows: "done", means: "done" },
    Error: { shows: "failed", means: "failed" },
    Failed: { shows: "failed", means: "failed" },
    "Request Moderated": { shows: "failed", means: "failed" },
    "Content Moderated": { shows: "failed", means: "failed" },
    "Task not found": { shows: "failed", means: "missing" },
  },
  failures: { content: "Content Moderated", internal: "Generation failed" },
  tellsQueue: false,
  samples: [
    { kind: "image", model: "flux-2-pro", input: { ...wish, aspectRatio: { width: 16, height: 9 }, seed: 7 }, results: 1 },
    { kind: "image", model: "flux-2-flex", input: { ...wish, act: "blend", images: [picture, picture] }, results: 1 },
    { kind: "image", model: "flux-kontext-pro", input: { ...wish, act: "edit", images: [picture] }, results: 1 },
    { kind: "image", model: "flux-pro-1.1", input: { ...wish, size: { width: 1024, height: 768 } }, results: 1 },
    { kind: "image", model: "flux-pro-1.1-ultra", input: { ...wish, size: { width: 2048, height: 1024 } }, results: 1 },
    { kind: "image", model: "flux-pro-1.0-fill", input: { ...wish, act: "edit", images: [picture], mask: picture }, results: 1 },
    { kind: "image", model: "flux-pro-1.0-expand", input: { ...wish, act: "zoom", images: [picture] }, results: 1 },
  ],
  models: [
    { name: "flux-2-pro", kind: "image", price: "per_image: 0.03" },
    { name: "flux-kontext-pro", kind: "image", price: "per_image: 0.04" },
  ],
};

function readSubmit(model: string, { body }: LabRequest): Intent {
  const reject = (says: string): Intent => ({ do: "reject", says });
  const prompt = textOf(body, "prompt");
  const [url, secret] = [textOf(body, "webhook_url"), textOf(body, "webhook_secret")];
  if (!models.test(model)) return reject("There is no such model.");
  if (prompt === "") return reject("prompt: field required");
  if (/(fill|expand)$/.test(model) && !isBase64(fieldOf(body, "image"))) return reject("image: field required");
  if (/^flux-2|kontext/.test(model) && fieldOf(body, "input_image") !== undefined && !isBase64(fieldOf(body, "input_image")))
    return reject("input_image: not base64");
  for (const side of ["width", "height"]) {
    const length = fieldOf(body, side);
    if (length !== undefined && (/kontext|ultra/.test(model) || !(Number.isInteger(length) && Number(length) >= 64)))
      return reject(`${side}: not allowed`);
  }
  if (fieldOf(body, "aspect_ratio") !== undefined && !/^\d+:\d+$/.test(textOf(body, "aspect_ratio"))) return reject("aspect_ratio: wrong");
  return { do: "submit", kind: "image", model, prompt, note: { isTold: url !== "" }, ...(url !== "" && { callback: { url, secret } }) };
}

function resultOf(job: JobView): object {
  const ready = job.state === "done" && job.hasResults;
  const isModerated = job.failure === "Content Moderated";
  return {
    id: job.id,
    status: isModerated ? "Content Moderated" : job.word,
    progress: job.state === "running" ? job.progress : null,
    result: ready ? { sample: job.link("cover.png"), prompt: job.prompt, seed: 7, start_time: job.startedAt / 1_000 } : null,
    details: isModerated ? { "Moderation Reasons": ["Content"] } : job.failure ? { error: job.failure } : null,
  };
}

function isBase64(value: unknown): boolean {
  return typeof value === "string" && /^[A-Za-z0-9+/]+=*$/.test(value);
}
