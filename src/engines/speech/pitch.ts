/** The pitch of speech over time, in Hz, one value for every hundredth of a second; 0 where there is none. */
export type PitchTrack = { hertz: Float32Array; framesPerSecond: number };

const framesPerSecond = 100;
const lowest = 60;
const highest = 380;
/** Fine enough for pitch, and cheap. */
const coarseRate = 6000;
const windowSeconds = 0.04;
const voicedLikeness = 0.5;
const audible = 0.004;

/** Finds the delay at which the sound is most like itself. */
export function trackPitch(samples: Float32Array, sampleRate: number): PitchTrack {
  const ratio = Math.max(1, Math.round(sampleRate / coarseRate));
  const rate = sampleRate / ratio;
  const coarse = Float32Array.from({ length: Math.floor(samples.length / ratio) }, (_, index) => {
    let sum = 0;
    for (let inner = 0; inner < ratio; inner++) sum += samples[index * ratio + inner] ?? 0;
    return sum / ratio;
  });
  const hertz = Float32Array.from({ length: Math.ceil((samples.length / sampleRate) * framesPerSecond) }, (_, frame) => {
    const lag = likeliestLag(coarse, Math.round((frame / framesPerSecond) * rate), rate);
    return lag > 0 ? rate / lag : 0;
  });
  return { hertz: smooth(hertz), framesPerSecond };
}

/** The middle of the pitch where there is any; 0 where there is none. */
export function medianPitch({ hertz }: PitchTrack): number {
  const voiced = hertz.filter((value) => value > 0).sort();
  return voiced[Math.floor(voiced.length / 2)] ?? 0;
}

function likeliestLag(samples: Float32Array, middle: number, rate: number): number {
  const length = Math.round(windowSeconds * rate);
  const first = Math.floor(rate / highest);
  const last = Math.ceil(rate / lowest);
  const from = Math.max(0, Math.min(samples.length - length - last, middle - (length >> 1)));
  if (from + length + last > samples.length || energy(samples, from, length) < audible * audible * length) return 0;
  const likeness = Float32Array.from({ length: last + 1 }, (_, lag) => (lag < first ? 0 : compare(samples, from, from + lag, length)));
  const best = Math.max(...likeness);
  if (best < voicedLikeness) return 0;
  // Twice the period looks as good as the period: the first good peak is the right one.
  const lag = likeness.findIndex(
    (value, index) => value >= best * 0.9 && value >= (likeness[index - 1] ?? 0) && value >= (likeness[index + 1] ?? 0),
  );
  return Math.max(0, lag);
}

function energy(samples: Float32Array, from: number, length: number): number {
  let sum = 0;
  for (let index = from; index < from + length; index++) sum += (samples[index] ?? 0) ** 2;
  return sum;
}

/** How alike two stretches are, whatever their loudness: 1 the same, 0 unrelated. */
export function compare(samples: Float32Array, one: number, other: number, length: number): number {
  let product = 0;
  let left = 0;
  let right = 0;
  for (let index = 0; index < length; index++) {
    const a = samples[one + index] ?? 0;
    const b = samples[other + index] ?? 0;
    product += a * b;
    left += a * a;
    right += b * b;
  }
  return left > 0 && right > 0 ? product / Math.sqrt(left * right) : 0;
}

/** A single frame that disagrees with both neighbours is a slip. */
function smooth(hertz: Float32Array): Float32Array {
  return hertz.map((value, index) => [hertz[index - 1] ?? value, value, hertz[index + 1] ?? value].sort((a, b) => a - b)[1] ?? value);
}
