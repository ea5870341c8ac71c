import { sql } from "kysely";
import { uuidv7 } from "../kit/ids.ts";
import { chargeLines } from "../core/ledger.ts";
import type { ChargeRequest } from "../core/records.ts";
import { post } from "./books.ts";
import { changeKeys } from "./key-use.ts";
import { locking, type Tx, type Verb } from "./query.ts";
import { runRemembered } from "./remembered.ts";

/** Charges calls that were answered: one transfer per account, whatever its number of calls; what the balance does not cover is ours to bear. */
export const charge: Verb<ChargeRequest, void> = async (tx, requests) => {
  const totals = new Map<string, { nanos: number; calls: number; at: number }>();
  for (const { account, costNanos, calls, now } of requests) {
    const total = totals.get(account) ?? { nanos: 0, calls: 0, at: now };
    totals.set(account, { nanos: total.nanos + costNanos, calls: total.calls + calls, at: Math.max(total.at, now) });
  }
  const due = [...totals].filter(([, { nanos }]) => nanos > 0).sort(([a], [b]) => (a < b ? -1 : 1));
  const available = await balances(
    tx,
    due.map(([account]) => account),
  );
  const transfers = due.map(([account, { nanos, calls, at }]) => {
    const paid = Math.min(nanos, Math.max(0, available.get(account) ?? 0));
    const lines = chargeLines(account, nanos, paid);
    return { id: uuidv7(at), kind: "charge" as const, account, note: `${calls} calls`, at, lines, spentNanos: paid };
  });
  await post(tx, transfers);
  await changeKeys(
    tx,
    requests.map(({ key, costNanos }) => ({ key, spentNanos: costNanos, running: 0 })),
  );
  await countUse(tx, requests);
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

async function countUse(tx: Tx, requests: readonly ChargeRequest[]): Promise<void> {
  const rows = new Map<string, { names: string[]; sums: number[]; minute: number }>();
  for (const request of requests) {
    const { account, key, operation, model, provider, calls, inputTokens, outputTokens, costNanos, estimated, ms, now } = request;
    const minute = Math.floor(now / minuteMs) * minuteMs;
    const names = [account, key ?? "", operation, model, provider];
    const place = JSON.stringify([minute, ...names]);
    const row = rows.get(place) ?? { names, minute, sums: [0, 0, 0, 0, 0, 0] };
    rows.set(place, row);
    const more = [calls, estimated, inputTokens, outputTokens, costNanos, ms];
    row.sums = row.sums.map((sum, index) => sum + (more[index] ?? 0));
  }
  for (const [, { names, minute, sums }] of [...rows].sort(([a], [b]) => (a < b ? -1 : 1)))
    await runRemembered(tx, "usage", () => useInsert(tx), [minute, ...names, ...sums]);
}

function useInsert({ db }: Tx) {
  const sums = { calls: 0, estimated: 0, input_tokens: 0, output_tokens: 0, cost: 0, ms: 0 };
  return db
    .insertInto("usage")
    .values({ minute: 0, account: "", api_key: "", operation: "", model: "", provider: "", ...sums })
    .onConflict((conflict) =>
      conflict.columns(["minute", "account", "api_key", "operation", "model", "provider"]).doUpdateSet({
        calls: sql`usage.calls + excluded.calls`,
        estimated: sql`usage.estimated + excluded.estimated`,
        input_tokens: sql`usage.input_tokens + excluded.input_tokens`,
        output_tokens: sql`usage.output_tokens + excluded.output_tokens`,
        cost: sql`usage.cost + excluded.cost`,
        ms: sql`usage.ms + excluded.ms`,
      }),
    );
}
