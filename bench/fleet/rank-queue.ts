/** The tasks that wait for a slot of one lane: the lowest rank first, and among equals who came first. */
export type RankQueue = {
  push(id: number, rank: number): void;
  /** The id with the lowest rank; -1 when nobody waits. */
  pop(): number;
  size(): number;
  /** Takes out all that a test says. */
  drop(isOut: (id: number) => boolean): number[];
};

type Place = { id: number; rank: number; turn: number };

export function createRankQueue(): RankQueue {
  let heap: Place[] = [];
  let turns = 0;

  const goesFirst = (a: Place, b: Place): boolean => a.rank < b.rank || (a.rank === b.rank && a.turn < b.turn);

  function rise(place: Place): void {
    let at = heap.length;
    heap.push(place);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || !goesFirst(place, parent)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = place;
  }

  function sink(place: Place): void {
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      let child = heap[below];
      const other = heap[below + 1];
      if (child !== undefined && other !== undefined && goesFirst(other, child)) {
        child = other;
        below++;
      }
      if (child === undefined || !goesFirst(child, place)) break;
      heap[at] = child;
      at = below;
    }
    heap[at] = place;
  }

  return {
    push: (id, rank) => rise({ id, rank, turn: turns++ }),
    pop() {
      const first = heap[0];
      const last = heap.pop();
      if (first === undefined || last === undefined) return -1;
      if (heap.length > 0) sink(last);
      return first.id;
    },
    size: () => heap.length,
    drop(isOut) {
      const out = heap.filter(({ id }) => isOut(id));
      if (out.length === 0) return [];
      const rest = heap.filter(({ id }) => !isOut(id));
      heap = [];
      for (const place of rest) rise(place);
      return out.map(({ id }) => id);
    },
  };
}
