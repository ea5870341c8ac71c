import type { StoreWrites } from "../core/ports.ts";
import type { Delivery, Endpoint } from "../core/records.ts";
import { choreStep, put } from "./outbox.ts";
import { each, eachBy, type Tx, type Verb } from "./query.ts";
import { deliveryOf, endpointOf } from "./rows.ts";

type Request<V extends keyof StoreWrites> = Parameters<StoreWrites[V]>[0];

export const createEndpoint: Verb<Endpoint, void> = each(async ({ db }, { sealedSecret, disabledAt, createdAt, events, ...rest }) => {
  await db
    .insertInto("endpoint")
    .values({ ...rest, secret: sealedSecret, events: JSON.stringify(events), disabled_at: disabledAt, created_at: createdAt })
    .execute();
});

export const updateEndpoint: Verb<Request<"updateEndpoint">, Endpoint | null> = each(
  async ({ db }, { account, id, sealedSecret, disabledAt }) => {
    const row = await db
      .updateTable("endpoint")
      .set((eb) => ({
        secret: sealedSecret ?? eb.ref("secret"),
        disabled_at: disabledAt === undefined ? eb.ref("disabled_at") : disabledAt,
      }))
      .where("account", "=", account)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirst();
    return row === undefined ? null : endpointOf(row);
  },
);

export const deleteEndpoint: Verb<{ account: string; id: string }, boolean> = each(async ({ db }, { account, id }) => {
  const gone = await db.deleteFrom("endpoint").where("account", "=", account).where("id", "=", id).returning("id").executeTakeFirst();
  return gone !== undefined;
});

export const setHookSecret: Verb<Request<"setHookSecret">, void> = each(async ({ db }, { account, sealedSecret }) => {
  await db.updateTable("account").set({ hook_secret: sealedSecret }).where("id", "=", account).execute();
});

export const announce: Verb<Delivery, void> = each(async (tx, delivery) => put(tx, [delivery], delivery.createdAt));

/** Writes down one try at a delivery, and when the next is due. */
export const recordDelivery: Verb<Request<"recordDelivery">, void> = eachBy(
  ({ id }) => id,
  async (tx, record) => {
    const { db } = tx;
    const step = await db.selectFrom("step").select("fence").where("id", "=", record.id).executeTakeFirst();
    if (step?.fence !== record.fence) return;
    const row = await db
      .updateTable("delivery")
      .set((eb) => ({
        body: record.body,
        state: record.state,
        attempts: eb("attempts", "+", 1),
        last_status: record.status,
        last_error: record.error,
        delivered_at: record.state === "delivered" ? record.now : null,
      }))
      .where("id", "=", record.id)
      .returning(["endpoint"])
      .executeTakeFirst();
    await moveStep(tx, record.id, record.nextAt);
    if (record.disableEndpoint && row?.endpoint)
      await db.updateTable("endpoint").set({ disabled_at: record.now }).where("id", "=", row.endpoint).execute();
  },
);

/** Queues a delivery again, from its first try. */
export const resend: Verb<Request<"resend">, Delivery | null> = each(async ({ db }, { account, id, now }) => {
  const row = await db
    .updateTable("delivery")
    .set({ state: "pending", attempts: 0 })
    .where("account", "=", account)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return null;
  await db.deleteFrom("step").where("id", "=", id).execute();
  await db
    .insertInto("step")
    .values(choreStep(id, "webhook", account, now))
    .execute();
  return deliveryOf(row);
});

export const scheduleChore: Verb<Request<"scheduleChore">, void> = eachBy(
  ({ id }) => id,
  async ({ db }, { id, chore, runAt, ifAbsent }) => {
    await db
      .insertInto("step")
      .values(choreStep(id, chore, "", runAt))
      .onConflict((conflict) =>
        ifAbsent ? conflict.column("id").doNothing() : conflict.column("id").doUpdateSet({ run_at: runAt, leased: 0 }),
      )
      .execute();
  },
);

export const finishChore: Verb<Request<"finishChore">, void> = eachBy(
  ({ id }) => id,
  async (tx, { id, fence, runAt }) => {
    const step = await tx.db.selectFrom("step").select("fence").where("id", "=", id).executeTakeFirst();
    if (step?.fence === fence) await moveStep(tx, id, runAt);
  },
);

async function moveStep({ db }: Tx, id: string, runAt: number | null): Promise<void> {
  if (runAt === null) await db.deleteFrom("step").where("id", "=", id).execute();
  else await db.updateTable("step").set({ leased: 0, run_at: runAt }).where("id", "=", id).execute();
}
