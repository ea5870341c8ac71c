import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { orderIn } from "./orders.ts";

/** The tasks of the orders, by number, as the gateway remembers them under the keys that came with them. */
export function readRememberedOrders(folder: string, seed: number): Map<number, string> {
  const db = new DatabaseSync(join(folder, "genway.db"), { readOnly: true });
  const rows = db.prepare("select key, task from idempotency").all();
  db.close();
  return new Map(
    rows.flatMap(({ key, task }) => {
      const n = orderIn(String(key), seed);
      return n === null ? [] : [[n, String(task)] as const];
    }),
  );
}
