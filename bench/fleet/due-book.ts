/** Which jobs of a lane are due when, so that a poll can take along those that are due in a moment. */
export type DueBook = {
  note(id: number, dueAt: number): void;
  /** Up to so many ids that are due after one time and until another, in that order; `isStill` says whether the note is still true. */
  take(after: number, until: number, most: number, isStill: (id: number, from: number, to: number) => boolean): number[];
};

const slotMs = 250;
// Longer than any rest between two polls, with room.
const slots = 1 << 10;

export function createDueBook(): DueBook {
  const pages: number[][] = Array.from({ length: slots }, () => []);
  const turns = new Float64Array(slots).fill(-1);

  function page(turn: number): number[] {
    const place = turn % slots;
    const ids = pages[place] ?? [];
    if (turns[place] !== turn) {
      ids.length = 0;
      turns[place] = turn;
    }
    return ids;
  }

  return {
    note: (id, dueAt) => void page(Math.floor(dueAt / slotMs)).push(id),
    take(after, until, most, isStill) {
      const taken: number[] = [];
      for (let turn = Math.floor(after / slotMs); turn <= Math.floor(until / slotMs) && taken.length < most; turn++) {
        const rest: number[] = [];
        for (const id of page(turn)) {
          if (taken.length < most && isStill(id, after, until)) taken.push(id);
          else rest.push(id);
        }
        pages[turn % slots] = rest;
      }
      return taken;
    },
  };
}
