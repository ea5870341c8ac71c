import "node-webcodecs/register";
import { loadImage } from "@napi-rs/canvas";
import { ALL_FORMATS, AudioSampleSink, BufferSource, Input } from "mediabunny";

/** Reads a film's facts off its bytes. */
export async function probeFilm(bytes: Buffer<ArrayBuffer>): Promise<{ width: number; height: number; seconds: number; codecs: string[] }> {
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
  try {
    const video = await input.getPrimaryVideoTrack();
    const audio = await input.getPrimaryAudioTrack();
    if (video === null) throw new Error("there is no picture in it");
    const codecs = [video.codec, audio?.codec ?? null].flatMap((codec) => codec ?? []);
    return { width: video.displayWidth, height: video.displayHeight, seconds: await input.computeDuration(), codecs };
  } finally {
    input.dispose();
  }
}

/** Decodes sound: how long it is, and how loud its loudest moment (1 is full). */
export async function loudness(bytes: Buffer<ArrayBuffer>): Promise<{ seconds: number; peak: number }> {
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
  try {
    const track = await input.getPrimaryAudioTrack();
    if (track === null) throw new Error("there is no sound in it");
    let [frames, peak] = [0, 0];
    for await (const sample of new AudioSampleSink(track).samples()) {
      const plane = new Float32Array(sample.allocationSize({ planeIndex: 0, format: "f32-planar" }) / 4);
      sample.copyTo(plane, { planeIndex: 0, format: "f32-planar" });
      frames += sample.numberOfFrames;
      for (const value of plane) peak = Math.max(peak, Math.abs(value));
      sample.close();
    }
    return { seconds: frames / track.sampleRate, peak };
  } finally {
    input.dispose();
  }
}

/** Decodes a picture. */
export async function imageSize(bytes: Buffer): Promise<{ width: number; height: number }> {
  const { width, height } = await loadImage(bytes);
  return { width, height };
}
