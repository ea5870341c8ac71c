import type { Fleet } from "./fleet.ts";
import type { Clock, MediaStore, Store } from "./ports.ts";
import type { Upkeep } from "./upkeep.ts";

export type Readiness = { ready: boolean; checks: Record<string, string> };

export type ReadinessNeeds = {
  store: Store;
  media: MediaStore;
  clock: Clock;
  lastAudit: Upkeep["lastAudit"];
  /** When the dispatcher last looked for work; null where this process runs no tasks. */
  lastTickAt: (() => number) | null;
  fleet: Pick<Fleet, "nodes" | "seenAt">;
  tellBooks: (differences: number) => void;
};

const fewestFreeBytes = 100 * 1024 * 1024;
const patienceMs = 5_000;
const quietMs = 10_000;

/** Whether the service can do its work now, and what is wrong where it cannot; then what an operator should look into all the same. */
export async function readiness({ store, media, clock, lastAudit, lastTickAt, fleet, tellBooks }: ReadinessNeeds): Promise<Readiness> {
  const books = lastAudit();
  const differences = books === null ? 0 : Number(books.entrySumNanos !== 0) + books.wrongAccounts.length + books.finishedWithHold.length;
  tellBooks(differences);
  // Each node has itself written down every few seconds: what answers questions alone is a copy, or full.
  const seenAt = fleet.seenAt();
  const isWritable = seenAt === null || clock() - seenAt < quietMs;
  const needed = {
    store: !(await answers(store)) ? "no answer" : isWritable ? "ok" : "takes no writes",
    ...(lastTickAt !== null && { dispatcher: clock() - lastTickAt() < quietMs ? "ok" : "not running" }),
    disk: await roomIn(media),
  };
  const workers = fleet.nodes().filter(({ role }) => role !== "gateway").length;
  const noted = {
    // Spending on those accounts is stopped; everybody else is served.
    books: books === null ? "not checked yet" : differences === 0 ? "ok" : `${differences} differences`,
    workers: workers === 0 ? "none is alive; tasks wait" : "ok",
  };
  return { ready: Object.values(needed).every((check) => check === "ok"), checks: { ...needed, ...noted } };
}

async function roomIn(media: MediaStore): Promise<string> {
  const late = new Promise<null>((resolve) => void setTimeout(resolve, patienceMs, null).unref());
  const free = await Promise.race([media.freeBytes().catch(() => null), late]);
  if (free === null) return "no answer";
  return free > fewestFreeBytes ? "ok" : "less than 100 MiB free";
}

async function answers(store: Store): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), patienceMs);
  const asked = store.account({ idOrName: "local" }).then(
    () => true,
    () => false,
  );
  const isThere = await Promise.race([asked, late.promise]);
  clearTimeout(timer);
  return isThere;
}
