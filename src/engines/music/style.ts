import { createChance, type Chance } from "../chance.ts";
import { genreTable, type Genre } from "./genres.ts";
import { lineups, type Lineup } from "./lineups.ts";
import { scales, type Mode } from "./harmony.ts";
import { chooseGenre, readWishes, type GenreName, type Instrument, type Mood, type Wishes } from "./tag-words.ts";

/** All that stays the same within a song and its continuations. */
export type Style = {
  name: GenreName;
  genre: Genre;
  bpm: number;
  /** The key note as a MIDI pitch class. */
  key: number;
  mode: Mode;
  drums: boolean;
  programs: { chords: number; pad: number | null; bass: number; lead: number; counter: number | null; kit: number };
  /** How much room is around the players, 0 to 127. */
  reverb: number;
  verse: number[];
  chorus: number[];
  bridge: number[];
  /** Louder and busier, or softer and sparser: 1 is usual. */
  drive: number;
};

/** The part of a seed that fixes a song's style and hook; the rest varies how they are played. */
export function familyOf(seed: number): number {
  return seed & 0x7fff;
}

/** A seed of the same family: what is made from it goes on where the other left off. */
export function siblingSeed(seed: number, label: string): number {
  const fresh = createChance("sibling", seed, label).whole(1, 0xffff);
  return (fresh << 15) | familyOf(seed);
}

export function chooseStyle(tags: string, seed: number): Style {
  const chance = createChance("style", tags.toLowerCase().trim(), familyOf(seed));
  const wishes = readWishes(tags);
  const name = chooseGenre(wishes, chance);
  const genre = genreTable[name];
  const mode = chooseMode(genre, wishes, tags, chance);
  return {
    name,
    genre,
    bpm: chooseTempo(genre, wishes, chance),
    key: keyOf(tags) ?? chance.whole(0, 11),
    mode,
    drums: wishes.drums && (genre.beat !== null || /drum|beat/i.test(tags)),
    programs: choosePrograms(lineups[name], wishes.instruments, chance),
    reverb: lineups[name].reverb,
    verse: chance.pick(genre.verses),
    chorus: chance.pick(genre.choruses),
    bridge:
      name === "blues"
        ? chance.pick(genre.verses)
        : chance.pick([
            [3, 4, 5, 5],
            [5, 4, 3, 4],
            [1, 3, 5, 4],
          ]),
    drive: wishes.moods.reduce((drive, mood) => drive * feels[mood].drive, 1),
  };
}

const feels: Record<Mood, { tempo: number; drive: number; minor: boolean | null }> = {
  sad: { tempo: 0.86, drive: 0.85, minor: true },
  happy: { tempo: 1.06, drive: 1.05, minor: false },
  dark: { tempo: 0.94, drive: 1, minor: true },
  calm: { tempo: 0.9, drive: 0.8, minor: null },
  angry: { tempo: 1.08, drive: 1.15, minor: true },
  romantic: { tempo: 0.92, drive: 0.9, minor: null },
  energetic: { tempo: 1.08, drive: 1.12, minor: null },
  slow: { tempo: 0.78, drive: 0.9, minor: null },
  fast: { tempo: 1.22, drive: 1.05, minor: null },
};

function chooseTempo(genre: Genre, wishes: Wishes, chance: Chance): number {
  const usual = chance.range(...genre.bpm);
  const felt = wishes.moods.reduce((tempo, mood) => tempo * feels[mood].tempo, usual);
  return wishes.bpm ?? Math.round(Math.min(190, Math.max(54, felt)));
}

function chooseMode(genre: Genre, wishes: Wishes, tags: string, chance: Chance): Mode {
  const usual = chance.pick(genre.modes);
  const named = /\b(major|minor)\b/i.exec(tags)?.[1]?.toLowerCase();
  const felt = wishes.moods.map((mood) => feels[mood].minor).find((minor) => minor !== null);
  const minor = named === undefined ? felt : named === "minor";
  if (minor === undefined || minor === isMinor(usual) || usual === "blues") return usual;
  return genre.modes.find((mode) => isMinor(mode) === minor) ?? (minor ? "minor" : "major");
}

function isMinor(mode: Mode): boolean {
  return scales[mode][2] === 3;
}

function keyOf(tags: string): number | null {
  const found = /\b([a-g])(#|♯|b|♭| sharp| flat)?\s+(major|minor)\b/i.exec(tags);
  if (found === null) return null;
  const base = { c: 0, d: 2, e: 4, f: 5, g: 7, a: 9, b: 11 }[(found[1] ?? "").toLowerCase()] ?? 0;
  const sign = found[2] ?? "";
  return (base + (/#|♯|sharp/.test(sign) ? 1 : /b|♭|flat/.test(sign) ? 11 : 0)) % 12;
}

type Role = "chords" | "lead" | "pad";
const played: Record<Instrument, [Role, number]> = {
  piano: ["chords", 0],
  electricpiano: ["chords", 4],
  organ: ["chords", 16],
  guitar: ["chords", 25],
  electricguitar: ["chords", 29],
  violin: ["lead", 40],
  cello: ["lead", 42],
  strings: ["pad", 48],
  flute: ["lead", 73],
  saxophone: ["lead", 66],
  trumpet: ["lead", 56],
  clarinet: ["lead", 71],
  harp: ["chords", 46],
  choir: ["pad", 52],
  synth: ["lead", 81],
  bells: ["lead", 11],
  banjo: ["chords", 105],
  harmonica: ["lead", 22],
  sitar: ["lead", 104],
};

function choosePrograms(lineup: Lineup, wished: readonly Instrument[], chance: Chance): Style["programs"] {
  const programs = {
    chords: chance.pick(lineup.chords),
    pad: lineup.pad,
    bass: lineup.bass,
    lead: chance.pick(lineup.leads),
    counter: lineup.counter,
    kit: lineup.kit,
  };
  const taken = new Set<Role>();
  for (const instrument of wished) {
    const [role, program] = played[instrument];
    // A second wish for the same role answers the melody instead of replacing the first.
    if (taken.has(role)) programs.counter = program;
    else programs[role] = program;
    taken.add(role);
  }
  return programs;
}
