import type { MusicInput } from "../../src/core/kinds.ts";
import { bearerOf, textOf } from "../dialect.ts";
import type { Dialect, Intent, LabRequest, No } from "../dialect.ts";
import { mediaBytes } from "../media.ts";

const refusals: Record<No, { status: number; name: string }> = {
  auth: { status: 401, name: "unauthorized" },
  invalid: { status: 400, name: "bad_request" },
  quota: { status: 402, name: "payment_required" },
  rate_limit: { status: 429, name: "rate_limit_exceeded" },
  content_policy: { status: 403, name: "content_moderation" },
  missing: { status: 404, name: "not_found" },
  down: { status: 500, name: "internal_error" },
};

const wish: MusicInput = { mode: "inspiration", description: "rain on a roof", instrumental: true };

/** Stability's Stable Audio 2: a form goes in, and music comes back in the answer. */
export const stableAudio: Dialect = {
  type: "stable-audio",
  instant: true,
  key: bearerOf,
  read: (request) =>
    request.method === "POST" && request.path === "/v2beta/audio/stable-audio-2/text-to-audio" ? readForm(request) : null,
  accepted: () => ({
    status: 200,
    body: { audio: Buffer.from(mediaBytes("tone.mp3")).toString("base64"), finish_reason: "SUCCESS", seed: 4_242 },
  }),
  no(reason, says) {
    const { status, name } = refusals[reason];
    return { status, body: { id: "0123456789abcdef", name, errors: [says] } };
  },
  envelope: false,
  plain: { queued: "", running: "", done: "SUCCESS", failed: "CONTENT_FILTERED", cancelled: "" },
  words: {},
  failures: { content: "CONTENT_FILTERED", internal: "internal_error" },
  tellsProgress: false,
  tellsQueue: false,
  linksExpire: false,
  samples: [
    { kind: "music", model: "stable-audio-2.5", input: wish },
    { kind: "music", model: "stable-audio-2", input: { mode: "custom", tags: "ambient, slow", instrumental: true, seed: 7 } },
  ],
  models: [{ name: "stable-audio-2.5", kind: "music", price: "per_call: 0.20" }],
};

function readForm({ headers, body }: LabRequest): Intent {
  const reject = (says: string): Intent => ({ do: "reject", says });
  const [prompt, model, format, seed, duration] = [
    textOf(body, "prompt"),
    textOf(body, "model"),
    textOf(body, "output_format"),
    textOf(body, "seed"),
    textOf(body, "duration"),
  ];
  if (headers["content-type"]?.startsWith("multipart/form-data") !== true) return reject("content-type: must be multipart/form-data");
  if (headers.accept !== "application/json") return reject("accept: must be audio/* or application/json");
  if (prompt === "" || prompt.length > 10_000) return reject("prompt: is required");
  if (!["stable-audio-2.5", "stable-audio-2"].includes(model)) return reject("model: is wrong");
  if (!["mp3", "wav"].includes(format)) return reject("output_format: is wrong");
  if (seed !== "" && !/^\d{1,10}$/.test(seed)) return reject("seed: is wrong");
  if (duration !== "" && !(Number(duration) >= 1 && Number(duration) <= 190)) return reject("duration: must be 1 to 190");
  return { do: "submit", kind: "music", model, prompt };
}
