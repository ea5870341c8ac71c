import type { ScenePlan } from "../picture/scene-plan.ts";
import { soundRate } from "./mp4.ts";

/** A quiet bed of sound for a scene: slow chords, and wind, water or rain behind them. Left and right in turn. */
export function composeAmbience(plan: ScenePlan, durationSeconds: number): Float32Array {
  const frames = Math.round(durationSeconds * soundRate);
  const sound = new Float32Array(frames * 2);
  addChords(sound, plan, durationSeconds);
  addNoise(sound, plan);
  shapeEnds(sound);
  return sound;
}

const scales = { bright: [0, 2, 4, 7, 9, 12, 14, 16], dark: [0, 2, 3, 7, 8, 12, 14, 15] };

function addChords(sound: Float32Array, plan: ScenePlan, durationSeconds: number): void {
  const chance = plan.chance.branch("ambience");
  const scale = plan.hour === "night" || plan.weather === "storm" || plan.weather === "rain" ? scales.dark : scales.bright;
  const root = 110 * 2 ** (chance.whole(-4, 5) / 12);
  const chordSeconds = 4 / plan.pace;
  for (let start = 0; start < durationSeconds; start += chordSeconds) {
    const base = chance.whole(0, 3);
    for (const step of [0, 2, 4, 7]) {
      const degree = scale[(base + step) % scale.length] ?? 0;
      const pitch = root * 2 ** ((degree + (step === 0 ? 0 : 12)) / 12);
      addTone(sound, { pitch, start, seconds: chordSeconds * 1.6, level: step === 0 ? 0.055 : 0.032, side: chance.range(-0.6, 0.6) });
    }
    for (let bell = chance.range(0.2, 1); bell < chordSeconds; bell += chance.range(0.5, 1.5) / plan.pace) {
      const degree = chance.pick([scale[0], scale[2], scale[3], scale[5], scale[7]]) ?? 0;
      addBell(sound, root * 2 ** (2 + degree / 12), start + bell, chance.range(0.012, 0.03), chance.range(-0.8, 0.8));
    }
  }
}

type Tone = { pitch: number; start: number; seconds: number; level: number; side: number };

function addTone(sound: Float32Array, { pitch, start, seconds, level, side }: Tone): void {
  const from = Math.round(start * soundRate);
  const count = Math.min(Math.round(seconds * soundRate), sound.length / 2 - from);
  const step = (2 * Math.PI * pitch) / soundRate;
  const length = seconds * soundRate;
  for (let index = 0; index < count; index++) {
    const rise = Math.sin((Math.PI * index) / length);
    const phase = step * index;
    // Two voices a hair apart beat slowly against each other and sound like more than one player.
    const value = (Math.sin(phase) + 0.6 * Math.sin(phase * 1.003 + 1) + 0.22 * Math.sin(phase * 2.001)) * level * rise * rise;
    mix(sound, from + index, value * (1 - side * 0.5), value * (1 + side * 0.5));
  }
}

function addBell(sound: Float32Array, pitch: number, start: number, level: number, side: number): void {
  const from = Math.round(start * soundRate);
  const count = Math.min(soundRate * 2, sound.length / 2 - from);
  const step = (2 * Math.PI * pitch) / soundRate;
  for (let index = 0; index < count; index++) {
    const value = Math.sin(step * index) * level * Math.exp((-3.2 * index) / soundRate) * Math.min(1, index / 200);
    mix(sound, from + index, value * (1 - side * 0.5), value * (1 + side * 0.5));
  }
}

/** Filtered noise whose strength comes and goes: waves and wind slowly, rain evenly. */
function addNoise(sound: Float32Array, plan: ScenePlan): void {
  const { level, tone, swell } = noiseOf(plan);
  const chance = plan.chance.branch("noise");
  // A few seconds of noise, read at two places at once: nobody hears that it repeats, and drawing it all would take longer than the film.
  const grains = Float32Array.from({ length: 2 ** 17 }, () => chance.next() * 2 - 1);
  const apart = 54_321;
  let left = 0;
  let right = 0;
  for (let index = 0; index < sound.length / 2; index++) {
    const seconds = index / soundRate;
    left += ((grains[index % grains.length] ?? 0) - left) * tone;
    right += ((grains[(index + apart) % grains.length] ?? 0) - right) * tone;
    const strength = level * (1 - swell + swell * (0.5 + 0.5 * Math.sin(seconds * 0.9 + Math.sin(seconds * 0.37) * 2)));
    mix(sound, index, left * strength, right * strength);
  }
}

function noiseOf(plan: ScenePlan): { level: number; tone: number; swell: number } {
  if (plan.weather === "rain" || plan.weather === "storm") return { level: 0.07, tone: 0.45, swell: 0.15 };
  if (plan.place === "sea") return { level: 0.16, tone: 0.09, swell: 0.8 };
  if (plan.place === "underwater") return { level: 0.2, tone: 0.02, swell: 0.5 };
  if (plan.place === "space") return { level: 0.12, tone: 0.012, swell: 0.5 };
  if (plan.place === "city") return { level: 0.1, tone: 0.03, swell: 0.3 };
  return { level: 0.09, tone: 0.05, swell: 0.7 };
}

function shapeEnds(sound: Float32Array): void {
  const frames = sound.length / 2;
  const ramp = Math.min(soundRate * 0.6, frames / 3);
  for (let index = 0; index < frames; index++) {
    const gain = Math.min(1, index / ramp, (frames - 1 - index) / ramp);
    for (const at of [index * 2, index * 2 + 1]) sound[at] = Math.max(-0.95, Math.min(0.95, (sound[at] ?? 0) * gain * 1.5));
  }
}

function mix(sound: Float32Array, frame: number, left: number, right: number): void {
  sound[frame * 2] = (sound[frame * 2] ?? 0) + left;
  sound[frame * 2 + 1] = (sound[frame * 2 + 1] ?? 0) + right;
}
