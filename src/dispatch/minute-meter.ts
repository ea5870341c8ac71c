export type MinuteMeter = { left(name: string, limit: number | null): number; count(name: string): void };

/** Counts what happened in the last sixty seconds, per name. */
export function createMinuteMeter(clock: () => number): MinuteMeter {
  const times = new Map<string, number[]>();
  return {
    left(name, limit) {
      if (limit === null) return Number.MAX_SAFE_INTEGER;
      const recent = (times.get(name) ?? []).filter((at) => at > clock() - 60_000);
      times.set(name, recent);
      return Math.max(0, limit - recent.length);
    },
    count(name) {
      const list = times.get(name);
      if (list !== undefined) list.push(clock());
    },
  };
}
