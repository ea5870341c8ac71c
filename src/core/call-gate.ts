import type { Tally } from "./tally.ts";

/** Counts the calls at each provider × key, so that what the operator allows there is not exceeded. */
export type CallGate = {
  /** True when a place was free and is now taken. */
  enter(place: string, limits: { concurrent: number | null; perMinute: number | null }): boolean;
  leave(place: string): void;
  /** How many are there now. */
  running(place: string): number;
};

/** The name of a provider × key. */
export function doorOf(provider: string, credential: string): string {
  return `${provider}/${credential}`;
}

/** Counts in a tally, which other nodes may share; what is not limited is counted too, for a limit that comes later. */
export function createCallGate(tally: Tally): CallGate {
  return {
    enter(place, { concurrent, perMinute }) {
      const name = nameOf(place);
      if (concurrent !== null && tally.running(name) >= concurrent) return false;
      if (perMinute !== null && tally.minute(name).used >= perMinute) return false;
      tally.enter(name);
      tally.add(name, 1);
      return true;
    },
    leave: (place) => tally.leave(nameOf(place)),
    running: (place) => tally.running(nameOf(place)),
  };
}

function nameOf(place: string): string {
  return `gate ${place}`;
}
