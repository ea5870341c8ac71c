import type { Chance } from "../chance.ts";
import { beats, drum } from "./beats.ts";
import type { Section } from "./form.ts";
import { beatsPerBar, channel, type Note } from "./score.ts";
import type { Style } from "./style.ts";

/** The drums of one section: its pattern, an accent where it begins and a fill where it ends. */
export function playDrums(section: Section, style: Style, last: boolean, chance: Chance): Note[] {
  if (!style.drums) return [];
  const beat = beats[style.genre.beat ?? "folk"];
  const notes: Note[] = [];
  for (let bar = 0; bar < section.bars; bar++) {
    const start = (section.startBar + bar) * beatsPerBar;
    const filling = bar === section.bars - 1 && !last && section.bars > 1;
    for (const line of beat.lines) {
      if (section.intensity < (line.from ?? 0)) continue;
      const steps = filling && line.drum !== drum.kick ? line.steps.slice(0, 8) : line.steps;
      notes.push(...strike(line.drum, steps, start, section.intensity, chance));
    }
    if (filling && section.intensity > 0.45) notes.push(...fill(start + 2, section.intensity, chance));
  }
  const accented = section.kind === "chorus" || section.kind === "solo" || (section.kind === "verse" && section.startBar > 0);
  if (accented) notes.push(hit(beat.crash, section.startBar * beatsPerBar, 92));
  if (last)
    notes.push(
      hit(beat.crash, (section.startBar + section.bars - 1) * beatsPerBar, 80),
      hit(drum.kick, (section.startBar + section.bars - 1) * beatsPerBar, 96),
    );
  return notes;
}

const strengths: Record<string, number> = { X: 112, x: 92, o: 58 };

function strike(pitch: number, steps: string, start: number, intensity: number, chance: Chance): Note[] {
  const notes: Note[] = [];
  steps.split("").forEach((step, index) => {
    const strength = strengths[step];
    if (strength === undefined) return;
    notes.push(hit(pitch, start + index / 4, strength * (0.78 + 0.2 * Math.min(1.1, intensity)) + chance.range(-7, 5)));
  });
  return notes;
}

function fill(start: number, intensity: number, chance: Chance): Note[] {
  const drums = chance.pick([
    [drum.snare, drum.snare, drum.highTom, drum.highTom, drum.midTom, drum.midTom, drum.lowTom, drum.lowTom],
    [drum.snare, 0, drum.snare, drum.snare, 0, drum.snare, drum.lowTom, drum.lowTom],
    [drum.highTom, 0, drum.highTom, drum.midTom, 0, drum.midTom, drum.deepTom, drum.snare],
    [0, 0, 0, 0, drum.snare, drum.snare, drum.snare, drum.snare],
  ]);
  return drums.flatMap((pitch, index) =>
    pitch === 0 ? [] : [hit(pitch, start + index / 4, (64 + index * 5) * Math.min(1.1, 0.6 + intensity * 0.4))],
  );
}

function hit(pitch: number, start: number, velocity: number): Note {
  return { channel: channel.drums, pitch, velocity, start, length: 0.2 };
}
