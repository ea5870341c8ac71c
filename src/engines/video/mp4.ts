import { loadCodecs } from "../audio/codecs.ts";
import { macroblocks } from "./frame-size.ts";
import { createI420 } from "./i420.ts";

export const framesPerSecond = 24;
export const soundRate = 48_000;
/** An AAC frame: the encoder loses whatever else it is handed at once. */
const soundChunk = 1024;

const colorSpace = { primaries: "bt709", transfer: "bt709", matrix: "bt709", fullRange: false } as const;

/** An MP4 in the making: H.264 constrained baseline and AAC, index first. */
export type Mp4Writer = {
  addFrame(index: number, rgba: Uint8Array): Promise<void>;
  /** Takes the whole soundtrack: left and right in turn. */
  addSound(interleaved: Float32Array): Promise<void>;
  finish(): Promise<Uint8Array>;
};

export async function openMp4(width: number, height: number): Promise<Mp4Writer> {
  const bunny = await loadCodecs();
  const target = new bunny.BufferTarget();
  const output = new bunny.Output({ format: new bunny.Mp4OutputFormat({ fastStart: "in-memory" }), target });
  const video = new bunny.VideoSampleSource({
    codec: "avc",
    fullCodecString: macroblocks(width, height) > 3600 ? "avc1.42E028" : "avc1.42E01F",
    bitrate: Math.round(400_000 + width * height * 2.6),
    keyFrameInterval: 2,
    latencyMode: "quality",
    hardwareAcceleration: "prefer-software",
    // Without this the stream is labelled as full-range RGB and its colours are wrong in every player.
    onEncoderConfig: (config) => void Object.assign(config, { colorSpace }),
  });
  const sound = new bunny.AudioSampleSource({ codec: "aac", bitrate: 128_000 });
  output.addVideoTrack(video, { frameRate: framesPerSecond });
  output.addAudioTrack(sound);
  await output.start();
  const toI420 = createI420(width, height);
  return {
    async addFrame(index, rgba) {
      const shape = { format: "I420", codedWidth: width, codedHeight: height, colorSpace } as const;
      const sample = new bunny.VideoSample(toI420(rgba), { ...shape, timestamp: index / framesPerSecond, duration: 1 / framesPerSecond });
      await video.add(sample);
      sample.close();
    },
    async addSound(interleaved) {
      for (let at = 0; at < interleaved.length; at += soundChunk * 2) {
        // A copy, not a view: the encoder copies all of the memory behind a view for every piece.
        const data = interleaved.slice(at, at + soundChunk * 2);
        const sample = new bunny.AudioSample({
          data,
          format: "f32",
          numberOfChannels: 2,
          sampleRate: soundRate,
          timestamp: at / 2 / soundRate,
        });
        await sound.add(sample);
        sample.close();
      }
    },
    async finish() {
      await output.finalize();
      if (target.buffer === null) throw new Error("the MP4 writer ended without a file");
      return new Uint8Array(target.buffer);
    },
  };
}
