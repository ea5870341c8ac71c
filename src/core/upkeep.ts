import type { Fleet } from "./fleet.ts";
import { starter, topUpStarter } from "./accounts.ts";
import { createAlertsChore, type AlertsNeeds } from "./alerts.ts";
import type { Clock, Log, MediaStore, Store } from "./ports.ts";
import type { AuditReport, ChoreClaim } from "./records.ts";
import { createStraysChore, type StraysNeeds } from "./strays.ts";

export type UpkeepNeeds = Pick<AlertsNeeds, "showAlert" | "observeAlert"> &
  Pick<StraysNeeds, "catalog" | "breaker" | "wake"> & {
    store: Store;
    fleet: Pick<Fleet, "fact" | "setFact">;
    media: MediaStore;
    clock: Clock;
    log: Log;
    taskRetentionMs: () => number;
  };

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const pruneChunk = 20;
const mostBusy = 20;
const booksFact = "books";

export type Upkeep = {
  /** Plans the chores; done at every start. */
  plan(): Promise<void>;
  chores: Record<string, (claim: ChoreClaim) => Promise<void>>;
  /** What the last look at the books found, at whichever node; null before the first. */
  lastAudit(): (AuditReport & { at: number }) | null;
};

/** What is done for ever in the background: checking the books and budgets, moving what waits in vain, and forgetting what is past its time. */
export function createUpkeep(needs: UpkeepNeeds): Upkeep {
  const { store, fleet, media, clock, log, taskRetentionMs } = needs;

  async function reconcile(claim: ChoreClaim): Promise<void> {
    const beganAt = performance.now();
    while ((await store.postUsage({ now: clock() })) > 0);
    const report = await store.auditBooks();
    await fleet.setFact(booksFact, JSON.stringify({ ...report, at: clock() }));
    for (const id of report.wrongAccounts) {
      log.error({ account: id }, "the books of an account do not agree; its spending is stopped");
      await store.updateAccount({ id, frozen: true });
    }
    if (report.entrySumNanos !== 0 || report.finishedWithHold.length > 0) log.error({ ...report }, "the books do not agree");
    const local = await store.account({ idOrName: starter.name });
    if (local !== null) await topUpStarter(store, local, clock());
    // Large books take long to read: that is never more than a small part of what the database does.
    const tookMs = performance.now() - beganAt;
    await store.finishChore({ ...claim, runAt: clock() + Math.max(minuteMs, Math.round(tookMs * mostBusy)) });
  }

  async function prune(claim: ChoreClaim): Promise<void> {
    const { storageKeys, rows } = await store.prune({ now: clock(), taskRetentionMs: taskRetentionMs(), limit: pruneChunk });
    for (const key of storageKeys) await media.remove(key);
    const isFolded = await store.foldPulse({ now: clock() });
    await store.finishChore({ ...claim, runAt: clock() + (rows > 0 || isFolded ? 50 : minuteMs) });
  }

  // A crash between storing a result and writing it down leaves files that nobody knows.
  async function removeOrphans(claim: ChoreClaim): Promise<void> {
    for await (const keys of media.keysBefore(clock() - dayMs)) {
      const orphans = await store.unknownKeys({ storageKeys: keys });
      for (const key of orphans) await media.remove(key);
      if (orphans.length > 0) log.info({ files: orphans.length }, "files of unfinished work were removed");
    }
    await store.finishChore({ ...claim, runAt: clock() + dayMs });
  }

  return {
    async plan() {
      const now = clock();
      await store.scheduleChore({ id: "chore:reconcile", chore: "reconcile", runAt: now, ifAbsent: false });
      await store.scheduleChore({ id: "chore:prune", chore: "prune", runAt: now + minuteMs, ifAbsent: true });
      await store.scheduleChore({ id: "chore:alerts", chore: "alerts", runAt: now, ifAbsent: true });
      await store.scheduleChore({ id: "chore:strays", chore: "strays", runAt: now + minuteMs, ifAbsent: true });
      await store.scheduleChore({ id: "chore:orphans", chore: "orphans", runAt: now + minuteMs, ifAbsent: true });
    },
    chores: { reconcile, prune, alerts: createAlertsChore(needs), strays: createStraysChore(needs), orphans: removeOrphans },
    lastAudit() {
      const text = fleet.fact(booksFact);
      return text === null ? null : JSON.parse(text);
    },
  };
}
