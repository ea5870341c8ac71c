import { uuidv7 } from "../kit/ids.ts";
import { chargeLines } from "../core/ledger.ts";
import { enter } from "./books.ts";
import { each, type Verb } from "./query.ts";

const mostAccounts = 200;
// A call is counted in the minute in which it ended; a minute that is over for so long gets no more.
const settledMs = 120_000;

/** Posts the minutes that are over to the ledger, one transfer for each account; answers how many accounts that were. */
export const postUsage: Verb<{ now: number }, number> = each(async (tx, { now }) => {
  const { db } = tx;
  const due = await db
    .selectFrom("usage")
    .select("account")
    .select((eb) => [eb.fn.sum<number | string>("cost").as("cost"), eb.fn.sum<number | string>("paid").as("paid")])
    .select((eb) => eb.fn.sum<number | string>("calls").as("calls"))
    .where("transfer", "=", "")
    .where("minute", "<", now - settledMs)
    .groupBy("account")
    .orderBy("account")
    .limit(mostAccounts)
    .execute();
  const transfers = due.map(({ account, cost, paid, calls }) => ({
    id: uuidv7(now),
    kind: "charge" as const,
    account,
    note: `${calls} calls`,
    at: now,
    lines: chargeLines(account, Number(cost), Number(paid)),
  }));
  await enter(tx, transfers);
  for (const { id, account } of transfers)
    await db
      .updateTable("usage")
      .set({ transfer: id })
      .where("transfer", "=", "")
      .where("account", "=", account)
      .where("minute", "<", now - settledMs)
      .execute();
  return due.length;
});
