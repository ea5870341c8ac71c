import { wayOfStray, type WayNeeds } from "./next-way.ts";
import type { Clock, Log, Store } from "./ports.ts";
import type { ChoreClaim, Waiting } from "./records.ts";
import { isServed } from "./routing.ts";

export type StraysNeeds = WayNeeds & {
  store: Pick<Store, "queues" | "waiting" | "attempts" | "redirect" | "finishChore">;
  clock: Clock;
  log: Log;
  wake: () => void;
};

/** How long a task may wait for nobody before it is moved. */
export const strayMs = 60_000;
const page = 100;

/** Sends tasks another way that wait where nobody comes: their provider was switched off or is gone, or the one key that they wait for. */
export function createStraysChore(needs: StraysNeeds): (claim: ChoreClaim) => Promise<void> {
  const { catalog, store, clock, log, wake } = needs;

  async function move({ task, lane, credential, fence, attempt }: Waiting): Promise<boolean> {
    const attempts = attempt === 0 ? [] : await store.attempts({ taskId: task.id });
    const way = wayOfStray(needs, task, attempts, { lane, credential });
    if (way === null) return false;
    return store.redirect({ taskId: task.id, fence, lane: way.lane, credential: way.credential, now: clock() });
  }

  async function moveFrom(lane: string, credential: string, dueBefore: number): Promise<number> {
    let moved = 0;
    let after = "";
    for (;;) {
      const strays = await store.waiting({ lane, credential, dueBefore, after, limit: page });
      for (const stray of strays) if (await move(stray)) moved++;
      if (strays.length < page) return moved;
      after = strays.at(-1)?.task.id ?? "";
    }
  }

  return async (claim) => {
    // A node that has read a new file does not know of another that has not.
    const dueBefore = clock() - strayMs;
    for (const { lane, credential } of await store.queues({ dueBefore })) {
      if (isServed(catalog, lane, credential)) continue;
      const moved = await moveFrom(lane, credential, dueBefore);
      if (moved === 0) continue;
      log.info({ queue: lane, tasks: moved }, "tasks that waited where nobody comes go another way");
      wake();
    }
    await store.finishChore({ ...claim, runAt: clock() + strayMs });
  };
}
