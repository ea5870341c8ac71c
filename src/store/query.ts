import { PostgresAdapter, type Kysely } from "kysely";
import type { Database } from "./schema.ts";

export type Dialect = "sqlite" | "postgres";
export type Query = Kysely<Database>;

/** Which database a question goes to, where its words differ. */
export function dialectOf(db: Query): Dialect {
  return db.getExecutor().adapter instanceof PostgresAdapter ? "postgres" : "sqlite";
}

/** The handle a verb works with, inside the transaction of its group. */
export type Tx = {
  db: Query;
  dialect: Dialect;
  news: News;
  /** The same items may have been written a moment ago: the connection was lost before anybody knew. */
  again: boolean;
};

/** What a commit changed that the rest of the process keeps in mind: balances of accounts, spending of keys, what was taken from leases. */
export type News = { accounts: Map<string, number>; keys: Map<string, number>; leases: LeaseNews[] };
export type LeaseNews = { account: string; epoch: number; nanos: number };

export function noNews(): News {
  return { accounts: new Map(), keys: new Map(), leases: [] };
}

/** One write: takes what several callers asked at the same time and answers each, in order. */
export type Verb<I, R> = (tx: Tx, items: I[]) => Promise<R[]>;

/** Takes row locks where several nodes share the database; the embedded store has one writer and needs none. */
export function locking<Q extends { forUpdate(): Q }>(tx: Tx, query: Q): Q {
  return tx.dialect === "postgres" ? query.forUpdate() : query;
}

/** Passes over rows that another node has in hand. */
export function skippingLocked<Q extends { forUpdate(): Q; skipLocked(): Q }>(tx: Tx, query: Q): Q {
  return tx.dialect === "postgres" ? query.forUpdate().skipLocked() : query;
}

/** Makes a verb of something done one at a time. */
export function each<I, R>(act: (tx: Tx, item: I) => Promise<R>): Verb<I, R> {
  return async (tx, items) => {
    const replies: R[] = [];
    for (const item of items) replies.push(await act(tx, item));
    return replies;
  };
}

/** The same for what locks rows by a key: always in the order of keys, so that two groups never wait for each other. */
export function eachBy<I, R>(keyOf: (item: I) => string, act: (tx: Tx, item: I) => Promise<R>): Verb<I, R> {
  const inOrder = each(async (tx, [at, item]: [number, I]): Promise<[number, R]> => [at, await act(tx, item)]);
  return async (tx, items) => {
    const ordered = [...items.entries()].sort(([, a], [, b]) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const replies = new Map(await inOrder(tx, ordered));
    return items.map((_, at) => replies.get(at) as R);
  };
}

/** The same for what locks the step of a task. */
export function eachTask<I extends { taskId: string }, R>(act: (tx: Tx, item: I) => Promise<R>): Verb<I, R> {
  return eachBy(({ taskId }) => taskId, act);
}

/** Rows by a key, in one map. */
export function byKey<R, K>(rows: readonly R[], keyOf: (row: R) => K): Map<K, R> {
  return new Map(rows.map((row) => [keyOf(row), row]));
}
