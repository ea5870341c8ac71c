import { readTables, type Tables } from "../../test/crash/tables.ts";
import { orderIn } from "../soak/orders.ts";
import type { Observer } from "./observer.ts";

export type PlacedTask = { id: string; account: string; n: number | null; createdAt: number; finishedAt: number | null; status: string };
export type UsageRow = { account: string; model: string; calls: number; cost: number; paid: number; transfer: string };
export type KeyRow = { id: string; running: number; spent: number };

/** What a node may spend of an account's balance, and the sum of that as the account knows it. */
export type LeaseRow = { account: string; node: string; amount: number };
export type LeasedRow = { id: string; leased: number; available: number };

/** What the database holds when all is over. */
export type Rows = { tables: Tables; placed: PlacedTask[]; usage: UsageRow[]; keys: KeyRow[]; leases: LeaseRow[]; leased: LeasedRow[] };

export async function readRows(url: string, { ask }: Observer, seed: number): Promise<Rows> {
  const all = async <R>(query: string): Promise<R[]> => {
    const rows = await ask<R>(query);
    if (rows === null) throw new Error("the database does not answer");
    return rows;
  };
  type Raw = { id: string; account: string; input: string; created_at: number; finished_at: number | null; status: string };
  const raw = await all<Raw>("select id, account, input, created_at, finished_at, status from task");
  const placed = raw.map(({ input, created_at: createdAt, finished_at: finishedAt, ...task }) => ({
    ...task,
    n: orderIn(input, seed),
    createdAt,
    finishedAt,
  }));
  return {
    tables: await readTables({ url }),
    placed,
    usage: await all<UsageRow>("select account, model, calls, cost, paid, transfer from usage"),
    keys: await all<KeyRow>("select id, running, spent from api_key"),
    leases: await all<LeaseRow>("select account, node, amount from lease"),
    leased: await all<LeasedRow>("select id, leased, available from account"),
  };
}

/** What is still to be done: tasks without an end, and steps that are not the service's own upkeep; null while nobody answers. */
export async function countOpen({ ask }: Observer): Promise<{ tasks: number; steps: number } | null> {
  const rows = await ask<{ tasks: number; steps: number }>(
    `select (select count(*) from task where finished_at is null) as tasks,
            (select count(*) from step where phase <> 'chore' or work = 'webhook') as steps`,
  );
  return rows?.[0] ?? null;
}
