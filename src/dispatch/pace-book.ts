import type { Pace } from "../core/pace.ts";
import { laneOf, taskKindsOf, type Catalog } from "../core/routing.ts";

const requestsPerSecond = 250;
const weight = 0.1;

export type PaceBook = {
  paceOf(lane: string, kind: string): Pace;
  learn(lane: string, kind: string, ms: number): void;
  all(): Record<string, Pace>;
};

/** Learns how long the jobs of each queue take, so that they are asked about when they are likely to be done. */
export function createPaceBook(catalog: Catalog): PaceBook {
  const learned = new Map<string, number>();

  function all(): Record<string, Pace> {
    const paces: Record<string, Pace> = {};
    for (const installed of catalog.providers()) {
      const { tasks } = installed.provider;
      if (tasks === undefined) continue;
      for (const kind of taskKindsOf(installed.provider)) {
        const name = `${laneOf(installed, kind)} ${kind}`;
        const { pollEveryMs: everyMs, pollMany } = tasks;
        const atOnce = pollMany?.max ?? 1;
        paces[name] = { everyMs, perSecond: requestsPerSecond * atOnce, expectedMs: learned.get(name) ?? null, atOnce };
      }
    }
    return paces;
  }

  return {
    paceOf: (lane, kind) => all()[`${lane} ${kind}`] ?? { everyMs: 5_000, perSecond: requestsPerSecond, expectedMs: null, atOnce: 1 },
    learn(lane, kind, ms) {
      const name = `${lane} ${kind}`;
      const before = learned.get(name);
      learned.set(name, before === undefined ? ms : before + weight * (ms - before));
    },
    all,
  };
}
