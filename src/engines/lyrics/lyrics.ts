import { createChance, type Chance } from "../chance.ts";
import type { LyricsJob, LyricsResult } from "../job.ts";
import { suggestTags } from "../music/tag-words.ts";
import { wordsOf } from "../words.ts";
import { capital, headline, topicsOf } from "./topic.ts";
import { brightRhymes, bridges, darkRhymes, hooks, openings, spareTopics, titles, type RhymeFamily } from "./verse-bank.ts";

/** Writes a song text about the prompt, with section markers and rhymes; the same prompt and seed give the same text. */
export function writeLyrics({ prompt, seed = 0 }: Omit<LyricsJob, "engine">): LyricsResult {
  const chance = createChance("lyrics", prompt, seed);
  const topics = topicsOf(prompt);
  // One thing alone would be in every line: something else comes in between.
  const spare = createDeck(spareTopics, chance.branch("spare"));
  while (topics.length < 3) topics.push(spare());
  const poet = createPoet(topics, isGloomy(prompt) ? darkRhymes : brightRhymes, chance.branch("lines"));
  const chorus = poet.chorus();
  const sections = [
    `[Verse 1]\n${poet.verse()}`,
    `[Chorus]\n${chorus}`,
    `[Verse 2]\n${poet.verse()}`,
    `[Chorus]\n${chorus}`,
    `[Bridge]\n${poet.bridge()}`,
    `[Chorus]\n${chorus}`,
  ];
  return {
    engine: "lyrics",
    title: titleOf(topics, chance.branch("title")),
    text: sections.join("\n\n"),
    tags: suggestTags(prompt, chance.branch("tags")),
  };
}

type Poet = { verse(): string; chorus(): string; bridge(): string };

function createPoet(topics: readonly string[], families: readonly [RhymeFamily, ...RhymeFamily[]], chance: Chance): Poet {
  const draw = createDeck(families, chance.branch("rhymes"));
  const start = {
    verse: createDeck(openings, chance.branch("verse")),
    chorus: createDeck(hooks, chance.branch("hook")),
    bridge: createDeck(bridges, chance.branch("bridge")),
  };
  let turn = 0;
  const fill = (opening: string): string => {
    const a = topics[turn % topics.length] ?? "";
    const b = topics[(turn + 1) % topics.length] ?? a;
    turn++;
    return opening.replaceAll("{a}", a).replaceAll("{b}", b);
  };
  // Lines rhyme in pairs: two ends from one family, then two from the next.
  const pair = (from: () => string): string[] => {
    const ends = createDeck(draw(), chance);
    return [0, 1].map(() => `${capital(fill(from()))}\n${capital(ends())}`);
  };
  return {
    verse: () => [...pair(start.verse), ...pair(start.verse)].join("\n"),
    chorus: () => {
      const lines = pair(start.chorus);
      return [...lines, ...lines.slice(0, 1)].join("\n");
    },
    bridge: () => pair(start.bridge).join("\n"),
  };
}

/** Deals from a list without repeating until all of it was dealt. */
function createDeck<T>(list: readonly [T, ...T[]], chance: Chance): () => T {
  let left: T[] = [];
  return () => {
    if (left.length === 0) left = [...list];
    const [card] = left.splice(chance.whole(0, left.length - 1), 1);
    return card ?? list[0];
  };
}

/** A title from what the song is about. */
export function titleOf(topics: readonly string[], chance: Chance): string {
  const a = headline(topics[0] ?? chance.pick(spareTopics));
  const b = headline(topics[1] ?? chance.pick(spareTopics));
  return chance.pick(titles).replaceAll("{A}", a).replaceAll("{B}", b);
}

const gloomy = new Set(
  "sad dark lonely goodbye loss lost grief death cry crying tears rain heartbreak melancholy blues night winter cold ghost war".split(" "),
);

function isGloomy(prompt: string): boolean {
  return wordsOf(prompt).some((word) => gloomy.has(word));
}
