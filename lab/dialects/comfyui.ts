import type { ImageInput } from "../../src/core/kinds.ts";
import { bearerOf, fieldOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, JobView, LabReply, LabRequest, No } from "../dialect.ts";
import { mediaBytes } from "../media.ts";

const status: Record<No, number> = { auth: 401, invalid: 400, quota: 402, rate_limit: 429, content_policy: 400, missing: 404, down: 500 };
const wish: ImageInput = { act: "generate", prompt: "a lighthouse", images: [], count: 1, grid: false };
const picture = { from: "data", uri: "data:," } as const;
const gone: LabReply = { status: 404, body: { error: "Job not found" } };
const model = "sd_xl_base_1.0.safetensors";

/** ComfyUI's server, behind a proxy that asks for a key. */
export const comfyui: Dialect = {
  type: "comfyui",
  key: bearerOf,
  read(request) {
    const { method, path, body } = request;
    const id = /^\/api\/jobs\/([^/]+)$/.exec(path)?.[1];
    if (method === "GET" && id !== undefined) return readQuestion(decodeURIComponent(id));
    if (method === "GET" && path === "/view") return { do: "answer", reply: viewOf(request) };
    if (method !== "POST") return null;
    if (path === "/prompt") return readPrompt(body);
    if (path === "/upload/image") return readUpload(body);
    if (path === "/interrupt") return { do: "cancel", id: textOf(body, "prompt_id") };
    const ids = fieldOf(body, "delete");
    return path === "/queue" && Array.isArray(ids) ? { do: "cancel", id: String(ids[0]) } : null;
  },
  // The real one keeps the id that it was given.
  accepted: ({ id }) => ({ status: 200, body: { prompt_id: id, number: 1, node_errors: {} } }),
  // What was taken out of the queue is forgotten.
  shown: ([job]) => (job === undefined || job.state === "cancelled" ? gone : { status: 200, body: recordOf(job) }),
  cancelled: () => ({ status: 200 }),
  no(reason, says) {
    const message = reason === "content_policy" ? `NSFW content was found: ${says}` : says;
    if (reason === "missing") return gone;
    return { status: status[reason], body: { error: { type: reason, message, details: "", extra_info: {} }, node_errors: {} } };
  },
  envelope: false,
  plain: { queued: "pending", running: "in_progress", done: "completed", failed: "failed", cancelled: "failed" },
  words: {
    pending: { shows: "queued", means: "queued" },
    in_progress: { shows: "running", means: "running" },
    completed: { shows: "done", means: "done" },
    failed: { shows: "failed", means: "failed" },
  },
  failures: { content: "NSFW content was found", internal: "CUDA out of memory" },
  tellsProgress: false,
  linksExpire: false,
  samples: [
    { kind: "image", model, input: { ...wish, count: 2, aspectRatio: { width: 16, height: 9 }, seed: 7 }, results: 2 },
    { kind: "image", model, input: { ...wish, act: "edit", images: [picture], mask: picture, strength: 0.8 }, results: 1 },
    { kind: "image", model, input: { ...wish, act: "vary", images: [picture] }, results: 1 },
  ],
  models: [{ name: model, kind: "image", price: "per_image: 0.01" }],
};

// The lab's own ids are UUIDs of version 4; those that a caller made up are not.
function readQuestion(id: string): Intent {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-4/.test(id) ? { do: "poll", ids: [id], many: false } : { do: "lookup", reference: id };
}

function readPrompt(body: unknown): Intent {
  const graph = fieldOf(body, "prompt");
  const nodes: unknown[] = typeof graph === "object" && graph !== null ? Object.values(graph) : [];
  const of = (type: string) => nodes.filter((node) => textOf(node, "class_type") === type).map((node) => fieldOf(node, "inputs"));
  const [checkpoint, sampler, source] = [
    of("CheckpointLoaderSimple")[0],
    of("KSampler")[0],
    of("EmptyLatentImage")[0] ?? of("RepeatLatentBatch")[0],
  ];
  if (nodes.some((node) => textOf(node, "class_type") === "")) return { do: "reject", says: "A node has no class_type." };
  if (of("SaveImage").length === 0) return { do: "reject", says: "Prompt has no outputs" };
  if (textOf(checkpoint, "ckpt_name") === "") return { do: "reject", says: "Value not in list: ckpt_name" };
  if (!Number.isInteger(fieldOf(sampler, "seed"))) return { do: "reject", says: "Required input is missing: seed" };
  if (of("LoadImage").some((inputs) => !/^genway\/[^/]+\/file( \(\d+\))?\.\w+$/.test(textOf(inputs, "image"))))
    return { do: "reject", says: "Invalid image file" };
  const count = Number(fieldOf(source, "batch_size") ?? fieldOf(source, "amount"));
  const prompt = of("CLIPTextEncode").map((inputs) => textOf(inputs, "text"))[0] ?? "";
  const reference = textOf(body, "prompt_id");
  return {
    do: "submit",
    kind: "image",
    model: textOf(checkpoint, "ckpt_name"),
    prompt,
    note: { count },
    ...(reference !== "" && { reference }),
  };
}

function readUpload(body: unknown): Intent {
  const file = fieldOf(body, "image");
  const name = textOf(file, "file");
  if (name === "") return { do: "reject", says: "No image was sent." };
  return { do: "answer", reply: { status: 200, body: { name, subfolder: textOf(body, "subfolder"), type: "input" } } };
}

function viewOf({ query }: LabRequest): LabReply {
  const isRight = /^genway_\d+_\.png$/.test(query.get("filename") ?? "") && query.get("type") === "output";
  return isRight ? { status: 200, headers: { "content-type": "image/png" }, body: mediaBytes("cover.png") } : { status: 404 };
}

function recordOf(job: JobView): object {
  const images = Array.from({ length: job.hasResults ? Number(job.note["count"]) : 0 }, (_, index) => ({
    filename: `genway_${String(index + 1).padStart(5, "0")}_.png`,
    subfolder: "",
    type: "output",
  }));
  const error = { exception_type: "RuntimeError", exception_message: job.failure, node_id: "sampled" };
  return {
    id: job.id,
    status: job.word,
    priority: 1,
    create_time: job.submittedAt,
    outputs_count: job.state === "done" ? 1 : 0,
    ...(job.state === "done" && { outputs: { saved: { images } } }),
    ...(job.state === "failed" && { execution_error: error }),
  };
}
