import { createHash } from "node:crypto";
import { createBitWriter, type BitWriter } from "./bit-writer.ts";
import { encodePcm, toInt16 } from "./wav.ts";

const blockSize = 4096;
const bitsPerSample = 16;
/** The longest Rice parameter that the short form can name; one more would mean an escape. */
const highestRice = 14;
const highestPartitionOrder = 5;

/** Encodes a recording of one channel as FLAC: fixed predictors and Rice codes, lossless at 16 bits. */
export function encodeFlac(samples: Float32Array, sampleRate: number): Uint8Array {
  const whole = Int32Array.from(samples, toInt16);
  const frames: Uint8Array[] = [];
  for (let at = 0; at < whole.length; at += blockSize) frames.push(encodeFrame(whole.subarray(at, at + blockSize), frames.length));
  const digest = createHash("md5").update(encodePcm(samples)).digest();
  return Buffer.concat([streamInfo(whole.length, sampleRate, frames, digest), ...frames]);
}

function streamInfo(count: number, sampleRate: number, frames: Uint8Array[], digest: Uint8Array): Uint8Array {
  const sizes = frames.map((frame) => frame.length);
  const info = createBitWriter(64);
  info.write(blockSize, 16);
  info.write(blockSize, 16);
  info.write(sizes.length > 0 ? Math.min(...sizes) : 0, 24);
  info.write(sizes.length > 0 ? Math.max(...sizes) : 0, 24);
  info.write(sampleRate, 20);
  info.write(0, 3);
  info.write(bitsPerSample - 1, 5);
  info.write(Math.floor(count / 2 ** 32), 4);
  info.write(count % 2 ** 32, 32);
  for (const byte of digest) info.write(byte, 8);
  const body = info.bytes();
  const lastBlockOfHead = 0x80;
  return Buffer.concat([Buffer.from("fLaC"), Buffer.from([lastBlockOfHead, 0, 0, body.length]), body]);
}

function encodeFrame(block: Int32Array, number: number): Uint8Array {
  const head = createBitWriter(16);
  head.write(0b11111111_11111000, 16);
  const full = block.length === blockSize;
  head.write(full ? 0b1100 : 0b0111, 4);
  // The rate as told in the head of the stream, one channel, 16 bits.
  head.write(0b0000, 4);
  head.write(0b0000, 4);
  head.write(0b1000, 4);
  writeFrameNumber(head, number);
  if (!full) head.write(block.length - 1, 16);
  head.write(checksum(head.bytes(), 8, 0x07), 8);
  const body = createBitWriter(blockSize * 2);
  for (const byte of head.bytes()) body.write(byte, 8);
  writeSubframe(body, block);
  const frame = body.bytes();
  const check = checksum(frame, 16, 0x8005);
  return Buffer.concat([frame, Buffer.from([check >> 8, check & 0xff])]);
}

/** The form that UTF-8 gives to a character of that number. */
function writeFrameNumber(head: BitWriter, number: number): void {
  if (number < 0x80) return head.write(number, 8);
  const tail = number < 0x800 ? 1 : number < 0x10000 ? 2 : 3;
  const lead = (0xff << (7 - tail)) & 0xff;
  head.write((lead & ~(1 << (6 - tail))) | (number >> (6 * tail)), 8);
  for (let left = tail - 1; left >= 0; left--) head.write(0x80 | ((number >> (6 * left)) & 0x3f), 8);
}

function writeSubframe(body: BitWriter, block: Int32Array): void {
  const { order, residual } = predict(block);
  body.write(0, 1);
  body.write(0b001000 | order, 6);
  body.write(0, 1);
  for (const sample of block.subarray(0, order)) body.write(sample, bitsPerSample);
  body.write(0b00, 2);
  const { partitionOrder, parameters } = planPartitions(residual, block.length, order);
  body.write(partitionOrder, 4);
  const size = block.length >> partitionOrder;
  for (const [index, parameter] of parameters.entries()) {
    body.write(parameter, 4);
    for (const value of residual.subarray(Math.max(0, index * size - order), (index + 1) * size - order)) {
      const folded = fold(value);
      body.writeUnary(folded >>> parameter);
      if (parameter > 0) body.write(folded & ((1 << parameter) - 1), parameter);
    }
  }
}

/** What is left when each sample is guessed from up to four before it, with the order that leaves least. */
function predict(block: Int32Array): { order: number; residual: Int32Array } {
  let best = { order: 0, residual: block, size: sumOfSizes(block) };
  let residual = block;
  for (let order = 1; order <= Math.min(4, block.length - 1); order++) {
    const next = new Int32Array(residual.length - 1);
    for (let index = 0; index < next.length; index++) next[index] = (residual[index + 1] ?? 0) - (residual[index] ?? 0);
    residual = next;
    const size = sumOfSizes(residual);
    if (size < best.size) best = { order, residual, size };
  }
  return best;
}

function sumOfSizes(values: Int32Array): number {
  let sum = 0;
  for (const value of values) sum += Math.abs(value);
  return sum;
}

type Plan = { partitionOrder: number; parameters: number[] };

/** Cuts the residual into equal parts with a Rice parameter each, as fine as it pays. */
function planPartitions(residual: Int32Array, blockLength: number, order: number): Plan {
  let best: Plan & { bits: number } = { partitionOrder: 0, parameters: [], bits: Infinity };
  for (let partitionOrder = 0; partitionOrder <= highestPartitionOrder; partitionOrder++) {
    const size = blockLength >> partitionOrder;
    if (size << partitionOrder !== blockLength || size <= order) break;
    const parts = Array.from({ length: 1 << partitionOrder }, (_, index) =>
      planPart(residual.subarray(Math.max(0, index * size - order), (index + 1) * size - order)),
    );
    const bits = parts.reduce((sum, part) => sum + part.bits, 0);
    if (bits < best.bits) best = { partitionOrder, parameters: parts.map((part) => part.parameter), bits };
  }
  return best;
}

function planPart(values: Int32Array): { parameter: number; bits: number } {
  const mean = values.length > 0 ? (sumOfSizes(values) * 2) / values.length : 0;
  const parameter = Math.max(0, Math.min(highestRice, Math.floor(Math.log2(mean * 0.7 + 1))));
  let bits = 4 + values.length * (1 + parameter);
  for (const value of values) bits += fold(value) >>> parameter;
  return { parameter, bits };
}

/** Small numbers of either sign become small numbers without a sign. */
function fold(value: number): number {
  return ((value << 1) ^ (value >> 31)) >>> 0;
}

function checksum(bytes: Uint8Array, width: 8 | 16, polynomial: number): number {
  const top = 1 << (width - 1);
  const mask = (1 << width) - 1;
  let check = 0;
  for (const byte of bytes) {
    check ^= byte << (width - 8);
    for (let bit = 0; bit < 8; bit++) check = ((check << 1) ^ ((check & top) === 0 ? 0 : polynomial)) & mask;
  }
  return check;
}
