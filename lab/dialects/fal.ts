import { createHash, createPrivateKey, sign } from "node:crypto";
import type { ImageInput, MusicInput, VideoInput } from "../../src/core/kinds.ts";
import { fieldOf, textOf } from "../dialect.ts";
import type { CallbackGiven, Dialect, Intent, JobView, LabReply, LabRequest, No } from "../dialect.ts";
import { isLink, isText, oneOf, optional, reject } from "./body-check.ts";
import type { FieldCheck } from "./body-check.ts";

const refusals: Record<No, { status: number; type: string; says: string }> = {
  auth: { status: 401, type: "", says: "Authentication is required to access this application." },
  invalid: { status: 422, type: "missing", says: "" },
  quota: { status: 403, type: "", says: "User is locked. Reason: Exhausted balance." },
  rate_limit: { status: 429, type: "", says: "Too many requests." },
  content_policy: { status: 422, type: "content_policy_violation", says: "" },
  missing: { status: 404, type: "", says: "Request not found." },
  down: { status: 500, type: "", says: "Internal Server Error" },
};

type App = { kind: "video" | "image" | "music"; needs: Record<string, FieldCheck> };
const pika = {
  prompt: isText,
  duration: oneOf([5, 10]),
  aspect_ratio: oneOf(["16:9", "9:16", "1:1", "4:5", "5:4", "3:2", "2:3"]),
  resolution: optional(oneOf(["720p", "1080p"])),
};
const apps: Record<string, App> = {
  "fal-ai/pika/v2.2/text-to-video": { kind: "video", needs: pika },
  "fal-ai/pika/v2.2/image-to-video": { kind: "video", needs: { ...pika, image_url: isLink } },
  "fal-ai/kling-video/v2.1/master/text-to-video": {
    kind: "video",
    needs: { prompt: isText, duration: oneOf(["5", "10"]), cfg_scale: oneOf([0.7]) },
  },
  "fal-ai/veo3": {
    kind: "video",
    needs: { prompt: isText, duration: oneOf(["4s", "6s", "8s"]), resolution: optional(oneOf(["720p", "1080p"])) },
  },
  "fal-ai/flux/dev": { kind: "image", needs: { prompt: isText, num_images: oneOf([1, 2, 3, 4]) } },
  "fal-ai/flux/dev/image-to-image": { kind: "image", needs: { prompt: isText, image_url: isLink } },
  "fal-ai/ace-step": { kind: "music", needs: { tags: isText } },
  "fal-ai/yue": { kind: "music", needs: { lyrics: isText, genres: isText } },
};

// The seed is the bytes 0 to 31, so that anybody can check the signatures.
const seed = Buffer.from(Array.from({ length: 32 }, (_, place) => place));
const x = "A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg";
const privateKey = createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", d: seed.toString("base64url"), x }, format: "jwk" });

const wide: VideoInput = { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } };
const picture = { from: "url", url: "https://pictures.example/a.png" } as const;
const drawn: ImageInput = { act: "generate", prompt: "a lighthouse", images: [], count: 1, grid: false };
const song: MusicInput = { mode: "inspiration", description: "a song about rain", instrumental: false };

