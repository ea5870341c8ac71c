/** Changes the rate of a recording that comes in pieces. */
export type Resampler = {
  push(piece: Float32Array): Float32Array;
  /** Gives the rest, which waited for what might follow. */
  finish(): Float32Array;
};

/** How many zero crossings of the low-pass kernel are kept on each side: more is steeper and slower. */
const crossings = 16;
const tableSteps = 512;
/** Share of the band that passes; the rest is the slope, so that nothing folds back. */
const passShare = 0.94;
const kernel = makeKernel();

/** A windowed-sinc low-pass read at any position: the rates need not be whole numbers. */
export function createResampler(fromRate: number, toRate: number): Resampler {
  if (fromRate === toRate) return { push: (piece) => piece, finish: () => new Float32Array(0) };
  const step = fromRate / toRate;
  const cutoff = Math.min(1, toRate / fromRate) * passShare;
  const reach = Math.ceil(crossings / cutoff);
  let held = new Float32Array(reach);
  let heldFrom = -reach;
  let taken = 0;
  let given = 0;

  function produce(until: number): Float32Array {
    const made = new Float32Array(Math.max(0, until - given));
    for (let index = 0; index < made.length; index++) made[index] = readAt(held, (given + index) * step - heldFrom, cutoff, reach);
    given += made.length;
    const drop = Math.max(0, Math.min(held.length, Math.floor(given * step) - reach - heldFrom));
    held = held.slice(drop);
    heldFrom += drop;
    return made;
  }

  function hold(piece: Float32Array): void {
    const longer = new Float32Array(held.length + piece.length);
    longer.set(held);
    longer.set(piece, held.length);
    held = longer;
  }

  return {
    push(piece) {
      taken += piece.length;
      hold(piece);
      return produce(Math.floor((heldFrom + held.length - reach - 1) / step));
    },
    finish() {
      hold(new Float32Array(reach + Math.ceil(step) + 1));
      return produce(Math.round(taken / step));
    },
  };
}

/** A whole recording at another rate. */
export function resample(samples: Float32Array, fromRate: number, toRate: number): Float32Array {
  const resampler = createResampler(fromRate, toRate);
  return joinSamples([resampler.push(samples), resampler.finish()]);
}

export function joinSamples(pieces: readonly Float32Array[]): Float32Array {
  const joined = new Float32Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

function readAt(samples: Float32Array, position: number, cutoff: number, reach: number): number {
  const middle = Math.floor(position);
  const first = Math.max(0, middle - reach + 1);
  const last = Math.min(samples.length - 1, middle + reach);
  const scale = cutoff * tableSteps;
  let sum = 0;
  for (let index = first; index <= last; index++) {
    const at = Math.abs(index - position) * scale;
    const low = Math.trunc(at);
    const from = kernel[low] ?? 0;
    sum += (samples[index] ?? 0) * (from + ((kernel[low + 1] ?? 0) - from) * (at - low));
  }
  return sum * cutoff;
}

/** One half of the kernel, with a Blackman window. */
function makeKernel(): Float32Array {
  const length = crossings * tableSteps;
  return Float32Array.from({ length: length + 2 }, (_, index) => {
    if (index >= length) return 0;
    const x = (Math.PI * index) / tableSteps;
    const turn = (Math.PI * index) / length;
    return (x === 0 ? 1 : Math.sin(x) / x) * (0.42 + 0.5 * Math.cos(turn) + 0.08 * Math.cos(2 * turn));
  });
}
