import { makePlan, type Plan } from "./plan.ts";
import { runPlan } from "./run.ts";
import { openSharedDatabase, type SharedDatabase, type Verbs } from "./shared-database.ts";

/** What a search has seen so far. */
export type Found = {
  seeds: number;
  /** Those in which nothing happened that may cost us money. */
  calmSeeds: number;
  events: number;
  commits: number;
  calls: number;
  costNanos: number;
  unpaidNanos: number;
  longestWaitMs: number;
  /** The first seed that breaks a promise, and which. */
  broken: { seed: number; violation: string } | null;
};

const nothing = { seeds: 0, calmSeeds: 0, events: 0, commits: 0, calls: 0, costNanos: 0, unpaidNanos: 0, longestWaitMs: 0 };
export const nothingFound: Found = { ...nothing, broken: null };

export type SearchOptions = {
  seeds: Iterable<number>;
  /** Stand in for verbs of the store, to see whether that is noticed. */
  faulty?: Partial<Verbs>;
  tell?: (found: Found) => void;
};

/** Runs one seed after the other until one of them breaks a promise. */
export async function search({ seeds, faulty, tell }: SearchOptions): Promise<Found> {
  const database = await openSharedDatabase(faulty);
  let found = nothingFound;
  for (const seed of seeds) {
    const { violation, isExcused, ...run } = await runPlan(makePlan(seed), database);
    const broken = violation === null ? null : { seed, violation };
    found = addUp(found, { ...run, seeds: 1, calmSeeds: Number(!isExcused), broken });
    tell?.(found);
    if (broken !== null) break;
  }
  await database.close();
  return found;
}

export function addUp(one: Found, other: Found): Found {
  const sum = (field: Exclude<keyof Found, "broken" | "longestWaitMs">) => one[field] + other[field];
  return {
    seeds: sum("seeds"),
    calmSeeds: sum("calmSeeds"),
    events: sum("events"),
    commits: sum("commits"),
    calls: sum("calls"),
    costNanos: sum("costNanos"),
    unpaidNanos: sum("unpaidNanos"),
    longestWaitMs: Math.max(one.longestWaitMs, other.longestWaitMs),
    broken: one.broken ?? other.broken,
  };
}

const mostTries = 500;

/** Leaves out of a plan what a promise is broken without; answers what happens then. */
export async function shorten(plan: Plan, database: SharedDatabase): Promise<{ plan: Plan; violation: string; trace: string[] }> {
  let shortest = plan;
  let size = Math.ceil(plan.acts.length / 2);
  let tries = mostTries;
  while (size > 0 && tries > 0) {
    const before = shortest.acts.length;
    for (let from = 0; from < shortest.acts.length && tries-- > 0;) {
      const shorter = { ...shortest, acts: shortest.acts.toSpliced(from, size) };
      const isBroken = (await runPlan(shorter, database)).violation !== null;
      if (isBroken) shortest = shorter;
      else from += size;
    }
    // Without one act, another may be needless that was not before.
    if (size > 1) size = Math.ceil(size / 2);
    else if (shortest.acts.length === before) size = 0;
  }
  const { violation, trace } = await runPlan(shortest, database, true);
  return { plan: shortest, violation: violation ?? "nothing", trace };
}
