// What MP3, AAC and Opus files of speech usually have.
const usualBytesPerSecond = 16_000;

/** About how long an audio file plays: exact for WAV, guessed by its size for others. */
export function audioSeconds(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength > 44 && view.getUint32(0) === riff && view.getUint32(8) === wave) {
    const perSecond = view.getUint32(28, true);
    if (perSecond >= fewest && perSecond <= most) return Math.max(0, view.byteLength - 44) / perSecond;
  }
  return view.byteLength / usualBytesPerSecond;
}

// From a telephone's four kilobytes a second to a studio's eight channels.
const fewest = 1_000;
const most = 12_288_000;
const riff = 0x52494646;
const wave = 0x57415645;
