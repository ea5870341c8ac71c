import { sql } from "kysely";
import { payFrom } from "../core/lease.ts";
import type { ChargeRequest } from "../core/records.ts";
import { changeBalance } from "./books.ts";
import { changeKeys } from "./key-use.ts";
import { leasedBy, reclaim, takeFromLease, type LeaseName } from "./leases.ts";
import { locking, type Tx, type Verb } from "./query.ts";
import { runRemembered } from "./remembered.ts";

/**
 * Pays for calls that were answered: the balance falls and the minute's count grows in one commit. The ledger gets one transfer
 * for each account and minute, when the minute is over (`postUsage`): a row for each commit would fill it with a million a day.
 */
export const charge: Verb<ChargeRequest, void> = async (tx, requests) => {
  const funds = await fundsOf(tx, requests);
  const spent = new Map<string, number>();
  const paid = requests.map(({ account, costNanos }) => {
    const fund = funds.get(account);
    if (fund === undefined) return 0;
    const { leased, free } = payFrom(costNanos, fund.leased, fund.free);
    fund.leased -= leased;
    fund.free -= free;
    spent.set(account, (spent.get(account) ?? 0) + leased + free);
    return leased + free;
  });
  const at = requests.reduce((latest, { now }) => Math.max(latest, now), 0);
  for (const [account, nanos] of [...spent].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (nanos > 0) await changeBalance(tx, account, { availableNanos: -nanos, heldNanos: 0, spentNanos: nanos, at });
  }
  for (const { lease, had, leased } of funds.values()) {
    if (lease === null) continue;
    await takeFromLease(tx, lease, had - leased);
    tx.news.leases.push({ ...lease, nanos: leased - had });
  }
  await changeKeys(
    tx,
    requests.map(({ key, costNanos }) => ({ key, spentNanos: costNanos, running: 0 })),
  );
  await countUse(tx, requests, paid);
  return requests.map(() => undefined);
};

/** What may be taken of an account: of the lease its calls were admitted under, and of what nobody has leased. */
type Fund = { lease: LeaseName | null; had: number; leased: number; free: number };

/** What accounts have, locked one by one in the order of their ids. */
async function fundsOf(tx: Tx, requests: readonly ChargeRequest[]): Promise<Map<string, Fund>> {
  const funds = new Map<string, Fund>();
  const asked = Map.groupBy(requests, ({ account }) => account);
  const select = () => locking(tx, tx.db.selectFrom("account").select(["available", "leased"]).where("id", "=", ""));
  for (const [account, ours] of [...asked].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [row] = await runRemembered(tx, "available", select, [account]);
    if (typeof row?.["available"] !== "number" || typeof row["leased"] !== "number") continue;
    const named = ours.at(-1)?.lease ?? null;
    const lease = named === null ? null : { ...named, account };
    const had = lease === null ? 0 : await leasedBy(tx, lease);
    const free = row["available"] - row["leased"];
    const isShort = row["leased"] > had && had + free < ours.reduce((sum, { costNanos }) => sum + costNanos, 0);
    // Before the house bears anything, what nodes left behind when they died is nobody's.
    const freed = isShort ? ((await reclaim(tx, [account], ours[0]?.now ?? 0, lease?.node)).get(account) ?? 0) : 0;
    funds.set(account, { lease, had, leased: had, free: free + freed });
  }
  return funds;
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
