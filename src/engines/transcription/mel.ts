/** What the recogniser listens to: 30 seconds at a time, in 3,000 frames of 80 bands. */
export const listenRate = 16_000;
export const windowSeconds = 30;
export const frameCount = 3000;
export const bandCount = 80;

const windowSize = 400;
const hop = 160;
const binCount = windowSize / 2 + 1;
/** 400 = 16 x 25: a transform in two small steps instead of one large. */
const outer = 16;
const inner = 25;

/** The mel scale is even up to here and logarithmic above. */
const linearHertz = 1000;
const linearMel = 15;
const logStep = Math.log(6.4) / 27;

const hann = Float64Array.from({ length: windowSize }, (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / windowSize));
const cosine = Float64Array.from({ length: windowSize }, (_, index) => Math.cos((2 * Math.PI * index) / windowSize));
const sine = Float64Array.from({ length: windowSize }, (_, index) => -Math.sin((2 * Math.PI * index) / windowSize));
const bands = makeBands();

/** The loudness of each band in each frame, on Whisper's scale; bands come one after the other. */
export function melSpectrogram(samples: Float32Array): Float32Array {
  const mel = new Float32Array(bandCount * frameCount);
  const power = new Float64Array(binCount);
  const piece = new Float64Array(windowSize);
  let highest = -10;
  for (let frame = 0; frame < frameCount; frame++) {
    for (let index = 0; index < windowSize; index++) {
      piece[index] = sampleAt(samples, frame * hop + index - windowSize / 2) * (hann[index] ?? 0);
    }
    measurePower(piece, power);
    for (const [band, { first, weights }] of bands.entries()) {
      let sum = 0;
      for (let index = 0; index < weights.length; index++) sum += (weights[index] ?? 0) * (power[first + index] ?? 0);
      const level = Math.log10(Math.max(1e-10, sum));
      mel[band * frameCount + frame] = level;
      highest = Math.max(highest, level);
    }
  }
  return mel.map((level) => (Math.max(level, highest - 8) + 4) / 4);
}

/** Before the beginning the recording is mirrored, behind its end there is silence. */
function sampleAt(samples: Float32Array, index: number): number {
  return samples[Math.abs(index)] ?? 0;
}

const stepReal = new Float64Array(windowSize);
const stepImaginary = new Float64Array(windowSize);

/** The squared size of the discrete Fourier transform, for the half that a real signal has. */
function measurePower(piece: Float64Array, power: Float64Array): void {
  for (let column = 0; column < inner; column++) {
    for (let line = 0; line < outer; line++) {
      let real = 0;
      let imaginary = 0;
      for (let index = 0; index < outer; index++) {
        const value = piece[index * inner + column] ?? 0;
        // The twiddle of the second step is taken along: (index x 25 + column) x line, in turns of 400.
        const turn = ((index * inner + column) * line) % windowSize;
        real += value * (cosine[turn] ?? 0);
        imaginary += value * (sine[turn] ?? 0);
      }
      stepReal[line * inner + column] = real;
      stepImaginary[line * inner + column] = imaginary;
    }
  }
  for (let bin = 0; bin < binCount; bin++) {
    const start = (bin % outer) * inner;
    const speed = Math.floor(bin / outer) * outer;
    let real = 0;
    let imaginary = 0;
    for (let column = 0; column < inner; column++) {
      const turn = (column * speed) % windowSize;
      const c = cosine[turn] ?? 0;
      const s = sine[turn] ?? 0;
      const a = stepReal[start + column] ?? 0;
      const b = stepImaginary[start + column] ?? 0;
      real += a * c - b * s;
      imaginary += a * s + b * c;
    }
    power[bin] = real * real + imaginary * imaginary;
  }
}

type Band = { first: number; weights: Float64Array };

/** Triangles of equal area, evenly spaced on the mel scale from 0 to 8 kHz. */
function makeBands(): Band[] {
  const top = toMel(listenRate / 2);
  const edges = Array.from({ length: bandCount + 2 }, (_, index) => fromMel((top * index) / (bandCount + 1)));
  const binHertz = listenRate / windowSize;
  return Array.from({ length: bandCount }, (_, band) => {
    const [low = 0, middle = 0, high = 0] = edges.slice(band, band + 3);
    const first = Math.ceil(low / binHertz);
    const last = Math.min(binCount - 1, Math.floor(high / binHertz));
    const weights = Float64Array.from({ length: Math.max(0, last - first + 1) }, (__, index) => {
      const hertz = (first + index) * binHertz;
      return (Math.max(0, Math.min((hertz - low) / (middle - low), (high - hertz) / (high - middle))) * 2) / (high - low);
    });
    return { first, weights };
  });
}

function toMel(hertz: number): number {
  return hertz < linearHertz ? (hertz * 3) / 200 : linearMel + Math.log(hertz / linearHertz) / logStep;
}

function fromMel(mel: number): number {
  return mel < linearMel ? (mel * 200) / 3 : linearHertz * Math.exp(logStep * (mel - linearMel));
}
