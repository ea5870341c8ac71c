import { createChance } from "../chance.ts";
import { playBass } from "./bass-part.ts";
import { playChords } from "./chord-part.ts";
import { playDrums } from "./drum-part.ts";
import { barSeconds, type Section } from "./form.ts";
import { createTunes, playMelody } from "./melody-part.ts";
import type { Note } from "./score.ts";
import { familyOf, type Style } from "./style.ts";

/** A note with its times in seconds. */
export type TimedNote = { channel: number; pitch: number; velocity: number; startSeconds: number; endSeconds: number };
export type Composition = { notes: TimedNote[]; bodySeconds: number };

/** Writes out every voice of every section; the hook comes from the seed's family, the playing from the whole seed. */
export function compose(sections: readonly Section[], style: Style, seed: number): Composition {
  const tunes = createTunes(style, createChance("tunes", style.name, familyOf(seed)));
  const playing = createChance("playing", seed);
  const notes = sections.flatMap((section, index): Note[] => {
    const last = index === sections.length - 1 && section.kind === "outro";
    const chance = playing.branch(index);
    return [
      ...playDrums(section, style, last, chance.branch("drums")),
      ...playBass(section, style, last, chance.branch("bass")),
      ...playChords(section, style, last, chance.branch("chords")),
      ...playMelody(section, style, tunes, chance.branch("melody")),
    ];
  });
  const bars = sections.reduce((sum, section) => sum + section.bars, 0);
  return { notes: time(notes, style), bodySeconds: bars * barSeconds(style) };
}

function time(notes: readonly Note[], style: Style): TimedNote[] {
  const beat = 60 / style.bpm;
  return notes.map(({ channel, pitch, velocity, start, length }) => ({
    channel,
    pitch,
    velocity: Math.max(1, Math.min(127, Math.round(velocity))),
    startSeconds: swung(start, style.genre.swing) * beat,
    endSeconds: (swung(start, style.genre.swing) + length) * beat,
  }));
}

/** Off-beats come late: the second eighth moves by its share of the beat, everything between moves along. */
function swung(start: number, swing: number): number {
  const beat = Math.floor(start);
  const share = start - beat;
  const half = 0.5 + swing / 2;
  return beat + (share < 0.5 ? share * 2 * half : half + (share - 0.5) * 2 * (1 - half));
}
