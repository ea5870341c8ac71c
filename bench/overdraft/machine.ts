import type { Timeline } from "./timeline.ts";

/** What a process runs on: its own clock and timers, which stand still with it and end with it. */
export type Machine = {
  readonly id: string;
  readonly isAlive: boolean;
  clock(): number;
  monotonic(): number;
  /** A timer, or something that arrives: late where the machine stands still, never where it is gone. */
  after(ms: number, act: () => unknown): void;
  sleep(ms: number): Promise<void>;
  jump(byMs: number): void;
  /** Stands still; `suspended` with the clock that never jumps. */
  pause(ms: number, suspended: boolean): void;
  crash(): void;
};

/** What clocks show when a run begins. */
export const epochMs = 1_700_000_000_000;

export function createMachine(id: string, timeline: Timeline, skewMs: number): Machine {
  let isAlive = true;
  let offsetMs = skewMs;
  let wakesAt = 0;
  let missedMs = 0;

  function arrive(act: () => unknown): unknown {
    if (!isAlive) return undefined;
    const late = wakesAt - timeline.now();
    return late > 0 ? timeline.plan(late, () => arrive(act)) : act();
  }

  const after = (ms: number, act: () => unknown) => timeline.plan(ms, () => arrive(act));
  return {
    id,
    get isAlive() {
      return isAlive;
    },
    clock: () => Math.round(epochMs + timeline.now() + offsetMs),
    monotonic: () => timeline.now() - missedMs,
    after,
    sleep: (ms) => new Promise((resolve) => after(ms, resolve)),
    jump: (byMs) => void (offsetMs += byMs),
    pause(ms, suspended) {
      wakesAt = timeline.now() + ms;
      if (suspended) missedMs += ms;
    },
    crash: () => void (isAlive = false),
  };
}
