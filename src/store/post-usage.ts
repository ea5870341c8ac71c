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
    .distinct()
    .where("transfer", "=", "")
    .where("minute", "<", now - settledMs)
    .orderBy("account")
    .limit(mostAccounts)
    .execute();
  const transfers: Parameters<typeof enter>[1][number][] = [];
  for (const { account } of due) {
    const id = uuidv7(now);
    // Taken before they are summed: another node that does the same finds none left.
    const rows = await db
      .updateTable("usage")
      .set({ transfer: id })
      .where("transfer", "=", "")
      .where("account", "=", account)
      .where("minute", "<", now - settledMs)
      .returning(["cost", "paid", "calls"])
      .execute();
    if (rows.length === 0) continue;
    const sum = (field: "cost" | "paid" | "calls") => rows.reduce((total, row) => total + row[field], 0);
    const lines = chargeLines(account, sum("cost"), sum("paid"));
    transfers.push({ id, kind: "charge", account, note: `${sum("calls")} calls`, at: now, lines });
  }
  await enter(tx, transfers);
  return due.length;
});
