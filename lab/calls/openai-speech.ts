import { textOf } from "../dialect.ts";
import { charactersIn, piecesOf, soundOf } from "./speech.ts";
import { countTokens } from "./tokens.ts";
import { call, reject } from "./upstream.ts";
import type { CallIntent, CallReply, CallRequest, CallWork, Frame } from "./upstream.ts";

/** `POST /v1/audio/speech`: the same tone whatever is to be said, in pieces as it is made. */
export function readSpeech({ body }: CallRequest): CallIntent {
  const model = textOf(body, "model");
  const input = textOf(body, "input");
  const sound = soundOf(textOf(body, "response_format") || "mp3");
  if (model === "" || input === "") return reject("'model' and 'input' are required.");
  if (textOf(body, "voice") === "") return reject("Missing required parameter: 'voice'.");
  if (input.length > 4_096) return reject("'input' has more than 4096 characters.");
  if (!sound) return reject("Invalid value: 'response_format'.");
  const isSse = textOf(body, "stream_format") === "sse";
  const promptTokens = countTokens(input);
  const answer = (work: CallWork): CallReply => {
    const headers = { "x-request-id": `req_${work.id}` };
    if (!isSse) return { form: "pieces", mime: sound.mime, pieces: piecesOf(sound.bytes), headers };
    return { form: "frames", wire: "sse", frames: framesOf(sound.bytes, promptTokens, work), headers };
  };
  return call({ operation: "speech", model, prompt: input, promptTokens, units: charactersIn(input), stream: true, answer });
}

function* framesOf(bytes: Uint8Array, promptTokens: number, { plan }: CallWork): Generator<Frame> {
  let pieces = 0;
  for (const piece of piecesOf(bytes)) {
    pieces++;
    yield { data: JSON.stringify({ type: "speech.audio.delta", audio: Buffer.from(piece).toString("base64") }), words: 0 };
  }
  const usage = { input_tokens: promptTokens, output_tokens: pieces, total_tokens: promptTokens + pieces };
  yield { data: JSON.stringify({ type: "speech.audio.done", ...(plan.usage !== "never" && { usage }) }), words: 0 };
}
