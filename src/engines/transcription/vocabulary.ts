/** The recogniser's tokens: what they say and what they steer. */
export type Vocabulary = {
  /** The text of tokens; those that steer are left out. */
  decode(tokens: readonly number[]): string;
  encode(text: string): number[];
  /** The token that stands for a language, by its code. */
  languages: ReadonlyMap<string, number>;
  endOfText: number;
  startOfTranscript: number;
  startOfPrevious: number;
  transcribe: number;
  translate: number;
  noSpeech: number;
  /** The first of 1,501 tokens for 0.00 to 30.00 seconds. */
  firstTimestamp: number;
  /** Signs and steering tokens that never belong into a transcript. */
  suppressed: readonly number[];
  /** Tokens that cannot begin a transcript. */
  suppressedAtStart: readonly number[];
};

export type VocabularyFiles = { vocabulary: string; added: string; merges: string; settings: string };

export function readVocabulary(files: VocabularyFiles): Vocabulary {
  const ids = new Map([...readNumbers(files.vocabulary), ...readNumbers(files.added)]);
  const special = (name: string): number => ids.get(`<|${name}|>`) ?? ids.get(name) ?? fail(name);
  const endOfText = special("endoftext");
  const texts = new Map([...ids].filter(([, id]) => id < endOfText).map(([text, id]) => [id, toBytes(text)]));
  const merges = new Map(readMerges(files.merges));
  const settings = new Map<string, unknown>(Object.entries(Object(JSON.parse(files.settings))));
  const languages = Object.entries(Object(settings.get("lang_to_id"))).map(([name, id]): [string, number] => [
    name.slice(2, -2),
    Number(id),
  ]);
  return {
    decode: (tokens) => Buffer.concat(tokens.flatMap((token) => texts.get(token) ?? [])).toString("utf8"),
    encode: (text) => splitWords(text).flatMap((word) => mergePairs(word, merges).flatMap((part) => ids.get(part) ?? [])),
    languages: new Map(languages),
    endOfText,
    startOfTranscript: special("startoftranscript"),
    startOfPrevious: special("startofprev"),
    transcribe: special("transcribe"),
    translate: special("translate"),
    noSpeech: special("nocaptions"),
    firstTimestamp: special("notimestamps") + 1,
    suppressed: [...readList(settings.get("suppress_tokens")), special("notimestamps")],
    suppressedAtStart: readList(settings.get("begin_suppress_tokens")),
  };
}

const bytesByCharacter = new Map<string, number>();
const charactersByByte = new Map<number, string>();
fillByteTables();

/** Byte-level vocabularies write each byte as a visible character: its own where it has one, else one from 256 on. */
function fillByteTables(): void {
  let next = 256;
  for (let byte = 0; byte < 256; byte++) {
    const visible = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    const character = String.fromCodePoint(visible ? byte : next++);
    bytesByCharacter.set(character, byte);
    charactersByByte.set(byte, character);
  }
}

function toBytes(text: string): Uint8Array {
  return Uint8Array.from(Array.from(text).flatMap((character) => bytesByCharacter.get(character) ?? []));
}

/** Words with the space before them, runs of digits, of other signs, and of white space: nothing merges across their borders. */
function splitWords(text: string): string[] {
  const words = text.match(/'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu) ?? [];
  return words.map((word) => [...Buffer.from(word, "utf8")].map((byte) => charactersByByte.get(byte) ?? "").join(""));
}

/** Joins the pair that was learned first until no known pair is left. */
function mergePairs(word: string, ranks: ReadonlyMap<string, number>): string[] {
  const parts = Array.from(word);
  for (;;) {
    let best = { at: -1, rank: Infinity };
    for (let at = 0; at + 1 < parts.length; at++) {
      const rank = ranks.get(`${parts[at]} ${parts[at + 1]}`) ?? Infinity;
      if (rank < best.rank) best = { at, rank };
    }
    if (best.at < 0) return parts;
    parts.splice(best.at, 2, `${parts[best.at]}${parts[best.at + 1]}`);
  }
}

function readMerges(text: string): [string, number][] {
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#version"))
    .map((line, rank) => [line.trimEnd(), rank]);
}

function readNumbers(json: string): [string, number][] {
  return Object.entries(Object(JSON.parse(json))).map(([name, value]) => [name, Number(value)]);
}

function readList(value: unknown): number[] {
  return Array.isArray(value) ? value.map(Number) : [];
}

function fail(name: string): never {
  throw new Error(`the recogniser's vocabulary lacks ${name}`);
}
