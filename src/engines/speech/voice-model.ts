import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { floatTensor, openOnnxModel, readFloats, wholeTensor } from "../audio/onnx-model.ts";
import { loadPackage } from "../optional-package.ts";
import { createLetterModel } from "./letter-model.ts";
import { pronounce, type Dictionary } from "./pronunciation.ts";

/** The one voice there is, and how to make it say a sentence. */
export type VoiceModel = {
  sampleRate: number;
  /** Speaks a sentence that is spelled out; a `stretch` of 2 takes about twice as long. */
  say(sentence: string, stretch: number): Promise<Float32Array>;
};

/** How freely sound and rhythm vary: a little less than the model's own values, which slur now and then. */
const soundNoise = 0.5;
const rhythmNoise = 0.5;
const wideFeatures = 1024;
const narrowFeatures = 768;

export async function openVoiceModel(): Promise<VoiceModel> {
  const asset = await locateAssets();
  const [metadata, words, letters] = await Promise.all(
    ["metadata.json", "cmudict.json", "g2p_model.json"].map((name) => readFile(asset(name), "utf8")),
  );
  const { symbols, toneOffset, languageId, sampleRate } = readMetadata(metadata ?? "");
  const dictionary = readDictionary(words ?? "");
  const guess = createLetterModel(letters ?? "");
  const model = await openOnnxModel(asset("model.onnx"), { keepsMemory: false });
  return {
    sampleRate,
    async say(sentence, stretch) {
      const { phones, tones } = pronounce(sentence, dictionary, guess);
      const ids = withBlanks(phones.map((phone) => symbols.get(phone) ?? 0));
      const length = ids.length;
      const one = (value: number) => floatTensor(Float32Array.of(value), [1]);
      const row = (values: number[]) => wholeTensor(values, [1, length]);
      const outputs = await model.run(
        {
          x: row(ids),
          x_lengths: wholeTensor([length], [1]),
          sid: wholeTensor([0], [1]),
          tone: row(withBlanks(tones.map((tone) => tone + toneOffset))),
          language: row(withBlanks(phones.map(() => languageId))),
          // The model can lean on a language model's view of the sentence; it speaks without one too.
          bert: floatTensor(new Float32Array(wideFeatures * length), [1, wideFeatures, length]),
          ja_bert: floatTensor(new Float32Array(narrowFeatures * length), [1, narrowFeatures, length]),
          noise_scale: one(soundNoise),
          noise_scale_w: one(rhythmNoise),
          length_scale: one(stretch),
        },
        ["audio"],
      );
      return readFloats(outputs, "audio");
    },
  };
}

/** The model was trained with a blank around every sound. */
function withBlanks(values: readonly number[]): number[] {
  return [0, ...values.flatMap((value) => [value, 0])];
}

async function locateAssets(): Promise<(name: string) => string> {
  const require = createRequire(import.meta.url);
  return loadPackage("@dittli/tts-en", async () => {
    require.resolve("@dittli/tts-en/assets/en/metadata.json");
    return (name: string) => require.resolve(`@dittli/tts-en/assets/en/${name}`);
  });
}

function readMetadata(json: string): { symbols: Map<string, number>; toneOffset: number; languageId: number; sampleRate: number } {
  const read: unknown = JSON.parse(json);
  if (typeof read !== "object" || read === null) throw new Error("the voice has no description");
  const fields = new Map<string, unknown>(Object.entries(read));
  const number = (name: string): number => Number(fields.get(name) ?? 0);
  const names = fields.get("symbols");
  if (!Array.isArray(names)) throw new Error("the voice has no sounds");
  return {
    symbols: new Map(names.map((name, index) => [String(name), index])),
    toneOffset: number("tone_offset"),
    languageId: number("language_id"),
    sampleRate: number("sample_rate"),
  };
}

function readDictionary(json: string): Dictionary {
  const read: unknown = JSON.parse(json);
  const entries = Object.entries(typeof read === "object" && read !== null ? read : {});
  return new Map(entries.flatMap(([word, sounds]) => (Array.isArray(sounds) ? [[word, sounds]] : [])));
}
