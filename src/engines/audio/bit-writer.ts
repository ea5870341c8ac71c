/** Bytes written bit by bit, the highest bit of each first. */
export type BitWriter = {
  /** At most 32 bits of a whole number; negative ones as two's complement. */
  write(value: number, bits: number): void;
  /** So many zeros and a one. */
  writeUnary(zeros: number): void;
  /** Fills the last byte with zeros and gives a copy of all so far. */
  bytes(): Uint8Array;
};

export function createBitWriter(expectedBytes: number): BitWriter {
  let store = new Uint8Array(Math.max(64, expectedBytes));
  let bitCount = 0;

  function writeBits(value: number, bits: number): void {
    if ((bitCount + bits) / 8 + 1 > store.length) {
      const larger = new Uint8Array(store.length * 2);
      larger.set(store);
      store = larger;
    }
    for (let left = bits; left > 0;) {
      const free = 8 - (bitCount & 7);
      const take = Math.min(free, left);
      const part = (value >>> (left - take)) & ((1 << take) - 1);
      store[bitCount >> 3] = (store[bitCount >> 3] ?? 0) | (part << (free - take));
      bitCount += take;
      left -= take;
    }
  }

  return {
    write: writeBits,
    writeUnary(zeros) {
      for (let left = zeros; left > 0; left -= 16) writeBits(0, Math.min(16, left));
      writeBits(1, 1);
    },
    bytes() {
      bitCount = Math.ceil(bitCount / 8) * 8;
      return store.slice(0, bitCount / 8);
    },
  };
}
