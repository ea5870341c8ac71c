import type { Chance } from "../chance.ts";
import type { Section, SectionKind } from "./form.ts";
import { chordOn, melodyScale, nearest } from "./harmony.ts";
import { beatsPerBar, channel, type Note } from "./score.ts";
import type { Style } from "./style.ts";

/** Two bars of tune without pitch names: when notes come, how long they last, and where they move on the ladder of the scale. */
export type Motif = { at: number; length: number; move: number }[];

/** The tunes of a song, one for each kind of section: the verse's returns with every verse, the hook with every chorus. */
export type Tunes = (kind: SectionKind) => Motif;

export function createTunes(style: Style, chance: Chance): Tunes {
  const verse = createMotif(style.genre.density, chance.branch("verse tune"));
  const chorus = createMotif(style.genre.density * 0.9, chance.branch("chorus tune"));
  const bridge = createMotif(style.genre.density * 0.7, chance.branch("bridge tune"));
  const solo = createMotif(style.genre.density * 1.4, chance.branch("solo tune"));
  return (kind) => (kind === "chorus" ? chorus : kind === "bridge" || kind === "prechorus" ? bridge : kind === "solo" ? solo : verse);
}

function createMotif(density: number, chance: Chance): Motif {
  const motif: Motif = [];
  const grid = density > 6.5 ? 0.5 : 1;
  let at = chance.maybe(0.3) ? 0.5 : 0;
  const target = Math.max(3, Math.round(density * 2 * chance.range(0.8, 1.1)));
  const usual = Math.max(0.5, Math.round((7.5 / target) * 2) / 2);
  while (at < 7 && motif.length < target) {
    const length = Math.max(grid / 2, usual * chance.pick([0.5, 1, 1, 1, 1.5, 2]));
    const room = Math.min(length, 7.5 - at);
    motif.push({ at, length: room * 0.92, move: chance.pick([-2, -1, -1, 0, 1, 1, 2, 1, -1]) });
    at += Math.max(0.5, Math.round(length * 2) / 2);
  }
  return motif;
}

/** The melody of one section, and the voice that answers it where the music is full. */
export function playMelody(section: Section, style: Style, tunes: Tunes, chance: Chance): Note[] {
  if (section.kind === "intro" || (section.kind === "outro" && section.bars <= 2)) return [];
  const motif = tunes(section.kind);
  const centre = section.kind === "chorus" || section.kind === "solo" ? 77 : 72;
  const ladder = rungs(style, centre - 9, centre + 10);
  const notes: Note[] = [];
  for (let bar = 0; bar < section.bars; bar += 2) {
    const answer = bar % 4 === 2;
    notes.push(...phrase({ section, style, motif, ladder, centre, bar, answer, chance }));
  }
  const full = section.kind === "chorus" || section.kind === "solo";
  return full && style.programs.counter !== null ? [...notes, ...counter(section, style, centre)] : notes;
}

type Phrase = {
  section: Section;
  style: Style;
  motif: Motif;
  ladder: number[];
  centre: number;
  bar: number;
  answer: boolean;
  chance: Chance;
};

function phrase({ section, style, motif, ladder, centre, bar, answer, chance }: Phrase): Note[] {
  let rung = closest(ladder, centre);
  const notes = motif.flatMap((step, index): Note[] => {
    const inBar = bar + Math.floor(step.at / beatsPerBar);
    if (inBar >= section.bars) return [];
    // An answer begins like its question and ends differently; any repeat may leave out or turn a note.
    const turned = answer && index > motif.length / 2 ? -step.move : step.move;
    rung = bounce(rung + turned + (chance.maybe(0.06) ? 1 : 0), ladder.length);
    const chord = chordOn(section.steps[inBar] ?? 0, style.mode, false).map((tone) => (style.key + tone) % 12);
    const strong = step.at % 2 === 0 || index === motif.length - 1;
    if (strong) rung = toChord(ladder, rung, chord);
    const velocity = (strong ? 100 : 88) * (0.82 + 0.16 * Math.min(1.1, section.intensity)) + chance.range(-6, 6);
    return [
      {
        channel: channel.lead,
        pitch: ladder[rung] ?? centre,
        velocity,
        start: (section.startBar + bar) * beatsPerBar + step.at,
        length: step.length,
      },
    ];
  });
  const close = notes.at(-1);
  if (answer && close !== undefined) close.length = Math.max(close.length, 1.5);
  return notes;
}

function counter(section: Section, style: Style, centre: number): Note[] {
  return section.steps.map((step, bar) => {
    const chord = chordOn(step, style.mode, false);
    const pitch = nearest(style.key + (chord[bar % 2 === 0 ? 1 : 2] ?? 0), centre - 8);
    return { channel: channel.counter, pitch, velocity: 66, start: (section.startBar + bar) * beatsPerBar, length: 3.9 };
  });
}

function rungs(style: Style, low: number, high: number): number[] {
  const scale = melodyScale(style.mode);
  const ladder: number[] = [];
  for (let pitch = low; pitch <= high; pitch++) if (scale.includes((((pitch - style.key) % 12) + 12) % 12)) ladder.push(pitch);
  return ladder;
}

function closest(ladder: readonly number[], pitch: number): number {
  return ladder.reduce((best, value, index) => (Math.abs(value - pitch) < Math.abs((ladder[best] ?? 0) - pitch) ? index : best), 0);
}

function bounce(rung: number, length: number): number {
  if (rung < 0) return -rung;
  return rung >= length ? 2 * (length - 1) - rung : rung;
}

function toChord(ladder: readonly number[], rung: number, chord: readonly number[]): number {
  for (let off = 0; off < ladder.length; off++) {
    for (const candidate of [rung + off, rung - off]) {
      const pitch = ladder[candidate];
      if (pitch !== undefined && chord.includes(pitch % 12)) return candidate;
    }
  }
  return rung;
}
