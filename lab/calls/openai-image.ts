import { fieldOf, textOf } from "../dialect.ts";
import { mediaBytes } from "../media.ts";
import { secondsOf } from "./openai-shape.ts";
import { countTokens } from "./tokens.ts";
import { call, jsonReply, reject } from "./upstream.ts";
import type { CallIntent, CallReply, CallRequest, CallWork, Frame } from "./upstream.ts";

type ImageOperation = "image" | "image-edit" | "image-variation";
type Asked = { body: unknown; operation: ImageOperation; model: string; count: number; promptTokens: number; sources: number };

const imageFiles: Record<string, string> = { png: "cover.png", jpeg: "cover.jpg", webp: "cover.webp" };
const tokensOfImage = 272;

/** `POST /v1/images/generations`, `/edits` and `/variations`; a variation has no prompt, so that its marks stand in `user`. */
export function readImage(operation: ImageOperation): (request: CallRequest) => CallIntent {
  return ({ body, files }) => {
    const prompt = textOf(body, operation === "image-variation" ? "user" : "prompt");
    const model = textOf(body, "model") || "dall-e-2";
    const count = Number(fieldOf(body, "n") ?? 1);
    const images = fieldOf(body, "images");
    const sources =
      files.filter(({ field }) => field === "image" || field === "image[]").length + (Array.isArray(images) ? images.length : 0);
    if (operation !== "image-variation" && prompt === "") return reject("Missing required parameter: 'prompt'.");
    if (operation !== "image" && sources === 0) return reject("Missing required parameter: 'image'.");
    if (!Number.isInteger(count) || count < 1 || count > 10) return reject("'n' must be from 1 to 10.");
    if (imageFiles[textOf(body, "output_format") || "png"] === undefined) return reject("Invalid value: 'output_format'.");
    const stream = String(fieldOf(body, "stream")) === "true";
    const promptTokens = countTokens(prompt);
    const asked = { body, operation, model, count, promptTokens, sources };
    const answer = (work: CallWork) => (stream ? streamed(asked, work) : whole(asked, work));
    return call({ operation, model, prompt, promptTokens, units: count, stream, answer });
  };
}

function whole(asked: Asked, work: CallWork): CallReply {
  const { body, model, count } = asked;
  const shape = textOf(body, "response_format") || (model.startsWith("gpt-image") ? "b64_json" : "url");
  const { file, base64 } = pictureOf(body);
  const one = shape === "url" ? { url: work.link(file) } : { b64_json: base64 };
  const reply = {
    created: secondsOf(work),
    data: Array.from({ length: count }, () => ({
      ...one,
      ...(model.startsWith("dall-e-3") && { revised_prompt: textOf(body, "prompt") }),
    })),
    ...looks(body),
    usage: work.plan.usage === "never" ? undefined : usageOf(asked),
  };
  return jsonReply(reply, 0, { "x-request-id": `req_${work.id}` });
}

function pictureOf(body: unknown): { file: string; base64: string } {
  const file = imageFiles[textOf(body, "output_format") || "png"] ?? "cover.png";
  return { file, base64: Buffer.from(mediaBytes(file)).toString("base64") };
}

function looks(body: unknown) {
  return {
    background: textOf(body, "background") || "opaque",
    output_format: textOf(body, "output_format") || "png",
    quality: textOf(body, "quality") || "low",
    size: textOf(body, "size") || "1024x1024",
  };
}

function usageOf({ promptTokens, count, sources }: Asked) {
  const imageTokens = sources * tokensOfImage;
  return {
    input_tokens: promptTokens + imageTokens,
    output_tokens: count * tokensOfImage,
    total_tokens: promptTokens + imageTokens + count * tokensOfImage,
    input_tokens_details: { text_tokens: promptTokens, image_tokens: imageTokens },
  };
}

function streamed(asked: Asked, work: CallWork): CallReply {
  return { form: "frames", wire: "sse", frames: framesOf(asked, work), headers: { "x-request-id": `req_${work.id}` } };
}

function* framesOf(asked: Asked, work: CallWork): Generator<Frame> {
  const name = asked.operation === "image" ? "image_generation" : "image_edit";
  const picture = { b64_json: pictureOf(asked.body).base64, created_at: secondsOf(work), ...looks(asked.body) };
  const event = (type: string, fields: object): Frame => ({ event: type, data: JSON.stringify({ type, ...picture, ...fields }), words: 0 });
  const partial = Math.min(Number(fieldOf(asked.body, "partial_images") ?? 0) || 0, 3);
  for (let index = 0; index < partial; index++) yield event(`${name}.partial_image`, { partial_image_index: index });
  yield event(`${name}.completed`, work.plan.usage === "never" ? {} : { usage: usageOf(asked) });
}
