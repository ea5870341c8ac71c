import type { VerbName } from "./verbs.ts";

export type Group = { verb: VerbName; items: unknown[] }[];
/** What became of one item: its reply, or why it could not be written. */
export type Outcome = { ok?: unknown } | { error: string; full: boolean; /** The database could not be reached. */ away?: boolean };

type Waiting = { verb: VerbName; item: unknown; settle: (outcome: Outcome) => void };

const mostItems = 400;
// A commit costs nearly the same for one item as for twenty: when many write, each group waits a moment for more.
const crowd = 4;
const gatherMs = 3;

/** Gathers writes into groups that share a commit: at once when nothing is under way, else when the last commit returns. */
export function createBatcher(commit: (group: Group) => Promise<Outcome[][]>): (verb: VerbName, item: unknown) => Promise<Outcome> {
  let waiting: Waiting[] = [];
  let busy = false;
  let flushedAt = 0;
  let lastSize = 0;

  function wake(): void {
    if (busy || waiting.length === 0) return;
    busy = true;
    const rest = lastSize < crowd ? 0 : flushedAt + gatherMs - performance.now();
    if (rest > 0) setTimeout(() => void flush(), rest);
    else setImmediate(() => void flush());
  }

  async function flush(): Promise<void> {
    flushedAt = performance.now();
    lastSize = Math.min(waiting.length, mostItems);
    const batch = waiting.slice(0, mostItems);
    waiting = waiting.slice(mostItems);
    const byVerb = Map.groupBy(batch, ({ verb }) => verb);
    try {
      const outcomes = await commit([...byVerb].map(([verb, members]) => ({ verb, items: members.map(({ item }) => item) })));
      busy = false;
      wake();
      await settleAll([...byVerb.values()], outcomes);
      return;
    } catch (error) {
      busy = false;
      for (const { settle } of batch) settle({ error: String(error), full: false });
      wake();
    }
  }

  return (verb, item) =>
    new Promise((settle) => {
      waiting.push({ verb, item, settle });
      wake();
    });
}

const settledAtOnce = 4;

// A large group is answered in slices, so that other requests get their turn in between.
async function settleAll(groups: readonly Waiting[][], outcomes: readonly Outcome[][]): Promise<void> {
  let settled = 0;
  for (const [index, members] of groups.entries()) {
    for (const [place, { settle }] of members.entries()) {
      settle(outcomes[index]?.[place] ?? lost);
      if (++settled % settledAtOnce === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

const lost: Outcome = { error: "the store gave no answer", full: false };
