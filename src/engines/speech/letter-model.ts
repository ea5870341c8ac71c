/** Guesses how a word is spoken from its letters, for words that no dictionary knows. */
export type LetterModel = {
  /** Letters a to z only; gives ARPAbet sounds. */
  pronounce(letters: string): string[];
};

type Matrix = { rows: number; columns: number; values: Float32Array };
type Cell = { fromInput: Matrix; fromState: Matrix; inputBias: Float32Array; stateBias: Float32Array };

/** A recurrent encoder and decoder (gated recurrent units) from the weights of the speech package. */
export function createLetterModel(json: string): LetterModel {
  const weights = readWeights(JSON.parse(json));
  const matrix = (name: string): Matrix => weights.matrices.get(name) ?? fail(name);
  const cell = (side: "enc" | "dec"): Cell => ({
    fromInput: matrix(`${side}_w_ih`),
    fromState: matrix(`${side}_w_hh`),
    inputBias: matrix(`${side}_b_ih`).values,
    stateBias: matrix(`${side}_b_hh`).values,
  });
  const encoder = cell("enc");
  const decoder = cell("dec");
  const letterRows = matrix("enc_emb");
  const soundRows = matrix("dec_emb");
  const choose = matrix("fc_w");
  const chooseBias = matrix("fc_b").values;
  const { letters, sounds } = weights;
  const end = sounds.indexOf("</s>");

  return {
    pronounce(word) {
      let state: Float32Array = new Float32Array(encoder.fromState.columns);
      for (const letter of [...Array.from(word), "</s>"]) {
        const index = Math.max(letters.indexOf(letter), letters.indexOf("<unk>"));
        state = advance(encoder, row(letterRows, index), state);
      }
      const spoken: string[] = [];
      let last = sounds.indexOf("<s>");
      while (spoken.length < Math.max(20, word.length)) {
        state = advance(decoder, row(soundRows, last), state);
        last = indexOfHighest(multiply(choose, state, chooseBias));
        if (last === end) break;
        const sound = sounds[last];
        if (sound !== undefined && !sound.startsWith("<")) spoken.push(sound);
      }
      return spoken;
    },
  };
}

/** One step of a gated recurrent unit: reset and update gates first, then the new state between old and candidate. */
function advance(cell: Cell, input: Float32Array, state: Float32Array): Float32Array {
  const size = state.length;
  const incoming = multiply(cell.fromInput, input, cell.inputBias);
  const kept = multiply(cell.fromState, state, cell.stateBias);
  return state.map((old, index) => {
    const reset = sigmoid((incoming[index] ?? 0) + (kept[index] ?? 0));
    const update = sigmoid((incoming[size + index] ?? 0) + (kept[size + index] ?? 0));
    const candidate = Math.tanh((incoming[2 * size + index] ?? 0) + reset * (kept[2 * size + index] ?? 0));
    return (1 - update) * candidate + update * old;
  });
}

function multiply({ rows, columns, values }: Matrix, vector: Float32Array, bias: Float32Array): Float32Array {
  const product = new Float32Array(rows);
  for (let line = 0; line < rows; line++) {
    let sum = bias[line] ?? 0;
    for (let index = 0; index < columns; index++) sum += (values[line * columns + index] ?? 0) * (vector[index] ?? 0);
    product[line] = sum;
  }
  return product;
}

function row({ columns, values }: Matrix, index: number): Float32Array {
  return values.subarray(index * columns, (index + 1) * columns);
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

function indexOfHighest(values: Float32Array): number {
  return values.reduce((best, value, index) => (value > (values[best] ?? 0) ? index : best), 0);
}

type Weights = { matrices: Map<string, Matrix>; letters: string[]; sounds: string[] };

function readWeights(parsed: unknown): Weights {
  const weights: Weights = { matrices: new Map(), letters: [], sounds: [] };
  if (typeof parsed !== "object" || parsed === null) fail("weights");
  for (const [name, entry] of Object.entries(parsed)) {
    if (name === "graphemes") weights.letters = readNames(entry);
    else if (name === "phonemes") weights.sounds = readNames(entry);
    else if (isStored(entry)) {
      const bytes = Uint8Array.from(Buffer.from(entry.data, "base64"));
      const [rows = 0, columns = 1] = entry.shape;
      weights.matrices.set(name, { rows, columns, values: new Float32Array(bytes.buffer) });
    }
  }
  return weights;
}

function isStored(entry: unknown): entry is { shape: number[]; data: string } {
  return typeof entry === "object" && entry !== null && "data" in entry && typeof entry.data === "string" && "shape" in entry;
}

function readNames(entry: unknown): string[] {
  return Array.isArray(entry) ? entry.map(String) : [];
}

function fail(what: string): never {
  throw new Error(`the letter model lacks its ${what}`);
}
