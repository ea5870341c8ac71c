/** A value in the head of a GGUF file. */
export type GgufValue =
  | { text: string }
  | { whole: number }
  | { real: number }
  | { flag: boolean }
  | { texts: readonly string[] }
  | { reals: Float32Array }
  | { wholes: Int32Array };

/** A table of numbers: `shape` counts the fastest-running dimension first; `packed` tables are stored in 8-bit blocks. */
export type GgufTensor = { name: string; shape: readonly number[]; values: Float32Array; packed: boolean };

const alignment = 32;
const blockSize = 32;
const kinds = { whole: 4, wholeSigned: 5, real: 6, flag: 7, text: 8, list: 9 } as const;
const storedAs = { plain: 0, packed: 8 } as const;

const scratch = new DataView(new ArrayBuffer(4));

/** The bytes of a GGUF file, version 3; the same input gives the same bytes. */
export function buildGguf(head: Readonly<Record<string, GgufValue>>, tensors: readonly GgufTensor[]): Buffer {
  const stored = tensors.map((tensor) => ({ ...tensor, bytes: tensor.packed ? packBlocks(tensor.values) : bytesOf(tensor.values) }));
  const entries = Object.entries(head).map(([name, value]) => Buffer.concat([text(name), encode(value)]));
  let offset = 0;
  const infos = stored.map(({ name, shape, packed, bytes }) => {
    const info = [
      text(name),
      uint32(shape.length),
      ...shape.map(uint64),
      uint32(packed ? storedAs.packed : storedAs.plain),
      uint64(offset),
    ];
    offset += padded(bytes.length);
    return Buffer.concat(info);
  });
  const counts = [Buffer.from("GGUF"), uint32(3), uint64(tensors.length), uint64(entries.length)];
  const opening = Buffer.concat([...counts, ...entries, ...infos]);
  return Buffer.concat(
    [opening, ...stored.map((one) => one.bytes)].flatMap((bytes) => [bytes, Buffer.alloc(padded(bytes.length) - bytes.length)]),
  );
}

/** Blocks of 32 numbers, each a half-precision scale and 32 signed bytes. */
export function packBlocks(values: Float32Array): Buffer {
  const packed = Buffer.alloc((values.length / blockSize) * (blockSize + 2));
  for (let from = 0, at = 0; from < values.length; from += blockSize) {
    let largest = 0;
    for (let index = from; index < from + blockSize; index++) largest = Math.max(largest, Math.abs(values[index] ?? 0));
    const scale = largest / 127;
    at = packed.writeUInt16LE(halfPrecision(scale), at);
    for (let index = from; index < from + blockSize; index++) packed[at++] = Math.round((values[index] ?? 0) / (scale || 1));
  }
  return packed;
}

/** The bits of the nearest 16-bit float of a number that is not negative. */
export function halfPrecision(value: number): number {
  if (value >= 65_520) return 0x7c00;
  scratch.setFloat32(0, value);
  const exponent = Math.max(-14, (scratch.getUint32(0) >>> 23) - 127);
  const mantissa = Math.round((value / 2 ** exponent) * 1024);
  // Below the normal range the leading bit is absent; a mantissa that rounds up carries into the exponent by itself.
  return mantissa < 1024 ? mantissa : ((exponent + 15) << 10) + (mantissa - 1024);
}

function encode(value: GgufValue): Buffer {
  if ("text" in value) return Buffer.concat([uint32(kinds.text), text(value.text)]);
  if ("whole" in value) return Buffer.concat([uint32(kinds.whole), uint32(value.whole)]);
  if ("real" in value) return Buffer.concat([uint32(kinds.real), bytesOf(Float32Array.of(value.real))]);
  if ("flag" in value) return Buffer.concat([uint32(kinds.flag), Buffer.of(value.flag ? 1 : 0)]);
  if ("texts" in value) return list(kinds.text, value.texts.length, Buffer.concat(value.texts.map(text)));
  if ("reals" in value) return list(kinds.real, value.reals.length, bytesOf(value.reals));
  return list(kinds.wholeSigned, value.wholes.length, bytesOf(value.wholes));
}

function list(kind: number, length: number, items: Buffer): Buffer {
  return Buffer.concat([uint32(kinds.list), uint32(kind), uint64(length), items]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint64(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function bytesOf(numbers: Float32Array | Int32Array): Buffer {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

function padded(length: number): number {
  return Math.ceil(length / alignment) * alignment;
}
