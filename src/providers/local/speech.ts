import { createReadStream } from "node:fs";
import { BrokenReply, type Call, type JsonObject } from "../../core/call.ts";
import { isObject } from "../../dialects/json-reading.ts";
import { invalid, textIn } from "../../dialects/request-fields.ts";
import { sseText } from "../../dialects/sse-events.ts";
import { speechFormats, type SpeechJob } from "../../engines/job.ts";
import { countTokens } from "../../kit/token-count.ts";
import { refusalOf } from "./failure.ts";
import { numberWithin, oneOf } from "./fields.ts";
import { eventStream, openFolder, type LocalAnswer } from "./workshop.ts";

const usualVoice = "alloy";

/** Says something: the recording goes out as it is read from its file, which goes when it has been read or nobody reads it any more. */
export const answerSpeech: LocalAnswer = async (workshop, call, { signal }) => {
  const wish = readWish(call);
  const asEvents = oneOf(call.body, "stream_format", ["audio", "sse"], "audio") === "sse";
  const folder = await openFolder(workshop);
  const remove = (): void => void folder.remove();
  try {
    const { path, mime } = await workshop.engines.run({ engine: "speech", outDir: folder.path, ...wish }, { signal });
    // A client may leave between this reply and its first piece.
    signal.addEventListener("abort", remove, { once: true });
    const over = async (): Promise<void> => {
      signal.removeEventListener("abort", remove);
      await folder.remove();
    };
    const pieces = read(path, signal, over);
    return asEvents ? { state: "stream", mime: eventStream, pieces: tell(pieces, wish.text) } : { state: "stream", mime, pieces };
  } catch (error) {
    await folder.remove();
    throw error;
  }
};

function readWish({ body }: Call): Omit<SpeechJob, "engine" | "outDir"> {
  const text = textIn(body, "input") ?? "";
  if (text.trim() === "") throw invalid("input", "'input' is required: what to say.");
  return {
    text,
    voice: voiceIn(body),
    speed: numberWithin(body, "speed", [0.25, 4], 1),
    format: oneOf(body, "response_format", speechFormats, "mp3"),
  };
}

function voiceIn(body: JsonObject): string {
  return isObject(body.voice) ? (textIn(body.voice, "id", "voice") ?? usualVoice) : (textIn(body, "voice") ?? usualVoice);
}

async function* read(path: string, signal: AbortSignal, over: () => Promise<void>): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path);
  } catch (error) {
    throw new BrokenReply(refusalOf(error, signal));
  } finally {
    await over();
  }
}

async function* tell(pieces: AsyncIterable<Uint8Array>, text: string): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    yield Buffer.from(sseText({ type: "speech.audio.delta", audio: Buffer.from(piece).toString("base64") }));
  }
  const tokens = await countTokens([text]);
  const usage = { input_tokens: tokens, output_tokens: 0, total_tokens: tokens };
  yield Buffer.from(sseText({ type: "speech.audio.done", usage }));
}
