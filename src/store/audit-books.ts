import { sql } from "kysely";
import type { AuditReport } from "../core/records.ts";
import type { Query } from "./query.ts";

type Sum = { account: string; sum: number | string };

/** Compares balances with entries, holds and leases; one snapshot for all questions, because work goes on meanwhile. */
export async function auditBooks(db: Query): Promise<AuditReport> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (tx) => {
      const sums = await tx
        .selectFrom("entry")
        .select((eb) => ["account", "bucket", eb.fn.sum<number | string>("amount").as("sum")])
        .groupBy(["account", "bucket"])
        .execute();
      const holds = await tx
        .selectFrom("task")
        .select((eb) => ["account", eb.fn.sum<number | string>("hold").as("sum")])
        .where("finished_at", "is", null)
        .groupBy("account")
        .execute();
      const unposted = await tx
        .selectFrom("usage")
        .select((eb) => ["account", eb.fn.sum<number | string>("paid").as("sum")])
        .where("transfer", "=", "")
        .groupBy("account")
        .execute();
      const leases = await tx
        .selectFrom("lease")
        .select((eb) => ["account", eb.fn.sum<number | string>("amount").as("sum")])
        .groupBy("account")
        .execute();
      const accounts = await tx.selectFrom("account").select(["id", "available", "held", "leased"]).execute();
      const entered = (bucket: string) => byAccount(sums.filter((row) => row.bucket === bucket));
      const [available, held] = [entered("available"), entered("held")];
      const [paid, open, lent] = [byAccount(unposted), byAccount(holds), byAccount(leases)];
      const wrong = accounts.filter(
        (account) =>
          available(account.id) - paid(account.id) !== account.available ||
          held(account.id) !== account.held ||
          open(account.id) !== account.held ||
          lent(account.id) !== account.leased ||
          account.leased > account.available,
      );
      return {
        entrySumNanos: sums.reduce((total, { sum }) => total + Number(sum), 0),
        wrongAccounts: wrong.map(({ id }) => id),
        finishedWithHold: await finishedWithHold(tx),
      };
    });
}

function byAccount(rows: readonly Sum[]): (account: string) => number {
  const sums = new Map(rows.map(({ account, sum }) => [account, Number(sum)]));
  return (account) => sums.get(account) ?? 0;
}

async function finishedWithHold(db: Query): Promise<string[]> {
  const rows = await db
    .selectFrom("task")
    .leftJoin("transfer", (join) => join.on("transfer.id", "=", sql<string>`task.id || ':end'`))
    .select("task.id")
    .where("task.finished_at", "is not", null)
    .where("transfer.id", "is", null)
    .limit(20)
    .execute();
  return rows.map(({ id }) => id);
}
