import type { ImageInput, ImageSource } from "../../src/core/kinds.ts";
import { fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, JobView, LabReply, LabRequest, No } from "../dialect.ts";

const refusals: Record<No, { status: number; code: number; description: string }> = {
  auth: { status: 401, code: 401, description: "unauthorized" },
  invalid: { status: 200, code: 4, description: "validation failed" },
  quota: { status: 403, code: 4, description: "quota_not_enough" },
  rate_limit: { status: 200, code: 23, description: "the queue is full" },
  content_policy: { status: 200, code: 24, description: "may contain sensitive words" },
  missing: { status: 404, code: 3, description: "task_not_found" },
  down: { status: 500, code: 9, description: "failure" },
};

const wish: ImageInput = { act: "generate", prompt: "a lighthouse", images: [], count: 4, grid: true };
const picture = { from: "data", uri: "data:," } as const;
const source: ImageSource = { taskId: "0", upstreamTaskId: "1730000000000001", place: 1, button: null, prompt: "a lighthouse", seed: null };
const pressed = (button: string): ImageSource => ({ ...source, place: null, button });

/** The proxies of midjourney-proxy's family: tasks under /mj, four pictures as one. */
export const midjourneyProxy: Dialect = {
  type: "midjourney-proxy",
  key: ({ headers }) => {
    const key = headers["mj-api-secret"];
    return typeof key === "string" ? key : null;
  },
  read(request) {
    const { method, path, body } = request;
    const [, id, question] = /^\/mj\/task\/([^/]+)\/(fetch|cancel)$/.exec(path) ?? [];
    if (id !== undefined && method === "GET" && question === "fetch") return { do: "poll", ids: [decodeURIComponent(id)], many: false };
    if (id !== undefined && method === "POST" && question === "cancel") return { do: "cancel", id: decodeURIComponent(id) };
    if (method === "POST" && path === "/mj/task/list-by-condition") return readMany(body);
    return method === "POST" ? readSubmit(request) : null;
  },
  accepted: ({ id }) => ({ status: 200, body: { code: 1, description: "submitted", result: id, properties: {} } }),
  shown: (jobs, many) => ({ status: 200, body: many ? jobs.map(taskOf) : jobs.map(taskOf)[0] }),
  cancelled: () => ({ status: 200, body: { code: 1, description: "cancelled" } }),
  callback: (job) => ({ headers: { "content-type": "application/json" }, body: JSON.stringify(taskOf(job)) }),
  no(reason, says): LabReply {
    const { status, code, description } = refusals[reason];
    return { status, body: { code, description: `${description}: ${says}`, result: null, properties: {} } };
  },
  envelope: true,
  plain: { queued: "SUBMITTED", running: "IN_PROGRESS", done: "SUCCESS", failed: "FAILURE", cancelled: "CANCEL" },
  words: {
    NOT_START: { shows: "queued", means: "queued" },
    SUBMITTED: { shows: "queued", means: "queued" },
    MODAL: { shows: "running", means: "running" },
    IN_PROGRESS: { shows: "running", means: "running" },
    SUCCESS: { shows: "done", means: "done" },
    FAILURE: { shows: "failed", means: "failed" },
    CANCEL: { shows: "cancelled", means: "failed" },
  },
  failures: { content: "banned prompt detected", internal: "task timeout" },
  samples: [
    { kind: "image", model: "midjourney", input: { ...wish, aspectRatio: { width: 16, height: 9 }, seed: 7 }, results: 1 },
    { kind: "image", model: "niji", input: { ...wish, images: [picture], midjourney: { mode: "fast" } }, results: 1 },
    { kind: "image", model: "midjourney", input: { ...wish, act: "upscale", source }, results: 1 },
    { kind: "image", model: "midjourney", input: { ...wish, act: "reroll", source: { ...source, place: null } }, results: 1 },
    { kind: "image", model: "midjourney", input: { ...wish, act: "zoom", source: pressed("MJ::Outpaint::50::1::x::SOLO") }, results: 1 },
    {
      kind: "image",
      model: "midjourney",
      input: { ...wish, act: "edit", mask: picture, source: pressed("MJ::Inpaint::1::x::SOLO") },
      results: 1,
    },
    {
      kind: "image",
      model: "midjourney",
      input: { ...wish, act: "zoom", midjourney: { modal: true }, source: pressed("MJ::CustomZoom::x") },
      results: 1,
    },
    { kind: "image", model: "midjourney", input: { ...wish, act: "blend", images: [picture, picture] }, results: 1 },
    { kind: "image", model: "midjourney", input: { ...wish, act: "describe", prompt: "", images: [picture] } },
    { kind: "image", model: "midjourney", input: { ...wish, act: "shorten" } },
    { kind: "image", model: "midjourney", input: { ...wish, act: "edit", images: [picture] }, results: 1 },
    { kind: "image", model: "midjourney", input: { ...wish, act: "swap", images: [picture, picture] }, results: 1 },
    {
      kind: "video",
      model: "midjourney",
      input: { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 }, image: picture },
    },
  ],
  models: [
    { name: "midjourney", kind: "image", price: "per_call: 0.10" },
    { name: "niji", kind: "image", price: "per_call: 0.10" },
    { name: "midjourney-video", model: "midjourney", kind: "video", price: "per_call: 0.80" },
  ],
};

