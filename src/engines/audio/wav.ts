/** Samples as signed 16-bit little-endian numbers; what is too loud is held at the limit. */
export function encodePcm(samples: Float32Array): Uint8Array {
  const bytes = Buffer.alloc(samples.length * 2);
  for (let index = 0; index < samples.length; index++) bytes.writeInt16LE(toInt16(samples[index] ?? 0), index * 2);
  return bytes;
}

/** A WAV file of one channel: a header of 44 bytes, then the samples. */
export function encodeWav(samples: Float32Array, sampleRate: number): Uint8Array {
  const pcm = encodePcm(samples);
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + pcm.length, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(pcm.length, 40);
  return Buffer.concat([header, pcm]);
}

export function toInt16(sample: number): number {
  return Math.max(-32768, Math.min(32767, Math.round(sample * 32767)));
}
