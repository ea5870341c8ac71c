/** Counts the tokens of a text as the model's own tokenizer would cut it. */
export type WordPieces = { count(text: string): number };

const longestWord = 100;

/** A WordPiece tokenizer for lower-case text, from the vocabulary of a tokenizer file. */
export function createWordPieces(tokenizerJson: string): WordPieces {
  const { words, special } = readVocabulary(tokenizerJson);
  return {
    count(text) {
      let total = 0;
      for (const part of text.split(special)) {
        // The names of special tokens count as one token wherever they stand.
        if (part !== "" && special.exec(part)?.[0] === part) total += 1;
        else for (const word of splitWords(part)) total += countPieces(word, words);
      }
      return total;
    },
  };
}

/** The longest known piece from the left, again and again; a word that cannot be cut so is one unknown token. */
function countPieces(word: string, words: ReadonlySet<string>): number {
  const letters = Array.from(word);
  if (letters.length > longestWord) return 1;
  let pieces = 0;
  for (let from = 0; from < letters.length; pieces++) {
    let to = letters.length;
    while (to > from && !words.has((from > 0 ? "##" : "") + letters.slice(from, to).join(""))) to--;
    if (to === from) return 1;
    from = to;
  }
  return pieces;
}

const chinese =
  /[\u4E00-\u9FFF\u3400-\u4DBF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B920}-\u{2CEAF}\uF900-\uFAFF\u{2F800}-\u{2FA1F}]/gu;
const punctuation = /[!-/:-@[-`{-~]|\p{P}/gu;

function splitWords(text: string): string[] {
  const clean = text
    .toWellFormed()
    .replace(/[\t\n\r]/g, " ")
    .replace(/[\p{C}\uFFFD]/gu, "")
    .replace(chinese, " $& ")
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "");
  // Letter by letter: as a whole, a Greek word would get another last letter than the model knows.
  const lower = Array.from(clean, (letter) => letter.toLowerCase()).join("");
  return lower
    .replace(punctuation, " $& ")
    .split(/\p{White_Space}+/u)
    .filter((word) => word !== "");
}

function readVocabulary(json: string): { words: ReadonlySet<string>; special: RegExp } {
  const tokenizer: unknown = JSON.parse(json);
  const vocabulary = field(field(tokenizer, "model"), "vocab");
  const added = field(tokenizer, "added_tokens");
  const names = Array.isArray(added) ? added.map((token) => String(field(token, "content"))) : [];
  const escaped = names.map((name) => name.replace(/[[\]]/g, "\\$&"));
  if (typeof vocabulary !== "object" || vocabulary === null || names.length === 0) throw new Error("the tokenizer has no vocabulary");
  return { words: new Set(Object.keys(vocabulary)), special: new RegExp(`(${escaped.join("|")})`) };
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? new Map<string, unknown>(Object.entries(value)).get(name) : undefined;
}
