import type { GgufTensor, GgufValue } from "./gguf-file.ts";

type Sizes = { width: number; inner: number; layers: number; heads: number; keyHeads: number; words: number; context: number };

const headerBytes = 28;
const kinds = { normal: 1, unknown: 2, control: 3, byte: 6 } as const;
const marks = ["<unk>", "<s>", "</s>"] as const;
const byteTokens = 256;

/** The story model as its package holds it (a checkpoint, then its vocabulary), told in the terms of a GGUF file. */
export function readStoryWeights(file: Buffer): { head: Record<string, GgufValue>; tensors: GgufTensor[] } {
  const [width = 0, inner = 0, layers = 0, heads = 0, keyHeads = 0, words = 0, context = 0] = new Int32Array(copy(file, 0, headerBytes));
  const sizes = { width, inner, layers, heads, keyHeads, words, context };
  const { tensors, endsAt } = readTensors(file, sizes);
  return { head: { ...describeModel(sizes), ...readVocabulary(file.subarray(endsAt), words) }, tensors };
}

function describeModel({ width, inner, layers, heads, keyHeads, words, context }: Sizes): Record<string, GgufValue> {
  return {
    "general.architecture": { text: "llama" },
    "general.name": { text: "stories15M" },
    "general.license": { text: "mit" },
    "general.file_type": { whole: 7 },
    "llama.context_length": { whole: context },
    "llama.embedding_length": { whole: width },
    "llama.block_count": { whole: layers },
    "llama.feed_forward_length": { whole: inner },
    "llama.attention.head_count": { whole: heads },
    "llama.attention.head_count_kv": { whole: keyHeads },
    "llama.rope.dimension_count": { whole: width / heads },
    "llama.rope.freq_base": { real: 10_000 },
    "llama.attention.layer_norm_rms_epsilon": { real: 1e-5 },
    "llama.vocab_size": { whole: words },
  };
}

function readTensors(
  file: Buffer,
  { width, inner, layers, heads, keyHeads, words, context }: Sizes,
): { tensors: GgufTensor[]; endsAt: number } {
  let at = headerBytes;
  const take = (count: number): Float32Array => new Float32Array(copy(file, at, (at += 4 * count)));
  const headWidth = width / heads;
  const keyWidth = headWidth * keyHeads;
  const tensors: GgufTensor[] = [];
  const keep = (name: string, shape: number[]): void => {
    const count = shape.reduce((product, side) => product * side, 1);
    tensors.push({ name, shape, values: take(count), packed: shape.length > 1 });
  };
  const keepLayers = (name: string, ...shape: number[]): void => {
    for (let layer = 0; layer < layers; layer++) keep(`blk.${layer}.${name}.weight`, shape);
  };
  keep("token_embd.weight", [width, words]);
  keepLayers("attn_norm", width);
  keepLayers("attn_q", width, width);
  keepLayers("attn_k", width, keyWidth);
  keepLayers("attn_v", width, keyWidth);
  keepLayers("attn_output", width, width);
  keepLayers("ffn_norm", width);
  keepLayers("ffn_gate", width, inner);
  keepLayers("ffn_down", inner, width);
  keepLayers("ffn_up", width, inner);
  keep("output_norm.weight", [width]);
  // Two tables of sines and cosines follow, which every engine works out for itself.
  take(context * headWidth);
  return { tensors, endsAt: at };
}

function readVocabulary(bytes: Buffer, words: number): Record<string, GgufValue> {
  const texts: string[] = [];
  const scores = new Float32Array(words);
  let at = 4;
  for (let id = 0; id < words; id++) {
    scores[id] = bytes.readFloatLE(at);
    const length = bytes.readInt32LE(at + 4);
    texts.push(nameToken(id, bytes.toString("utf8", at + 8, at + 8 + length)));
    at += 8 + length;
  }
  return {
    "tokenizer.ggml.model": { text: "llama" },
    "tokenizer.ggml.tokens": { texts },
    "tokenizer.ggml.scores": { reals: scores },
    "tokenizer.ggml.token_type": { wholes: Int32Array.from(texts, (_, id) => kindOf(id)) },
    "tokenizer.ggml.unknown_token_id": { whole: 0 },
    "tokenizer.ggml.bos_token_id": { whole: 1 },
    "tokenizer.ggml.eos_token_id": { whole: 2 },
    "tokenizer.ggml.add_bos_token": { flag: true },
    "tokenizer.ggml.add_space_prefix": { flag: true },
  };
}

function nameToken(id: number, text: string): string {
  const mark = marks[id];
  if (mark !== undefined) return mark;
  const byte = id - marks.length;
  if (byte < byteTokens) return `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`;
  return text.replaceAll(" ", "\u2581");
}

function kindOf(id: number): number {
  if (id === 0) return kinds.unknown;
  if (id < marks.length) return kinds.control;
  return id < marks.length + byteTokens ? kinds.byte : kinds.normal;
}

// A copy, because numbers can only be read in place where the file happens to lie on their boundary.
function copy(file: Buffer, from: number, to: number): ArrayBuffer {
  return new Uint8Array(file.subarray(from, to)).buffer;
}
