import { fieldOf, textOf } from "../dialect.ts";
import { say } from "./saying.ts";
import type { Saying } from "./saying.ts";
import { secondsOfSound } from "./speech.ts";
import { captionsOf, verboseOf } from "./transcript.ts";
import { countTokens } from "./tokens.ts";
import { call, jsonReply, reject } from "./upstream.ts";
import type { CallIntent, CallReply, CallRequest, CallWork, Frame } from "./upstream.ts";

type Asked = { operation: "transcription" | "translation"; model: string; promptTokens: number; seconds: number };

const formats = ["json", "text", "srt", "vtt", "verbose_json"];

/** `POST /v1/audio/transcriptions` and `/translations`; marks stand in `prompt`. */
export function readTranscription(operation: Asked["operation"]): (request: CallRequest) => CallIntent {
  return ({ body, files }) => {
    const file = files.find(({ field }) => field === "file");
    const model = textOf(body, "model");
    const format = textOf(body, "response_format") || "json";
    const prompt = textOf(body, "prompt");
    if (!file || file.bytes.length === 0) return reject("Missing required parameter: 'file'.");
    if (model === "") return reject("You must provide a model parameter.");
    if (!formats.includes(format)) return reject("Invalid value: 'response_format'.");
    const seconds = secondsOfSound(file.bytes);
    const promptTokens = countTokens(prompt);
    const asked = { operation, model, promptTokens, seconds };
    const stream = operation === "transcription" && String(fieldOf(body, "stream")) === "true";
    const answer = (work: CallWork): CallReply => {
      const saying = say({}, work.plan);
      const headers = { "x-request-id": `req_${work.id}` };
      if (stream) return { form: "frames", wire: "sse", frames: framesOf(asked, saying, work), headers };
      return whole(asked, saying, work, format);
    };
    return call({ operation, model, prompt, promptTokens, units: seconds, stream, answer });
  };
}

function whole(asked: Asked, saying: Saying, work: CallWork, format: string): CallReply {
  const headers = { "x-request-id": `req_${work.id}` };
  const text = saying.text().trim();
  const usage = work.plan.usage === "never" ? {} : { usage: usageOf(asked, saying) };
  if (format === "json") return jsonReply({ text, ...usage }, saying.tokens, headers);
  if (format === "verbose_json") return jsonReply({ ...verboseOf(asked, text), ...usage }, saying.tokens, headers);
  const body = format === "text" ? `${text}\n` : captionsOf(format, asked.seconds, text);
  const mime = format === "vtt" ? "text/vtt; charset=utf-8" : "text/plain; charset=utf-8";
  return { form: "whole", mime, body, words: saying.tokens, headers };
}

/** Newer models count tokens, the others seconds. */
function usageOf({ model, promptTokens, seconds }: Asked, { tokens }: Saying) {
  if (!/gpt-|4o/.test(model)) return { type: "duration", seconds: Math.ceil(seconds) };
  const audioTokens = Math.ceil(seconds * 10);
  return {
    type: "tokens",
    input_tokens: promptTokens + audioTokens,
    output_tokens: tokens,
    total_tokens: promptTokens + audioTokens + tokens,
    input_token_details: { text_tokens: promptTokens, audio_tokens: audioTokens },
  };
}

function* framesOf(asked: Asked, saying: Saying, { plan }: CallWork): Generator<Frame> {
  const event = (type: string, fields: object, words: number): Frame => ({ data: JSON.stringify({ type, ...fields }), words });
  for (let at = 0; at < saying.words; at++) yield event("transcript.text.delta", { delta: saying.word(at) }, 1);
  const usage = plan.usage === "never" ? {} : { usage: usageOf(asked, saying) };
  yield event("transcript.text.done", { text: saying.text(), ...usage }, 0);
}
