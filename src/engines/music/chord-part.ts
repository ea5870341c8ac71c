import type { Chance } from "../chance.ts";
import type { Section } from "./form.ts";
import type { Comping } from "./genres.ts";
import { chordOn, voice } from "./harmony.ts";
import { beatsPerBar, channel, type Note } from "./score.ts";
import type { Style } from "./style.ts";

/** The harmony of one section: the instrument that keeps it moving and, where the music is full, a held carpet beneath. */
export function playChords(section: Section, style: Style, last: boolean, chance: Chance): Note[] {
  // An introduction has the stage to itself and plays up.
  const soft = section.kind === "intro" ? 1.1 : 0.8 + 0.18 * Math.min(1.1, section.intensity);
  return section.steps.flatMap((step, bar) => {
    const chord = chordOn(step, style.mode, style.genre.sevenths);
    const ending = last && bar === section.bars - 1;
    const comping: Comping =
      ending || (section.kind === "intro" && bar % 2 === 0 && style.genre.comping !== "arpeggio") ? "held" : style.genre.comping;
    const keys = style.genre.comping === "power" ? power(chord, style.key) : voice(chord, style.key, 61);
    const at = (section.startBar + bar) * beatsPerBar;
    const notes = figure(comping, keys).map((note) => ({
      channel: channel.chords,
      pitch: note.pitch,
      velocity: note.velocity * soft + chance.range(-6, 4),
      start: at + note.start,
      // The last chord rings on while the song fades.
      length: ending ? note.length + 3 : note.length,
    }));
    return hasPad(section, style) ? [...notes, ...hold(voice(chord, style.key, 64), at, 52 * soft)] : notes;
  });
}

function hasPad(section: Section, style: Style): boolean {
  return style.programs.pad !== null && (section.kind !== "verse" || section.startBar > 8 || style.genre.beat === null);
}

function hold(keys: readonly number[], start: number, velocity: number): Note[] {
  return keys.map((pitch) => ({ channel: channel.pad, pitch, velocity, start, length: 3.95 }));
}

/** Root, fifth and octave: what a distorted guitar can play without turning to noise. */
function power(chord: readonly number[], key: number): number[] {
  const root = 40 + ((((key + (chord[0] ?? 0) - 40) % 12) + 12) % 12);
  return [root, root + 7, root + 12];
}

type Stroke = { pitch: number; start: number; length: number; velocity: number };
type Hit = readonly [start: number, length: number, velocity: number];

/** Whole chords: when they sound, how long and how loud. */
const blocks: Record<"beats" | "power" | "offbeats" | "charleston" | "strum", Hit[]> = {
  beats: [
    [0, 0.9, 84],
    [1, 0.8, 70],
    [2, 0.9, 78],
    [3, 0.8, 70],
  ],
  power: [
    [0, 0.48, 96],
    [0.5, 0.34, 78],
    [1, 0.34, 78],
    [1.5, 0.34, 78],
    [2, 0.34, 80],
    [2.5, 0.48, 94],
    [3, 0.34, 78],
    [3.5, 0.34, 78],
  ],
  offbeats: [
    [0.5, 0.3, 80],
    [1.5, 0.3, 76],
    [2.5, 0.3, 80],
    [3.5, 0.3, 76],
  ],
  charleston: [
    [0, 1.2, 74],
    [1.5, 0.35, 82],
    [3.5, 0.3, 66],
  ],
  strum: [
    [0, 0.9, 86],
    [1, 0.45, 70],
    [1.5, 0.45, 62],
    [2.5, 0.45, 66],
    [3, 0.5, 78],
    [3.5, 0.4, 60],
  ],
};

function figure(comping: Comping, keys: readonly number[]): Stroke[] {
  const [low = 60, middle = low] = keys;
  const high = keys.at(-1) ?? low;
  if (comping === "held") return keys.map((pitch, index) => ({ pitch, start: index * 0.03, length: 3.9, velocity: 74 }));
  if (comping === "arpeggio") return run([low, middle, high, low + 12, high, middle, high, middle + 12], 1.2);
  if (comping === "broken") return run([low, high, middle, high, low, high, middle, high], 0.55);
  // A hand crosses the strings of a guitar one after the other.
  const spread = comping === "strum" ? 0.022 : 0;
  return blocks[comping].flatMap(([start, length, velocity]) =>
    keys.map((pitch, index) => ({ pitch, start: start + index * spread, length, velocity })),
  );
}

function run(pitches: readonly number[], length: number): Stroke[] {
  return pitches.map((pitch, index) => ({ pitch, start: index / 2, length, velocity: index % 4 === 0 ? 77 : 63 }));
}
