import { sql } from "kysely";
import { Failure } from "../core/errors.ts";
import type { MoneyHeard, Store, StoreFigures } from "../core/ports.ts";
import { createBatcher, type Group, type Outcome } from "./batcher.ts";
import { migrate } from "./migrate.ts";
import { tellNews } from "./news.ts";
import { openPostgresDatabase, openPostgresPool } from "./postgres-database.ts";
import { persist, troubleOf, type Trouble } from "./postgres-trouble.ts";
import { noNews, type Query, type Verb } from "./query.ts";
import { pointReadNames, reads, wideReadNames } from "./reads.ts";
import { refuseUnfinishedCopy } from "./unfinished-copy.ts";
import { callVerbs, verbNames, verbs, type VerbName } from "./verbs.ts";

/** Where commits go, and who hears of them. */
type Way = {
  db: Query;
  listeners: MoneyHeard[];
  observe: (trouble: Trouble, gaveUp: boolean) => void;
};

/** The same tables and verbs on PostgreSQL. A database that is away may come back: `hearAway` hears of each try that failed. */
export async function openPostgresStore(url: string, hearAway: () => void = () => undefined): Promise<Store> {
  const pool = openPostgresPool(url);
  const db = openPostgresDatabase(url, pool);
  try {
    await persist("open", () => refuseUnfinishedCopy(db), hearAway);
    await persist("open", () => migrate(db, "postgres", () => undefined), hearAway);
  } catch (error) {
    await db.destroy();
    throw error;
  }

  const listeners: MoneyHeard[] = [];
  const none = { away: 0, contention: 0, refused: 0 };
  const counts: Omit<StoreFigures, "connections"> = { repeated: { ...none }, givenUp: { ...none } };
  const observe: Way["observe"] = (trouble, gaveUp) => void counts[gaveUp ? "givenUp" : "repeated"][trouble]++;
  const way = { db, listeners, observe };
  const methods: Record<string, (question: unknown) => Promise<unknown>> = {};
  for (const verb of verbNames) {
    // One transaction per verb at a time, so that calls of a verb share it and verbs do not wait for each other.
    const write = createBatcher((group) => commit(way, group));
    methods[verb] = async (item) => {
      const outcome = await write(verb, item);
      if (!("error" in outcome)) return outcome.ok;
      throw outcome.away === true ? away(outcome.error) : new Error(outcome.error);
    };
  }
  for (const read of [...pointReadNames, ...wideReadNames]) {
    const ask = reads[read] as (query: Query, asked: unknown) => Promise<unknown>;
    methods[read] = (question) =>
      persist("read", () => ask(db, question), observe).catch((error: unknown) => {
        throw troubleOf(error) === "refused" ? error : away(error);
      });
  }
  // Every name of the port is a verb or a read: the lists are typed by it.
  return { ...methods, onMoney: (heard: MoneyHeard) => void listeners.push(heard), figures, close: () => db.destroy() } as Store;

  function figures(): StoreFigures {
    const { totalCount, idleCount: idle, waitingCount } = pool;
    return { ...counts, connections: { busy: totalCount - idle, idle, waiting: waitingCount } };
  }
}

function away(cause: unknown): Failure {
  return new Failure("unavailable", { says: "The database cannot be reached now; try again later.", cause });
}

async function commit(way: Way, group: Group): Promise<Outcome[][]> {
  const outcomes: Outcome[][] = [];
  for (const { verb, items } of group) {
    try {
      outcomes.push((await persist(verb, (again) => transact(way, verb, items, again), way.observe)).map((ok) => ({ ok })));
    } catch (error) {
      // One bad item must not spoil the others; but a database that is away has not refused any.
      const isAway = troubleOf(error) === "away";
      const lost = { error: says(verb, error), full: false, away: true };
      outcomes.push(isAway ? items.map(() => lost) : await Promise.all(items.map((item) => alone(way, verb, item))));
    }
  }
  return outcomes;
}

async function transact({ db, listeners }: Way, verb: VerbName, items: unknown[], again: boolean): Promise<unknown[]> {
  const news = noNews();
  const replies = await db.transaction().execute(async (tx) => {
    // The server writes such commits to the disk within a fraction of a second.
    if (callVerbs.has(verb)) await sql`set local synchronous_commit to off`.execute(tx);
    return (verbs[verb] as Verb<unknown, unknown>)({ db: tx, dialect: "postgres", news, again }, items);
  });
  tellNews(listeners, news);
  return replies;
}

async function alone(way: Way, verb: VerbName, item: unknown): Promise<Outcome> {
  try {
    return { ok: (await persist(verb, (again) => transact(way, verb, [item], again), way.observe))[0] };
  } catch (error) {
    return { error: says(verb, error), full: false, away: troubleOf(error) === "away" };
  }
}

function says(verb: VerbName, error: unknown): string {
  return error instanceof Error ? `${verb}: ${error.message}` : String(error);
}