/** fal's queue. */
export const fal: Dialect = {
  type: "fal",
  key: ({ headers }) => /^Key (.+)$/.exec(headers.authorization ?? "")?.[1] ?? null,
  read(request) {
    const { method, path } = request;
    if (method === "GET" && path === "/.well-known/jwks.json")
      return { do: "answer", open: true, reply: { status: 200, body: { keys: [{ kty: "OKP", crv: "Ed25519", x }] } } };
    const [, id, last = ""] = /^\/[^/]+\/[^/]+\/requests\/([^/]+)(\/status|\/cancel)?$/.exec(path) ?? [];
    if (id === undefined) return method === "POST" ? readSubmit(request) : null;
    if (method === "GET" && last === "/status") return { do: "poll", ids: [decodeURIComponent(id)], many: false };
    if (method === "GET" && last === "") return { do: "ask", id: decodeURIComponent(id), as: "result" };
    return method === "PUT" && last === "/cancel" ? { do: "cancel", id: decodeURIComponent(id) } : null;
  },
  accepted: (job) => ({ status: 200, body: { request_id: job.id, status: "IN_QUEUE", queue_position: 0, ...addressesOf(job) } }),
  shown: ([job]) => ({
    status: job?.state === "queued" || job?.state === "running" ? 202 : 200,
    body: job && {
      status: job.word,
      request_id: job.id,
      ...(job.state === "queued" && { queue_position: 1 }),
      ...addressesOf(job),
      logs: null,
    },
  }),
  other: { result: resultOf },
  cancelled: () => ({ status: 202, body: { status: "CANCELLATION_REQUESTED" } }),
  cancels: ["queued"],
  callback: (job, given) => (job.state === "queued" || job.state === "running" ? null : signed(job, given)),
  options: (baseUrl) => ({ jwks_url: `${baseUrl}/.well-known/jwks.json` }),
  no(reason, says) {
    const { status, type, says: own } = refusals[reason];
    return { status, body: { detail: type === "" ? `${own} ${says}` : [{ loc: ["body"], msg: says, type }] } };
  },
  envelope: false,
  plain: { queued: "IN_QUEUE", running: "IN_PROGRESS", done: "COMPLETED", failed: "COMPLETED", cancelled: "COMPLETED" },
  words: {
    IN_QUEUE: { shows: "queued", means: "queued" },
    IN_PROGRESS: { shows: "running", means: "running" },
    COMPLETED: { shows: "done", means: "done" },
  },
  failures: { content: "content_policy_violation", internal: "internal_server_error" },
  tellsProgress: false,
  samples: [
    { kind: "video", model: "fal-ai/pika/v2.2/text-to-video", input: { ...wide, resolution: "720p" } },
    { kind: "video", model: "fal-ai/pika/v2.2/image-to-video", input: { ...wide, image: picture } },
    { kind: "video", model: "fal-ai/kling-video/v2.1/master/text-to-video", input: { ...wide, extras: { cfg_scale: 0.7 } } },
    { kind: "video", model: "fal-ai/veo3", input: { ...wide, durationSeconds: 8, resolution: "1080p" } },
    { kind: "image", model: "fal-ai/flux/dev", input: { ...drawn, count: 2, size: { width: 1024, height: 768 } }, results: 2 },
    {
      kind: "image",
      model: "fal-ai/flux/dev/image-to-image",
      input: { ...drawn, act: "edit", images: [{ from: "data", uri: "data:," }] },
      results: 1,
    },
    { kind: "music", model: "fal-ai/ace-step", input: song, results: 1 },
    {
      kind: "music",
      model: "fal-ai/yue",
      input: { mode: "custom", lyrics: "[verse]\nRain", tags: "folk, slow", instrumental: false },
      results: 1,
    },
  ],
  models: [
    { name: "fal-ai/pika/*", kind: "video", price: "per_second: 0.05" },
    { name: "fal-ai/flux/*", kind: "image", price: "per_image: 0.03" },
    { name: "fal-ai/ace-step", kind: "music", price: "per_call: 0.05" },
  ],
};

// The addresses of a job know the app, but not the path under it.
function addressesOf({ baseUrl, model, id }: JobView) {
  const url = `${baseUrl}/${model.split("/").slice(0, 2).join("/")}/requests/${id}`;
  return { response_url: url, status_url: `${url}/status`, cancel_url: `${url}/cancel` };
}

function resultOf(job: JobView): LabReply {
  if (job.state === "queued" || job.state === "running") return { status: 400, body: { detail: "Request is still in progress" } };
  if (job.state === "cancelled") return { status: 499, body: { detail: "Request was cancelled." } };
  if (job.state === "failed")
    return {
      status: job.failure === "content_policy_violation" ? 422 : 500,
      body: { detail: [{ loc: ["body"], msg: "It failed.", type: job.failure }] },
    };
  if (!job.hasResults) return { status: 200, body: {} };
  const file = (name: string, type: string) => ({ url: job.link(name), content_type: type, file_name: name });
  if (job.kind === "video") return { status: 200, body: { video: file("clip.mp4", "video/mp4"), seed: 1 } };
  if (job.kind === "music")
    return { status: 200, body: { audio: file("tone.mp3", "audio/mpeg"), seed: 1, tags: "folk", lyrics: "[verse] Rain" } };
  const images = Array.from({ length: Number(job.note["count"]) }, () => ({ ...file("cover.png", "image/png"), width: 512, height: 512 }));
  return { status: 200, body: { images, seed: 1, has_nsfw_concepts: images.map(() => false), prompt: job.prompt } };
}

function readSubmit({ path, query, body }: LabRequest): Intent | null {
  const model = decodeURIComponent(path.slice(1));
  const app = apps[model];
  if (!app) return null;
  const wrong = Object.entries(app.needs).find(([name, fits]) => !fits(fieldOf(body, name)))?.[0];
  if (wrong !== undefined) return reject(`${wrong}: Field is not valid.`);
  const prompt = textOf(body, "lyrics") || textOf(body, "prompt") || textOf(body, "tags");
  const url = query.get("fal_webhook");
  const note = { count: fieldOf(body, "num_images") ?? 1 };
  return { do: "submit", kind: app.kind, model, prompt, note, ...(url !== null && { callback: { url } }) };
}

function signed(job: JobView, { nowMs, id }: CallbackGiven) {
  const { status, body: payload } = resultOf(job);
  const isOk = status === 200;
  const body = JSON.stringify({ request_id: job.id, gateway_request_id: id, status: isOk ? "OK" : "ERROR", payload });
  const time = String(Math.floor(nowMs / 1_000));
  const text = [job.id, "user_1", time, createHash("sha256").update(body).digest("hex")].join("\n");
  return {
    headers: {
      "content-type": "application/json",
      "x-fal-webhook-request-id": job.id,
      "x-fal-webhook-user-id": "user_1",
      "x-fal-webhook-timestamp": time,
      "x-fal-webhook-signature": sign(null, Buffer.from(text), privateKey).toString("hex"),
    },
    body,
  };
}
