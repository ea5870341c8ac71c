export type CopiedPieces = {
  add(piece: Uint8Array): void;
  /** Everything that was added; null where that was too much. */
  whole(): Uint8Array | null;
};

/** Copies a medium as it passes by, as long as it is small. */
export function copyPieces(mostBytes: number): CopiedPieces {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  return {
    add(piece) {
      bytes += piece.byteLength;
      if (bytes <= mostBytes) pieces.push(piece);
      else pieces = [];
    },
    whole: () => (bytes <= mostBytes ? Buffer.concat(pieces) : null),
  };
}
