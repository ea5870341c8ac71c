import { stat } from "node:fs/promises";
import type { AudioSample, InputAudioTrack } from "mediabunny";
import { EngineError } from "../engine-error.ts";
import { loadCodecs } from "./codecs.ts";
import { canBeWalked } from "./matroska-check.ts";
import { createResampler, joinSamples, type Resampler } from "./resampler.ts";

/** Reads the first sound track of a media file as one channel of the given rate. */
export async function decodeAudio(path: string, sampleRate: number): Promise<Float32Array> {
  const bunny = await loadCodecs();
  if ((await stat(path)).size === 0) throw unreadable("it is empty.");
  if (!(await canBeWalked(path))) throw unreadable("it is damaged.");
  const input = new bunny.Input({ formats: bunny.ALL_FORMATS, source: new bunny.FilePathSource(path) });
  try {
    const track = await input.getPrimaryAudioTrack();
    if (track === null) throw unreadable("it has no sound that is understood.");
    if (!(await track.canDecode())) throw unreadable(`its codec (${track.codec ?? "unknown"}) is not understood.`);
    return await readTrack(new bunny.AudioSampleSink(track), track, sampleRate);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw unreadable("it is damaged, or of a format that is not understood.", error);
  } finally {
    input.dispose();
  }
}

async function readTrack(
  sink: { samples(): AsyncIterable<AudioSample> },
  track: InputAudioTrack,
  sampleRate: number,
): Promise<Float32Array> {
  const pieces: Float32Array[] = [];
  let rate = 0;
  let resampler: Resampler | undefined;
  for await (const sample of sink.samples()) {
    // Some files change their rate half-way, and some lie about it in their head: each piece knows best.
    if (resampler === undefined || rate !== sample.sampleRate) {
      if (resampler !== undefined) pieces.push(resampler.finish());
      rate = sample.sampleRate;
      resampler = createResampler(rate, sampleRate);
    }
    // What lies before the beginning is the codec's run-up, not part of the recording.
    const runUp = Math.max(0, Math.min(sample.numberOfFrames, Math.round(-sample.timestamp * rate)));
    pieces.push(resampler.push(mixDown(sample).subarray(runUp)));
    sample.close();
  }
  if (resampler === undefined) throw unreadable(`its sound (${track.codec ?? "unknown"}) is empty.`);
  pieces.push(resampler.finish());
  return joinSamples(pieces);
}

function mixDown(sample: AudioSample): Float32Array {
  const channels = sample.numberOfChannels;
  const all = new Float32Array(sample.allocationSize({ planeIndex: 0, format: "f32" }) / 4);
  sample.copyTo(all, { planeIndex: 0, format: "f32" });
  if (channels === 1) return all;
  return Float32Array.from({ length: sample.numberOfFrames }, (_, frame) => {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) sum += all[frame * channels + channel] ?? 0;
    return sum / channels;
  });
}

function unreadable(why: string, cause?: unknown): EngineError {
  return new EngineError("invalid", `The audio file cannot be read: ${why}`, cause);
}
