import { sql } from "kysely";
import type { ChargeRequest } from "../core/records.ts";
import { changeBalance } from "./books.ts";
import { changeKeys } from "./key-use.ts";
import { locking, type Tx, type Verb } from "./query.ts";
import { runRemembered } from "./remembered.ts";

/**
 * Pays for calls that were answered: the balance falls and the minute's count grows in one commit. The ledger gets one transfer
 * for each account and minute, when the minute is over (`postUsage`): a row for each commit would fill it with a million a day.
 */
export const charge: Verb<ChargeRequest, void> = async (tx, requests) => {
  const left = await balances(tx, [...new Set(requests.map(({ account }) => account))].sort());
  const spent = new Map<string, number>();
  const paid = requests.map(({ account, costNanos }) => {
    const available = (left.get(account) ?? 0) - (spent.get(account) ?? 0);
    const nanos = Math.min(costNanos, Math.max(0, available));
    spent.set(account, (spent.get(account) ?? 0) + nanos);
    return nanos;
  });
  for (const [account, nanos] of [...spent].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (nanos > 0) await changeBalance(tx, account, { availableNanos: -nanos, heldNanos: 0, spentNanos: nanos });
  }
  await changeKeys(
    tx,
    requests.map(({ key, costNanos }) => ({ key, spentNanos: costNanos, running: 0 })),
  );
  await countUse(tx, requests, paid);
  return requests.map(() => undefined);
};

/** What accounts have, locked one by one in the order of their ids. */
async function balances(tx: Tx, accounts: string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const select = () => locking(tx, tx.db.selectFrom("account").select("available").where("id", "=", ""));
  for (const account of accounts) {
    const [row] = await runRemembered(tx, "available", select, [account]);
    if (typeof row?.["available"] === "number") found.set(account, row["available"]);
  }
  return found;
}

const minuteMs = 60_000;

async function countUse(tx: Tx, requests: readonly ChargeRequest[], paid: readonly number[]): Promise<void> {
  for (const [index, request] of requests.entries()) {
    const { account, key, operation, model, provider, calls, estimated, inputTokens, outputTokens, costNanos, ms, now } = request;
    const minute = Math.floor(now / minuteMs) * minuteMs;
    const names = [minute, account, key ?? "", operation, model, provider, ""];
    const sums = [calls, estimated, inputTokens, outputTokens, costNanos, paid[index] ?? 0, ms];
    await runRemembered(tx, "usage", () => useInsert(tx), [...names, ...sums]);
  }
}

function useInsert({ db }: Tx) {
  const names = { minute: 0, account: "", api_key: "", operation: "", model: "", provider: "", transfer: "" };
  const sums = { calls: 0, estimated: 0, input_tokens: 0, output_tokens: 0, cost: 0, paid: 0, ms: 0 };
  return db
    .insertInto("usage")
    .values({ ...names, ...sums })
    .onConflict((conflict) =>
      conflict.columns(["minute", "account", "api_key", "operation", "model", "provider", "transfer"]).doUpdateSet({
        calls: sql`usage.calls + excluded.calls`,
        estimated: sql`usage.estimated + excluded.estimated`,
        input_tokens: sql`usage.input_tokens + excluded.input_tokens`,
        output_tokens: sql`usage.output_tokens + excluded.output_tokens`,
        cost: sql`usage.cost + excluded.cost`,
        paid: sql`usage.paid + excluded.paid`,
        ms: sql`usage.ms + excluded.ms`,
      }),
    );
}
