import { sql } from "kysely";
import type { Tx } from "./query.ts";

export type Gate = { lane: string; credential: string; used: number; minute: number; started: number };
export type Slot = { lane: string; credential: string };

/** The minute that starts are counted in. */
export function minuteOf(now: number): number {
  return Math.floor(now / 60_000) * 60_000;
}

/** Takes slots, and counts them among the starts of the minute. */
export async function takeGates({ db }: Tx, slots: readonly Slot[], now: number): Promise<void> {
  const minute = minuteOf(now);
  const rows = counted(slots).map(({ count, ...slot }) => ({ ...slot, used: count, minute, started: count }));
  if (rows.length === 0) return;
  await db
    .insertInto("gate")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["lane", "credential"]).doUpdateSet({
        used: sql`gate.used + excluded.used`,
        started: sql`case when gate.minute = excluded.minute then gate.started else 0 end + excluded.started`,
        minute: sql`excluded.minute`,
      }),
    )
    .execute();
}

/** Frees slots. */
export async function freeGates({ db }: Tx, slots: readonly Slot[]): Promise<void> {
  for (const { lane, credential, count } of counted(slots))
    await db
      .updateTable("gate")
      .set({ used: sql<number>`used - ${count}` })
      .where("lane", "=", lane)
      .where("credential", "=", credential)
      .execute();
}

/** Each once with how often it occurs, always in the same order: rows are locked as they are changed. */
function counted(slots: readonly Slot[]): (Slot & { count: number })[] {
  const counts = new Map<string, Slot & { count: number }>();
  for (const { lane, credential } of slots) {
    const name = `${lane} ${credential}`;
    const known = counts.get(name) ?? { lane, credential, count: 0 };
    known.count++;
    counts.set(name, known);
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, slot]) => slot);
}
