import type { Chance } from "../chance.ts";
import type { Section } from "./form.ts";
import type { BassLine } from "./genres.ts";
import { chordOn, nearest } from "./harmony.ts";
import { beatsPerBar, channel, type Note } from "./score.ts";
import type { Style } from "./style.ts";

/** The bass of one section. */
export function playBass(section: Section, style: Style, last: boolean, chance: Chance): Note[] {
  if (section.kind === "intro" && style.genre.bassLine !== "held" && section.intensity < 0.5) return [];
  return section.steps.flatMap((step, bar) => {
    const start = (section.startBar + bar) * beatsPerBar;
    const root = rootOf(step, style);
    const next = rootOf(section.steps[bar + 1] ?? section.steps[0] ?? 0, style);
    const fifth = root + 7;
    const ending = last && bar === section.bars - 1;
    const line: BassLine = ending ? "held" : style.genre.bassLine;
    const figures = line === "walking" ? walk(root, next, chordOn(step, style.mode, true), style.key, chance) : patterns[line];
    return figures.map(({ at, length, tone }) => ({
      channel: channel.bass,
      pitch: tone === "root" ? root : tone === "fifth" ? fifth : tone === "octave" ? root + 12 : tone,
      velocity: (at === 0 ? 98 : 86) * (0.82 + 0.16 * Math.min(1.1, section.intensity)) + chance.range(-5, 5),
      start: start + at,
      length: ending ? length + 2 : length,
    }));
  });
}

function rootOf(step: number, style: Style): number {
  return nearest(style.key + (chordOn(step, style.mode, false)[0] ?? 0), 39);
}

type Figure = { at: number; length: number; tone: "root" | "fifth" | "octave" | number };

const eighths = Array.from({ length: 8 }, (_, index): Figure => ({ at: index / 2, length: 0.44, tone: index === 7 ? "fifth" : "root" }));
const patterns: Record<Exclude<BassLine, "walking">, Figure[]> = {
  held: [{ at: 0, length: 3.9, tone: "root" }],
  roots: [
    { at: 0, length: 1.4, tone: "root" },
    { at: 1.5, length: 0.45, tone: "root" },
    { at: 2, length: 1.3, tone: "fifth" },
    { at: 3.5, length: 0.4, tone: "root" },
  ],
  eighths,
  octaves: Array.from({ length: 8 }, (_, index): Figure => ({ at: index / 2, length: 0.4, tone: index % 2 === 0 ? "root" : "octave" })),
  twobeat: [
    { at: 0, length: 0.95, tone: "root" },
    { at: 2, length: 0.95, tone: "fifth" },
  ],
  syncopated: [
    { at: 0, length: 0.6, tone: "root" },
    { at: 0.75, length: 0.4, tone: "root" },
    { at: 1.5, length: 0.45, tone: "octave" },
    { at: 2.5, length: 0.45, tone: "root" },
    { at: 3.25, length: 0.3, tone: "fifth" },
    { at: 3.5, length: 0.4, tone: "root" },
  ],
  sub: [
    { at: 0, length: 1.6, tone: "root" },
    { at: 1.75, length: 0.7, tone: "root" },
    { at: 2.5, length: 1.3, tone: "root" },
  ],
};

/** Four quarters that go from this chord's root to a half-tone beside the next one. */
function walk(root: number, next: number, chord: readonly number[], key: number, chance: Chance): Figure[] {
  const tone = (index: number): number => nearest(key + (chord[index] ?? 0), root + 4);
  const approach = next + (chance.maybe(0.5) ? 1 : -1);
  const middle = chance.maybe(0.5) ? [tone(1), tone(2)] : [tone(2), tone(3)];
  return [root, ...middle, approach].map((pitch, index) => ({ at: index, length: 0.92, tone: pitch }));
}