/** What each address wants, and what the task is called that comes of it. */
const submits: Record<string, { action: string; wants: Record<string, (value: unknown) => boolean> }> = {
  "/mj/submit/imagine": { action: "IMAGINE", wants: { prompt: isText } },
  "/mj/submit/change": { action: "", wants: { taskId: isText, action: (value) => /^(UPSCALE|VARIATION|REROLL)$/.test(String(value)) } },
  "/mj/submit/action": { action: "", wants: { taskId: isText, customId: isText } },
  "/mj/submit/modal": { action: "VARIATION", wants: { taskId: (value) => value === waiting, prompt: isText } },
  "/mj/submit/blend": {
    action: "BLEND",
    wants: { base64Array: (value) => Array.isArray(value) && value.length >= 2 && value.length <= 5 },
  },
  "/mj/submit/describe": { action: "DESCRIBE", wants: { base64: isPicture } },
  "/mj/submit/shorten": { action: "SHORTEN", wants: { prompt: isText } },
  "/mj/submit/edits": { action: "EDITS", wants: { prompt: isText, image: isPicture } },
  "/mj/submit/video": { action: "VIDEO", wants: { prompt: isText, motion: (value) => value === "low" || value === "high" } },
  "/mj/insight-face/swap": { action: "SWAP_FACE", wants: { sourceBase64: isPicture, targetBase64: isPicture } },
};

const waiting = "1730000000000999";

function readSubmit({ path, body }: LabRequest): Intent | null {
  const found = Object.hasOwn(submits, path) ? submits[path] : undefined;
  if (!found) return null;
  const wrong = Object.entries(found.wants).find(([name, isRight]) => !isRight(fieldOf(body, name)))?.[0] ?? wrongOf(body);
  if (wrong !== undefined) return { do: "reject", says: `${wrong} is wrong` };
  // These buttons open a window: nothing runs until that is answered.
  if (/^MJ::(Inpaint|CustomZoom)::/.test(textOf(body, "customId")))
    return { do: "answer", reply: { status: 200, body: { code: 21, description: "Waiting for window confirm", result: waiting } } };
  const action = found.action || textOf(body, "action") || (/zoom|outpaint/i.test(textOf(body, "customId")) ? "ZOOM" : "UPSCALE");
  const [kind, model, url] = [action === "VIDEO" ? "video" : "image", textOf(body, "botType"), textOf(body, "notifyHook")] as const;
  return {
    do: "submit",
    kind,
    model: model === "NIJI_JOURNEY" ? "niji" : "midjourney",
    prompt: textOf(body, "prompt"),
    note: { action, state: textOf(body, "state") },
    ...(url !== "" && { callback: { url } }),
  };
}

function wrongOf(body: unknown): string | undefined {
  const [pictures, index, mask, dimensions] = ["base64Array", "index", "maskBase64", "dimensions"].map((name) => fieldOf(body, name));
  if (pictures !== undefined && !(Array.isArray(pictures) && pictures.every(isPicture))) return "base64Array";
  if (index !== undefined && ![0, 1, 2, 3, 4].some((place) => place === index)) return "index";
  if (/^(UPSCALE|VARIATION)$/.test(textOf(body, "action")) && index === undefined) return "index";
  if (mask !== undefined && !isPicture(mask)) return "maskBase64";
  if (dimensions !== undefined && !/^(PORTRAIT|SQUARE|LANDSCAPE)$/.test(String(dimensions))) return "dimensions";
  return undefined;
}

function readMany(body: unknown): Intent {
  const ids = fieldOf(body, "ids");
  return Array.isArray(ids) ? { do: "poll", ids: ids.map(String), many: true } : { do: "reject", says: "ids must be a list" };
}

function taskOf(job: JobView): object {
  const ready = job.state === "done" && job.hasResults;
  const action = String(job.note["action"]);
  const tells = action === "DESCRIBE" || action === "SHORTEN";
  const button = (name: string, label: string) => ({ customId: `MJ::JOB::${name}::${job.id}`, emoji: "", label, type: 2, style: 2 });
  return {
    id: job.id,
    action,
    status: job.word,
    progress: job.state === "queued" ? "" : `${Math.floor(job.progress * 100)}%`,
    prompt: job.prompt,
    promptEn: job.prompt,
    description: `/${action.toLowerCase()}`,
    state: job.note["state"],
    submitTime: job.submittedAt,
    startTime: job.state === "queued" ? null : job.startedAt,
    finishTime: job.state === "done" || job.state === "failed" ? job.finishedAt : null,
    // What runs shows a preview already.
    imageUrl: ready || job.state === "running" ? `${job.link("cover.png")}${ready ? "" : "&preview=1"}` : null,
    ...(job.kind === "video" && { videoUrl: ready ? job.link("clip.mp4") : null }),
    failReason: job.failure || null,
    buttons: ready ? [button("upsample::1", "U1"), button("variation::1", "V1"), button("reroll::0", "")] : [],
    properties: ready && tells ? { finalPrompt: "1️⃣ a lighthouse at dusk\n\n2️⃣ a tower by the sea" } : {},
  };
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function isPicture(value: unknown): boolean {
  return typeof value === "string" && value.startsWith("data:image/");
}
