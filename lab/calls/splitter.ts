import type { Pipe } from "./wire.ts";

const oddSizes = [1, 2, 5, 3, 400, 7, 11, 1, 64, 900];

/** A pipe that cuts at odd places, also inside characters, and joins several frames into one write. */
export function createSplitter(pipe: Pipe): Pipe & { finish(): void } {
  let rest = Buffer.alloc(0);
  let ends: { at: number; words: number }[] = [];
  let turn = 0;

  function send(size: number): boolean {
    const words = ends.reduce((sum, end) => sum + (end.at <= size ? end.words : 0), 0);
    ends = ends.flatMap((end) => (end.at <= size ? [] : { at: end.at - size, words: end.words }));
    const piece = rest.subarray(0, size);
    rest = rest.subarray(size);
    return pipe.write(piece, words);
  }

  function finish(): void {
    if (rest.length > 0) send(rest.length);
  }

  return {
    write(piece, words) {
      rest = Buffer.concat([rest, typeof piece === "string" ? Buffer.from(piece) : piece]);
      ends.push({ at: rest.length, words });
      let hasRoom = true;
      for (let size = oddSizes[turn % oddSizes.length] ?? 1; rest.length >= size; size = oddSizes[turn % oddSizes.length] ?? 1) {
        hasRoom = send(size);
        turn++;
      }
      return hasRoom;
    },
    drained: pipe.drained,
    flushed() {
      finish();
      return pipe.flushed();
    },
    finish,
  };
}
