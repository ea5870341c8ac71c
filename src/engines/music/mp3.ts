import { encodeMp3 } from "../audio/mp3.ts";
import { sampleRate, type Stereo } from "./band.ts";

/** Encodes a song as an MP3 of 192 kb/s that carries its title. */
export async function encodeSong({ left, right }: Stereo, title: string): Promise<Uint8Array> {
  return Buffer.concat([titleTag(title), await encodeMp3({ channels: [left, right], sampleRate, kilobits: 192 })]);
}

/** An ID3v2.3 tag with the title in UTF-16, which every player reads. */
function titleTag(title: string): Uint8Array {
  const text = Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from(title.slice(0, 200), "utf16le")]);
  const frame = Buffer.concat([Buffer.from("TIT2"), Buffer.alloc(6), text]);
  frame.writeUInt32BE(text.length, 4);
  const header = Buffer.concat([Buffer.from("ID3"), Buffer.from([3, 0, 0, 0, 0, 0, 0])]);
  // Sizes in this header use seven bits of each byte.
  for (let index = 0; index < 4; index++) header[9 - index] = (frame.length >> (7 * index)) & 0x7f;
  return Buffer.concat([header, frame]);
}
