import { boundsOf, type Bound } from "./bounds.ts";
import type { Scenario } from "./scenario.ts";
import { simulate } from "./simulation.ts";

/** How many times the load is enough to use a bound up; Infinity where no load that was tried did. */
export type Crossing = { name: string; times: number; says: string };

const loads = [0.25, 0.5, 1, 2, 4, 8, 16, 32];
const tasksEach = 150_000;

/** Multiplies the load of the busiest hours and says when each bound is crossed, the first one first; slots grow with the load, nodes and database do not. */
export function findCrossings(scenario: Scenario, tell: (line: string) => void): Crossing[] {
  const crossings = new Map<string, Crossing>();
  let before: Map<string, number> = new Map();
  for (const [step, times] of loads.entries()) {
    const busy = busiestHours(scenario, times);
    const bounds = boundsOf(simulate(busy), busy);
    tell(`  ${times} × the load: ${bounds.slice(0, 3).map(described).join(", ")}`);
    for (const { name, used, says } of bounds) {
      if (crossings.has(name) || used < 1) continue;
      crossings.set(name, { name, times: between(loads[step - 1] ?? times, before.get(name) ?? used, times, used), says });
    }
    before = new Map(bounds.map(({ name, used }) => [name, used]));
    if (crossings.size >= enough) break;
  }
  const untouched = [...before.keys()].filter((name) => !crossings.has(name));
  const all = [...crossings.values(), ...untouched.map((name) => ({ name, times: Infinity, says: "" }))];
  return all.toSorted((a, b) => a.times - b.times);
}

// What lies behind so many crossed bounds is of no use to anybody.
const enough = 4;

function described({ name, used }: Bound): string {
  return `${name} ${(used * 100).toFixed(0)} %`;
}

/** Where a line through two loads crosses 1. */
function between(low: number, usedLow: number, high: number, usedHigh: number): number {
  return usedLow >= 1 || usedHigh === usedLow ? low : low + ((high - low) * (1 - usedLow)) / (usedHigh - usedLow);
}

/** An hour and a half around the busiest time, with a burst, as small a part of the fleet as tells enough. */
function busiestHours(scenario: Scenario, times: number): Scenario {
  const tasks = scenario.tasks * times;
  return {
    ...scenario,
    tasks,
    fromHour: 14,
    hours: 1.5,
    bursts: scenario.bursts.map((burst) => ({ ...burst, tasks: burst.tasks * times })),
    scale: Math.min(scenario.scale, tasksEach / ((tasks / 24) * 1.6 * 1.5)),
  };
}
