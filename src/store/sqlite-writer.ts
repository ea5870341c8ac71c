/** The writer thread: the only one that changes the embedded database. */
import { workerData } from "node:worker_threads";
import type { Group, Outcome } from "./batcher.ts";
import { migrate } from "./migrate.ts";
import { openDatabase } from "./node-sqlite.ts";
import { newsText } from "./news.ts";
import { noNews, type Tx, type Verb } from "./query.ts";
import { answerQuestions } from "./questions.ts";
import { backUp } from "./sqlite-backup.ts";
import { createSyncDepth } from "./sync-depth.ts";
import { callVerbs, verbs } from "./verbs.ts";

const { file } = workerData as { file: string };

const { raw, db } = openDatabase(file, "write");
const tx: Tx = { db, dialect: "sqlite", news: noNews(), again: false };
const depth = createSyncDepth(raw);

await migrate(db, "sqlite", () => backUp(raw, file));
// Whoever held a lease is gone: one process owns this file.
raw.exec("update step set leased = 0, run_at = 0 where leased = 1");
answerQuestions<{ group: Group }>({
  async answer({ group }) {
    tx.news = noNews();
    depth.set(group.every(({ verb }) => callVerbs.has(verb)) ? "soon" : "now");
    const outcomes = await commit(group);
    return { outcomes, news: newsText(tx.news) };
  },
  close() {
    depth.close();
    return db.destroy();
  },
});

/** One transaction for the whole group; if it fails, each item alone, so that one bad item spoils no other. */
async function commit(group: Group): Promise<Outcome[][]> {
  try {
    return await transact(async () => {
      const outcomes: Outcome[][] = [];
      for (const { verb, items } of group) outcomes.push((await run(verb, items)).map((ok) => ({ ok })));
      return outcomes;
    });
  } catch {
    tx.news = noNews();
    const outcomes: Outcome[][] = [];
    for (const { verb, items } of group) {
      const each: Outcome[] = [];
      for (const item of items) each.push(await alone(verb, item));
      outcomes.push(each);
    }
    return outcomes;
  }
}

async function alone(verb: keyof typeof verbs, item: unknown): Promise<Outcome> {
  try {
    return await transact(async () => ({ ok: (await run(verb, [item]))[0] }));
  } catch (error) {
    const says = error instanceof Error ? `${verb}: ${error.message}` : String(error);
    return { error: says, full: /database or disk is full|SQLITE_FULL|disk I\/O error/i.test(says) };
  }
}

async function transact<R>(act: () => Promise<R>): Promise<R> {
  raw.exec("begin immediate");
  try {
    const result = await act();
    raw.exec("commit");
    return result;
  } catch (error) {
    if (raw.isTransaction) raw.exec("rollback");
    throw error;
  }
}

// The group was made from typed calls on the other side of the thread.
function run(verb: keyof typeof verbs, items: unknown[]): Promise<unknown[]> {
  return (verbs[verb] as Verb<unknown, unknown>)(tx, items);
}
