import { stat } from "node:fs/promises";
import type { AudioSample, Input, InputVideoTrack, VideoSample } from "mediabunny";
import { loadCodecs } from "../audio/codecs.ts";
import { createResampler, joinSamples } from "../audio/resampler.ts";
import { EngineError } from "../engine-error.ts";
import type { Surface } from "../picture/stage.ts";
import { openStudio } from "../picture/studio.ts";
import { writeRgba } from "./i420.ts";
import { framesPerSecond, soundRate } from "./mp4.ts";

/** A finished film, to be gone on from or made anew. */
export type SourceFilm = {
  width: number;
  height: number;
  /** How many frames it has at our own rate. */
  frameCount: number;
  /** Its frames at our own rate, in order; the surface is the same for all of them. */
  frames(): AsyncGenerator<Surface>;
  /** Left and right in turn at our own rate, as long as its frames; silence where it has no sound. */
  sound(): Promise<Float32Array>;
  close(): Promise<void>;
};

const longestSeconds = 120;

/** Opens a film; one that cannot be shown is an EngineError "invalid" with a sentence. */
export async function openFilm(path: string): Promise<SourceFilm> {
  const bunny = await loadCodecs();
  if ((await stat(path)).size === 0) throw unreadable("it is empty.");
  const input = new bunny.Input({ formats: bunny.ALL_FORMATS, source: new bunny.FilePathSource(path) });
  try {
    const track = await input.getPrimaryVideoTrack();
    if (track === null || !(await track.canDecode())) throw unreadable("its format is not understood.");
    const seconds = await track.computeDuration();
    if (seconds > longestSeconds) throw unreadable(`it is longer than ${longestSeconds} seconds.`);
    const frameCount = Math.max(1, Math.round(seconds * framesPerSecond));
    const shown: AsyncGenerator<Surface>[] = [];
    return {
      width: track.displayWidth,
      height: track.displayHeight,
      frameCount,
      frames() {
        const frames = framesOf(track, frameCount);
        shown.push(frames);
        return frames;
      },
      sound: () => soundOf(input, frameCount),
      async close() {
        // A decoder that still works while its film is taken away brings the whole process down.
        for (const frames of shown) await frames.return(undefined);
        input.dispose();
      },
    };
  } catch (error) {
    input.dispose();
    throw error instanceof EngineError ? error : unreadable("it is damaged, or of a format that is not understood.", error);
  }
}

async function* framesOf(track: InputVideoTrack, count: number): AsyncGenerator<Surface> {
  const { VideoSampleSink } = await loadCodecs();
  const { createCanvas } = await openStudio();
  const start = await track.getFirstTimestamp();
  // The middle of each frame's time: its beginning may by a rounding belong to the frame before.
  const times = Array.from({ length: count }, (_, index) => start + (index + 0.5) / framesPerSecond);
  let surface: Surface | undefined;
  for await (const sample of new VideoSampleSink(track).samplesAtTimestamps(times)) {
    if (sample !== null) {
      const { codedWidth: width, codedHeight: height } = sample;
      surface ??= createCanvas(width, height);
      const brush = surface.getContext("2d");
      const pixels = brush.createImageData(width, height);
      await copyPixels(sample, pixels.data);
      sample.close();
      brush.putImageData(pixels, 0, 0);
    }
    if (surface === undefined) throw unreadable("it has no picture at its beginning.");
    yield surface;
  }
}

async function copyPixels(sample: VideoSample, into: Uint8ClampedArray): Promise<void> {
  const { codedWidth: width, codedHeight: height, colorSpace } = sample;
  if (sample.format === "I420") {
    const planes = new Uint8Array(sample.allocationSize());
    const [y, u, v] = await sample.copyTo(planes);
    if (y === undefined || u === undefined || v === undefined) throw unreadable("a frame of it is incomplete.");
    const matrix = colorSpace.matrix === "smpte170m" || colorSpace.matrix === "bt470bg" ? "bt601" : "bt709";
    return writeRgba(planes, [y, u, v], { width, height }, { matrix, fullRange: colorSpace.fullRange === true }, into);
  }
  // The decoder's own conversion reads every film as the old standard means colours, but it knows all formats;
  // the types of the platform do not know yet that another format can be wished for.
  const wish = { rect: { x: 0, y: 0, width, height }, format: "RGBA" };
  await sample.copyTo(into, wish);
}

async function soundOf(input: Input, frameCount: number): Promise<Float32Array> {
  const { AudioSampleSink } = await loadCodecs();
  const whole = new Float32Array(Math.round((frameCount / framesPerSecond) * soundRate) * 2);
  const track = await input.getPrimaryAudioTrack();
  if (track === null || !(await track.canDecode())) return whole;
  const sides: [Float32Array[], Float32Array[]] = [[], []];
  const makers = [0, 1].map(() => createResampler(track.sampleRate, soundRate));
  for await (const sample of new AudioSampleSink(track).samples()) {
    // What lies before the beginning is the codec's run-up.
    const runUp = Math.max(0, Math.min(sample.numberOfFrames, Math.round(-sample.timestamp * track.sampleRate)));
    const channels = channelsOf(sample);
    sides.forEach((side, at) => {
      const piece = makers[at]?.push((channels[at] ?? new Float32Array()).subarray(runUp));
      if (piece !== undefined) side.push(piece);
    });
    sample.close();
  }
  sides.forEach((side, at) => {
    const samples = joinSamples([...side, makers[at]?.finish() ?? new Float32Array()]);
    for (let frame = 0; frame < Math.min(samples.length, whole.length / 2); frame++) whole[frame * 2 + at] = samples[frame] ?? 0;
  });
  return whole;
}

/** Left and right; one channel is both. */
function channelsOf(sample: AudioSample): [Float32Array, Float32Array] {
  const plane = (planeIndex: number): Float32Array => {
    const values = new Float32Array(sample.allocationSize({ planeIndex, format: "f32-planar" }) / 4);
    sample.copyTo(values, { planeIndex, format: "f32-planar" });
    return values;
  };
  const left = plane(0);
  return [left, sample.numberOfChannels > 1 ? plane(1) : left];
}

function unreadable(why: string, cause?: unknown): EngineError {
  return new EngineError("invalid", `The source video cannot be read: ${why}`, cause);
}
