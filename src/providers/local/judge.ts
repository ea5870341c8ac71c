import { setImmediate as nextTurn } from "node:timers/promises";
import { harmCategories, harmWords, type HarmCategory, type Weights } from "./harm-words.ts";

/** How much in a text speaks for each category, 0 to 1. */
export type Scores = ReadonlyMap<HarmCategory, number>;

type Place = { words: ReadonlySet<string>; mayLack: boolean };
type Phrase = { places: readonly Place[]; weights: Weights };
/** A phrase that has been read as far as the place before `at`. */
type Reading = { phrase: Phrase; at: number };

const wordsPerTurn = 1000;
const wordOrStop = /[\p{L}\p{N}'’]+|[.!?;:]/gu;
const phrasesByFirst = learn();

/** Looks for the phrases of the list; the same text always gets the same scores. */
export async function judge(text: string, signal: AbortSignal): Promise<Scores> {
  const found = new Set<Phrase>();
  let readings: Reading[] = [];
  let count = 0;
  for (const [token] of text.matchAll(wordOrStop)) {
    // Neither a long text nor many must keep everybody else waiting.
    if (count++ % wordsPerTurn === 0) await nextTurn(undefined, { signal });
    const word = bare(token);
    const begun = phrasesByFirst.get(word)?.map((phrase) => ({ phrase, at: 1 })) ?? [];
    // No phrase reaches across the end of a sentence.
    readings = word === "" ? [] : [...readings.flatMap((reading) => advance(reading, word)), ...begun];
    for (const { phrase, at } of readings) if (at === phrase.places.length) found.add(phrase);
  }
  return weigh([...found].map(({ weights }) => weights));
}

function learn(): ReadonlyMap<string, Phrase[]> {
  const learned = harmWords.flatMap(({ weights, phrases }) =>
    phrases.map((text): Phrase => ({ places: text.split(" ").map(placeOf), weights })),
  );
  const words = new Set(learned.flatMap(({ places: [first] }) => [...(first?.words ?? [])]));
  return new Map([...words].map((word) => [word, learned.filter(({ places: [first] }) => first?.words.has(word))]));
}

function placeOf(text: string): Place {
  const words = text.split("|").filter((word) => word !== "");
  return { words: new Set(words), mayLack: text.startsWith("|") };
}

/** Where a phrase can be after the next word: nowhere if the word does not go on with it. */
function advance({ phrase, at }: Reading, word: string): Reading[] {
  const place = phrase.places[at];
  if (place === undefined) return [];
  const without = place.mayLack ? advance({ phrase, at: at + 1 }, word) : [];
  return place.words.has(word) ? [{ phrase, at: at + 1 }, ...without] : without;
}

/** A token as the list spells it; nothing is left of a stop. */
function bare(token: string): string {
  return token
    .replace(/['’.!?;:]/g, "")
    .normalize("NFKC")
    .toLowerCase();
}

/** Every sign leaves less of the doubt: two of a half each make three quarters. */
function weigh(signs: readonly Weights[]): Scores {
  return new Map(
    harmCategories.map((category) => {
      const doubt = signs.reduce((left, weights) => left * (1 - (weights[category] ?? 0)), 1);
      return [category, Math.round((1 - doubt) * 1e4) / 1e4];
    }),
  );
}
