import { sampleRate, type Stereo } from "./band.ts";

const peak = 0.89;
/** About -15 dB: as loud as music for listening usually is. */
const wishedLevel = 0.17;

/** Brings a recording to a steady loudness without clipping, and fades its end (and, where it joins another, hardly at all). */
export function master(sound: Stereo, fadeSeconds: number): void {
  const level = rms(sound);
  if (level === 0) return;
  const drive = Math.min(8, wishedLevel / level);
  let highest = 0;
  for (const side of [sound.left, sound.right]) {
    for (let index = 0; index < side.length; index++) {
      const value = soften((side[index] ?? 0) * drive);
      side[index] = value;
      highest = Math.max(highest, Math.abs(value));
    }
  }
  const gain = highest > 0 ? Math.min(peak / highest, 2) : 1;
  const fade = Math.max(1, Math.round(fadeSeconds * sampleRate));
  for (const side of [sound.left, sound.right]) {
    for (let index = 0; index < side.length; index++) {
      const left = Math.min(1, (side.length - index) / fade);
      side[index] = (side[index] ?? 0) * gain * left * left;
    }
  }
}

/** The loudness of a recording, 0 to 1. */
export function rms({ left, right }: Stereo): number {
  let sum = 0;
  for (const side of [left, right]) for (let index = 0; index < side.length; index++) sum += (side[index] ?? 0) ** 2;
  return Math.sqrt(sum / Math.max(1, left.length + right.length));
}

/** Leaves quiet sound alone and bends loud peaks, as tape does. */
function soften(value: number): number {
  const loud = Math.abs(value);
  if (loud <= 0.6) return value;
  return Math.sign(value) * (0.6 + 0.4 * Math.tanh((loud - 0.6) / 0.4));
}
