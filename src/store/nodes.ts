import { sql } from "kysely";
import type { FleetView, NodeRow } from "../core/records.ts";
import { each, type Tx, type Verb } from "./query.ts";

const forgottenMs = 24 * 60 * 60_000;

/** Says that a node is alive, and answers who else is and what all are to know. */
export const beat: Verb<Omit<NodeRow, "seenAt"> & { now: number }, FleetView> = each(
  async (tx, { now, id, name, role, version, startedAt }) => {
    const row = { id, name, role, version, started_at: startedAt, seen_at: now };
    await tx.db
      .insertInto("node")
      .values(row)
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ seen_at: now }))
      .execute();
    await tx.db
      .deleteFrom("node")
      .where("seen_at", "<", now - forgottenMs)
      .execute();
    const nodes = await tx.db.selectFrom("node").selectAll().orderBy("started_at").execute();
    const facts = await tx.db.selectFrom("fact").select(["name", "value"]).execute();
    return {
      at: await timeOf(tx, now),
      nodes: nodes.map(({ started_at, seen_at, ...node }) => ({
        ...node,
        role: node.role as NodeRow["role"],
        startedAt: started_at,
        seenAt: seen_at,
      })),
      facts: Object.fromEntries(facts.map((fact) => [fact.name, fact.value])),
    };
  },
);

/** The clock that all nodes share. */
async function timeOf({ db, dialect }: Tx, now: number): Promise<number> {
  if (dialect === "sqlite") return now;
  const { rows } = await sql<{ ms: number }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms`.execute(db);
  return rows[0]?.ms ?? now;
}

/** A node that ends in good order leaves nothing behind. */
export const leave: Verb<{ id: string }, void> = each(async ({ db }, { id }) => {
  await db.deleteFrom("node").where("id", "=", id).execute();
});

/** Lets every node know something; with `ifAbsent` only what is not known yet. Answers what is known then. */
export const setFact: Verb<{ name: string; value: string; ifAbsent: boolean; now: number }, string> = each(
  async ({ db }, { name, value, ifAbsent, now }) => {
    await db
      .insertInto("fact")
      .values({ name, value, at: now })
      .onConflict((conflict) => (ifAbsent ? conflict.column("name").doNothing() : conflict.column("name").doUpdateSet({ value, at: now })))
      .execute();
    const row = await db.selectFrom("fact").select("value").where("name", "=", name).executeTakeFirstOrThrow();
    return row.value;
  },
);
