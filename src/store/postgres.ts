import { sql } from "kysely";
import { Failure } from "../core/errors.ts";
import type { MoneyHeard, Store } from "../core/ports.ts";
import { createBatcher, type Group, type Outcome } from "./batcher.ts";
import { migrate } from "./migrate.ts";
import { tellNews } from "./news.ts";
import { openPostgresDatabase } from "./postgres-database.ts";
import { persist, troubleOf } from "./postgres-trouble.ts";
import { noNews, type Query, type Verb } from "./query.ts";
import { pointReadNames, reads, wideReadNames } from "./reads.ts";
import { refuseUnfinishedCopy } from "./unfinished-copy.ts";
import { verbNames, verbs, type VerbName } from "./verbs.ts";

/** The same tables and verbs on PostgreSQL. */
export async function openPostgresStore(url: string): Promise<Store> {
  const db = openPostgresDatabase(url);
  await refuseUnfinishedCopy(db);
  await migrate(db, "postgres", () => undefined);

  const listeners: MoneyHeard[] = [];
  const methods: Record<string, (question: unknown) => Promise<unknown>> = {};
  for (const verb of verbNames) {
    // One transaction per verb at a time, so that calls of a verb share it and verbs do not wait for each other.
    const write = createBatcher((group) => commit(db, group, listeners));
    methods[verb] = async (item) => {
      const outcome = await write(verb, item);
      if (!("error" in outcome)) return outcome.ok;
      throw outcome.away === true ? away(outcome.error) : new Error(outcome.error);
    };
  }
  for (const read of [...pointReadNames, ...wideReadNames]) {
    const ask = reads[read] as (query: Query, asked: unknown) => Promise<unknown>;
    methods[read] = (question) =>
      persist("read", () => ask(db, question)).catch((error: unknown) => {
        throw troubleOf(error) === "refused" ? error : away(error);
      });
  }
  // Every name of the port is a verb or a read: the lists are typed by it.
  return { ...methods, onMoney: (heard: MoneyHeard) => void listeners.push(heard), close: () => db.destroy() } as Store;
}

function away(cause: unknown): Failure {
  return new Failure("unavailable", { says: "The database cannot be reached now; try again later.", cause });
}

async function commit(db: Query, group: Group, listeners: readonly MoneyHeard[]): Promise<Outcome[][]> {
  const outcomes: Outcome[][] = [];
  for (const { verb, items } of group) {
    try {
      outcomes.push((await persist(verb, (again) => transact(db, verb, items, listeners, again))).map((ok) => ({ ok })));
    } catch (error) {
      // One bad item must not spoil the others; but a database that is away has not refused any.
      const isAway = troubleOf(error) === "away";
      const lost = { error: says(verb, error), full: false, away: true };
      outcomes.push(isAway ? items.map(() => lost) : await Promise.all(items.map((item) => alone(db, verb, item, listeners))));
    }
  }
  return outcomes;
}

async function transact(db: Query, verb: VerbName, items: unknown[], listeners: readonly MoneyHeard[], again: boolean): Promise<unknown[]> {
  const news = noNews();
  const replies = await db.transaction().execute(async (tx) => {
    // The server writes such commits to the disk within a fraction of a second.
    if (verb === "charge") await sql`set local synchronous_commit to off`.execute(tx);
    return (verbs[verb] as Verb<unknown, unknown>)({ db: tx, dialect: "postgres", news, again }, items);
  });
  tellNews(listeners, news);
  return replies;
}

async function alone(db: Query, verb: VerbName, item: unknown, listeners: readonly MoneyHeard[]): Promise<Outcome> {
  try {
    return { ok: (await persist(verb, (again) => transact(db, verb, [item], listeners, again)))[0] };
  } catch (error) {
    return { error: says(verb, error), full: false, away: troubleOf(error) === "away" };
  }
}

function says(verb: VerbName, error: unknown): string {
  return error instanceof Error ? `${verb}: ${error.message}` : String(error);
}
