import { compare, trackPitch, type PitchTrack } from "./pitch.ts";

/** A pitch of 2 is an octave higher, a stretch of 2 twice as long. */
export type Shape = { pitch: number; stretch: number };

type Mark = { at: number; period: number; voiced: boolean };

const quietPeriodSeconds = 0.005;

/** Changes the pitch and the length of speech, each on its own and without touching its timbre: single periods are laid out anew. */
export function reshape(samples: Float32Array, sampleRate: number, { pitch, stretch }: Shape): Float32Array {
  if (Math.abs(pitch - 1) < 0.01 && Math.abs(stretch - 1) < 0.01) return samples;
  const marks = placeMarks(samples, sampleRate, trackPitch(samples, sampleRate));
  const length = Math.round(samples.length * stretch);
  const sum = new Float32Array(length);
  const weight = new Float32Array(length);
  let nearest = 0;
  for (let at = 0; at < length;) {
    const wanted = at / stretch;
    while (nearest + 1 < marks.length && distance(marks[nearest + 1], wanted) <= distance(marks[nearest], wanted)) nearest++;
    const mark = marks[nearest];
    if (mark === undefined) break;
    layGrain(samples, mark, Math.round(at), sum, weight);
    at += mark.voiced ? mark.period / pitch : mark.period;
  }
  // Where grains lie close they add up; where they lie far apart the gap is the lower pitch itself.
  return sum.map((value, index) => value / Math.max(1, weight[index] ?? 1));
}

function distance(mark: Mark | undefined, at: number): number {
  return mark === undefined ? Infinity : Math.abs(mark.at - at);
}

function layGrain(samples: Float32Array, { at, period }: Mark, target: number, sum: Float32Array, weight: Float32Array): void {
  const half = Math.round(period);
  for (let offset = -half; offset <= half; offset++) {
    const to = target + offset;
    if (to < 0 || to >= sum.length) continue;
    const share = 0.5 + 0.5 * Math.cos((Math.PI * offset) / half);
    sum[to] = (sum[to] ?? 0) + (samples[at + offset] ?? 0) * share;
    weight[to] = (weight[to] ?? 0) + share;
  }
}

/** Marks one place in every period, at the same point of the wave; where there is no pitch, at even distances. */
function placeMarks(samples: Float32Array, sampleRate: number, track: PitchTrack): Mark[] {
  const marks: Mark[] = [];
  const quiet = Math.round(quietPeriodSeconds * sampleRate);
  let at = 0;
  while (at < samples.length) {
    const hertz = track.hertz[Math.floor((at / sampleRate) * track.framesPerSecond)] ?? 0;
    const voiced = hertz > 0;
    const period = voiced ? Math.round(sampleRate / hertz) : quiet;
    const before = marks.at(-1);
    if (voiced && before?.voiced === true) at = alignMark(samples, before.at, period);
    else if (voiced) at = loudest(samples, at, period);
    marks.push({ at, period, voiced });
    // The next voiced mark is searched from this one; its pitch is looked up one period on.
    at += period;
  }
  return marks;
}

/** The place about one period later where the wave is most like it was. */
function alignMark(samples: Float32Array, before: number, period: number): number {
  const half = period >> 1;
  let best = { at: before + period, likeness: -Infinity };
  for (let at = before + Math.round(period * 0.8); at <= before + Math.round(period * 1.2); at++) {
    const likeness = compare(samples, before - half, at - half, period);
    if (likeness > best.likeness) best = { at, likeness };
  }
  return best.at;
}

function loudest(samples: Float32Array, from: number, length: number): number {
  let best = from;
  for (let at = from; at < Math.min(samples.length, from + length); at++) {
    if (Math.abs(samples[at] ?? 0) > Math.abs(samples[best] ?? 0)) best = at;
  }
  return best;
}
