import { loadCodecs } from "./codecs.ts";

/** The codec takes exactly this many samples at a time and loses whatever else it is handed at once. */
const codecs = {
  opus: { codec: "opus", bitrate: 48_000, chunkSeconds: 0.02 },
  aac: { codec: "aac", bitrate: 96_000, chunkSamples: 1024 },
} as const;

/** Encodes a recording of one channel as Opus in Ogg or as AAC in ADTS. */
export async function encodePackets(samples: Float32Array, sampleRate: number, format: keyof typeof codecs): Promise<Uint8Array> {
  const bunny = await loadCodecs();
  const plan = codecs[format];
  const target = new bunny.BufferTarget();
  const output = new bunny.Output({ format: format === "opus" ? new bunny.OggOutputFormat() : new bunny.AdtsOutputFormat(), target });
  const source = new bunny.AudioSampleSource({ codec: plan.codec, bitrate: plan.bitrate });
  output.addAudioTrack(source);
  await output.start();
  const chunk = "chunkSamples" in plan ? plan.chunkSamples : Math.round(sampleRate * plan.chunkSeconds);
  for (let at = 0; at < samples.length; at += chunk) {
    // A whole chunk of its own: the encoder copies all of the memory behind a view, and drops a short end.
    const data = new Float32Array(chunk);
    data.set(samples.subarray(at, at + chunk));
    const sample = new bunny.AudioSample({ data, format: "f32", numberOfChannels: 1, sampleRate, timestamp: at / sampleRate });
    await source.add(sample);
    sample.close();
  }
  await output.finalize();
  if (target.buffer === null) throw new Error("the audio writer ended without a file");
  return new Uint8Array(target.buffer);
}
