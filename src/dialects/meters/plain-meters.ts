import type { JsonObject } from "../../core/call.ts";
import type { Asked, Meter, StreamMeter } from "../../core/meter.ts";
import type { Amounts } from "../../core/pricing.ts";
import { audioSeconds } from "./audio-seconds.ts";
import { isObject, listOf, objectOf, parseObject, textOf } from "../json-reading.ts";
import { SseEvents } from "../sse-events.ts";
import { countInput } from "./prompt-tokens.ts";

/** Bytes that pass as they are; what they cost is known before. */
function passing(amounts: Amounts): StreamMeter {
  return {
    pass: (piece) => piece,
    flush: () => null,
    isWhole: () => true,
    told: () => amounts,
    counted: () => Promise.resolve(amounts),
    last: () => new Uint8Array(),
  };
}

/** A meter of work whose size is in the request. */
function known(amountsOf: (asked: Asked) => Amounts): Meter {
  return {
    most: amountsOf,
    told: amountsOf,
    counted: (asked) => Promise.resolve(amountsOf(asked)),
    stream: (asked) => passing(amountsOf(asked)),
  };
}

function inputMeter(textsOf: (body: JsonObject) => unknown): Meter {
  const most = ({ raw, body }: Asked): Amounts => ({ inputTokens: raw?.byteLength ?? Buffer.byteLength(JSON.stringify(body)) });
  return {
    most,
    told(_asked, { value }) {
      const usage = isObject(value) ? objectOf(value["usage"]) : {};
      const meta = isObject(value) ? objectOf(objectOf(value["meta"])["billed_units"]) : {};
      const tokens = usage["prompt_tokens"] ?? usage["total_tokens"] ?? meta["input_tokens"];
      return typeof tokens === "number" && tokens >= 0 ? { inputTokens: Math.ceil(tokens) } : null;
    },
    counted: async ({ body }) => ({ inputTokens: await countInput(textsOf(body)) }),
    stream: (asked) => passing(most(asked)),
  };
}

export const embeddingMeter = inputMeter((body) => body["input"]);
export const moderationMeter = inputMeter((body) => body["input"]);
export const rerankMeter = inputMeter((body) => [
  textOf(body["query"]),
  ...listOf(body["documents"]).map((document) => (typeof document === "string" ? document : textOf(objectOf(document)["text"]))),
]);

/** Pictures are counted by how many came. */
export const imageMeter: Meter = {
  most: ({ body }) => ({ images: imagesAsked(body) }),
  told: (_asked, { value }) => (isObject(value) ? { images: listOf(value["data"]).length } : null),
  counted: ({ body }) => Promise.resolve({ images: imagesAsked(body) }),
  stream: ({ body }) => passing({ images: imagesAsked(body) }),
};

function imagesAsked({ n }: JsonObject): number {
  const count = Number(n ?? 1);
  return Number.isFinite(count) && count >= 1 ? Math.floor(count) : 1;
}

/** Speech is counted by what is to be said. */
export const speechMeter: Meter = known(({ body }) => ({ characters: Array.from(textOf(body["input"])).length }));

// Speech is rarely sent with less than eight kilobits a second.
const fewestBytesPerSecond = 1_000;

export const transcriptionMeter: Meter = {
  most: ({ files }) => ({ seconds: mostSeconds(files[0]?.bytes) }),
  told(_asked, { value }) {
    if (!isObject(value)) return null;
    const usage = objectOf(value["usage"]);
    const seconds = usage["seconds"] ?? value["duration"];
    return typeof seconds === "number" && seconds >= 0 ? { seconds } : null;
  },
  counted: ({ files }) => Promise.resolve({ seconds: audioSeconds(files[0]?.bytes ?? new Uint8Array()) }),
  stream: ({ files }) => transcriptionStream(files[0]?.bytes ?? new Uint8Array()),
};

/** Events of a transcription: the last one tells how long the recording is. */
function transcriptionStream(recording: Uint8Array): StreamMeter {
  const events = new SseEvents();
  let told: Amounts | null = null;
  const guessed = { seconds: audioSeconds(recording) };
  return {
    ...passing(guessed),
    pass(piece) {
      for (const { data } of events.push(piece)) {
        const { seconds } = objectOf(parseObject(data)?.["usage"]);
        if (typeof seconds === "number" && seconds >= 0) told = { seconds };
      }
      return piece;
    },
    told: () => told,
  };
}

function mostSeconds(bytes: Uint8Array | undefined): number {
  return bytes === undefined ? 0 : Math.max(1, Math.ceil(bytes.byteLength / fewestBytesPerSecond));
}
