import { setImmediate as nextTurn } from "node:timers/promises";
import { harmCategories, harmWords, type HarmCategory, type Weights } from "./local-harm-words.ts";

/** How much in a text speaks for each category, 0 to 1. */
export type Scores = ReadonlyMap<HarmCategory, number>;

/** A word of a phrase: those that may follow it, and what the phrase speaks for where this word is its last. */
type Step = { next: Map<string, Step>; sign: { weights: Weights } | null };

const wordsPerTurn = 2000;
const wordOrStop = /[\p{L}\p{N}'’]+|[.!?;:]/gu;
const start: Step = { next: new Map(), sign: null };
for (const { weights, phrases } of harmWords) for (const phrase of phrases) learn(start, phrase.split(" "), weights);

/** Looks for the phrases of the list; the same text always gets the same scores. */
export async function judge(text: string, signal: AbortSignal): Promise<Scores> {
  const found = new Set<{ weights: Weights }>();
  let open: Step[] = [];
  let read = 0;
  for (const [token] of text.matchAll(wordOrStop)) {
    const word = bare(token);
    // No phrase reaches across the end of a sentence.
    open = word === "" ? [] : [...open, start].flatMap(({ next }) => next.get(word) ?? []);
    for (const { sign } of open) if (sign !== null) found.add(sign);
    read += 1;
    // A long text must not keep everybody else waiting.
    if (read % wordsPerTurn === 0) await nextTurn(undefined, { signal });
  }
  return weigh([...found].map(({ weights }) => weights));
}

function learn(from: Step, [words, ...rest]: readonly string[], weights: Weights): void {
  if (words === undefined) {
    from.sign = { weights: { ...from.sign?.weights, ...weights } };
    return;
  }
  for (const word of words.split("|")) {
    if (word === "") {
      learn(from, rest, weights);
      continue;
    }
    const step = from.next.get(word) ?? { next: new Map(), sign: null };
    from.next.set(word, step);
    learn(step, rest, weights);
  }
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
