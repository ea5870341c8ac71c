import { hours, hues, places, subjects, weathers } from "../picture/scene-words.ts";
import { mentions } from "../words.ts";

/** How many of the words that say something each shorter prompt keeps. */
const shares = [1, 0.75, 0.55, 0.38, 0.22];

/** Up to five prompts, each shorter than the one before, that keep the weightiest words in their order. */
export function shortenPrompt(prompt: string): string[] {
  const all = readWords(prompt);
  const telling = all.filter(({ weight }) => weight > 0);
  const words = telling.length > 0 ? telling : all;
  const ranked = words.toSorted((one, other) => other.weight - one.weight || one.at - other.at);
  const found = new Set<string>();
  for (const share of shares) {
    const count = Math.max(1, Math.round(words.length * share));
    const kept = ranked.slice(0, count).toSorted((one, other) => one.at - other.at);
    found.add(joinWords(prompt, kept));
  }
  const shorter = [...found].filter((text) => text !== "" && text.length < prompt.trim().length);
  // A single word is as short as a prompt can be.
  return shorter.length > 0 ? shorter : [prompt.trim()];
}

type Word = { text: string; at: number; start: number; end: number; weight: number };

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

function readWords(prompt: string): Word[] {
  const segments = [...segmenter.segment(prompt)].filter(({ isWordLike }) => isWordLike === true);
  const seen = new Set<string>();
  return segments.map(({ segment, index }, at) => {
    const lower = segment.toLowerCase();
    const weight = weightOf(lower, at / segments.length) - (seen.has(lower) ? 2 : 0);
    seen.add(lower);
    return { text: segment, at, start: index, end: index + segment.length, weight };
  });
}

const vocabularies = [subjects, places, weathers, hours] as const;

/** What names a thing, a place or a colour weighs most, what only joins or praises weighs nothing; what comes first outweighs what follows. */
function weightOf(word: string, position: number): number {
  if (joining.has(word)) return -2;
  if (praising.has(word)) return -1;
  const named = vocabularies.some((known) => mentions([word], known).length > 0);
  const value = named ? 2.2 : hues.has(word) ? 1.6 : /(?:ly|ing|ed|ive|ous|ful)$/.test(word) ? 0.7 : 1.2;
  return value + (1 - position) * 0.8 + Math.min(word.length, 10) * 0.03;
}

const joining = new Set(
  "a an the of in on at by to for from with and or as is are was be it its this that these those into onto over under near very so some such there which who while his her their my your our".split(
    " ",
  ),
);
const praising = new Set(
  "beautiful stunning amazing incredible masterpiece gorgeous highly detailed intricate hyper ultra realistic hyperrealistic photorealistic quality high best resolution hd uhd 4k 8k 16k award winning trending artstation octane render unreal engine sharp focus professional perfect really extremely lovely nice great epic".split(
    " ",
  ),
);

/** Neighbours keep what stood between them; where something was left out, a comma that stood there remains. */
function joinWords(prompt: string, words: readonly Word[]): string {
  return words
    .map(({ text, at, start }, index) => {
      const before = words[index - 1];
      if (before === undefined) return text;
      const between = prompt.slice(before.end, start);
      if (before.at === at - 1) return `${between.replace(/\s+/g, " ")}${text}`;
      const isSpaced = /\s/.test(between);
      return `${/[,;.、，。]/.test(between) ? (isSpaced ? ", " : "，") : isSpaced ? " " : ""}${text}`;
    })
    .join("");
}
