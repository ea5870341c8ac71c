import type { Clock } from "./ports.ts";

/** How a minute stands: what was counted in it, and how long it lasts. */
export type Minute = { used: number; leftMs: number };

/** Counts by the minute and at a time, under names. Where nodes share limits it knows of the others what they told last. */
export type Tally = {
  add(name: string, amount: number): void;
  minute(name: string): Minute;
  enter(name: string): void;
  leave(name: string): void;
  running(name: string): number;
};

export const minuteMs = 60_000;

type Count = { from: number; used: number; running: number };

const fewest = 1_024;

/** Counts for this process alone; `begin` tells when the minute began that a moment belongs to, and without it the first count begins one. */
export function createTally(clock: Clock, begin: (now: number) => number = (now) => now): Tally {
  const counts = new Map<string, Count>();
  let sweepAt = fewest;

  function sweep(now: number): void {
    for (const [name, { from, running }] of counts) if (running === 0 && isOver(from, now)) counts.delete(name);
    sweepAt = Math.max(fewest, 2 * counts.size);
  }

  function countOf(name: string, now: number): Count {
    const known = counts.get(name);
    if (known === undefined) {
      if (counts.size >= sweepAt) sweep(now);
      const count = { from: begin(now), used: 0, running: 0 };
      counts.set(name, count);
      return count;
    }
    if (isOver(known.from, now)) {
      known.from = begin(now);
      known.used = 0;
    }
    return known;
  }

  return {
    add: (name, amount) => void (countOf(name, clock()).used += amount),
    minute(name) {
      const now = clock();
      const { from, used } = countOf(name, now);
      return { used, leftMs: from + minuteMs - now };
    },
    enter: (name) => void countOf(name, clock()).running++,
    leave(name) {
      const count = counts.get(name);
      if (count !== undefined && count.running > 0) count.running--;
    },
    running: (name) => counts.get(name)?.running ?? 0,
  };
}

// A clock that was set back begins a new minute as well.
function isOver(from: number, now: number): boolean {
  return now - from >= minuteMs || now < from;
}
