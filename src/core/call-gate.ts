import type { Clock } from "./ports.ts";

const minuteMs = 60_000;

/** Counts the calls at each provider × key, so that what the operator allows there is not exceeded. */
export type CallGate = {
  /** True when a place was free and is now taken. */
  enter(place: string, limits: { concurrent: number | null; perMinute: number | null }): boolean;
  leave(place: string): void;
};

type Count = { running: number; minute: number; started: number };

export function createCallGate(clock: Clock): CallGate {
  const counts = new Map<string, Count>();
  return {
    enter(place, { concurrent, perMinute }) {
      const now = clock();
      const count = counts.get(place) ?? { running: 0, minute: now, started: 0 };
      counts.set(place, count);
      if (now - count.minute >= minuteMs) Object.assign(count, { minute: now, started: 0 });
      if ((concurrent !== null && count.running >= concurrent) || (perMinute !== null && count.started >= perMinute)) return false;
      count.running++;
      count.started++;
      return true;
    },
    leave(place) {
      const count = counts.get(place);
      if (count !== undefined && count.running > 0) count.running--;
    },
  };
}
