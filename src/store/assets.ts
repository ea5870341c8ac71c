import type { StoreWrites } from "../core/ports.ts";
import type { StoredAsset } from "../core/records.ts";
import { each, type Tx, type Verb } from "./query.ts";
import { pruneReplies } from "./replies.ts";
import { rowOfAsset } from "./rows.ts";

type Request<V extends keyof StoreWrites> = Parameters<StoreWrites[V]>[0];
type Reply<V extends keyof StoreWrites> = Awaited<ReturnType<StoreWrites[V]>>;

export const putAsset: Verb<StoredAsset, void> = each(async ({ db }, asset) => {
  await db.insertInto("asset").values(rowOfAsset(asset)).execute();
});

export const putModal: Verb<Request<"putModal">, void> = each(async ({ db }, { id, account, body, now }) => {
  await db.insertInto("modal").values({ id, account, body, created_at: now }).execute();
});

/** Forgets an upload; answers where its bytes lie. */
export const deleteAsset: Verb<Request<"deleteAsset">, string | null> = each(async ({ db }, { account, id }) => {
  const row = await db
    .deleteFrom("asset")
    .where("account", "=", account)
    .where("id", "=", id)
    .where("task", "is", null)
    .returning("storage_key")
    .executeTakeFirst();
  return row?.storage_key ?? null;
});

/** Forgets a finished task with all that hangs on it; its money stays in the books. */
export const deleteTask: Verb<Request<"deleteTask">, Reply<"deleteTask">> = each(async (tx, { account, id }) => {
  const row = await tx.db
    .selectFrom("task")
    .select(["id", "finished_at"])
    .where("account", "=", account)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return { outcome: "absent" };
  if (row.finished_at === null) return { outcome: "running" };
  return { outcome: "deleted", storageKeys: await forget(tx, [id]) };
});

async function forget({ db }: Tx, tasks: readonly string[]): Promise<string[]> {
  const assets = await db.deleteFrom("asset").where("task", "in", tasks).returning("storage_key").execute();
  const deliveries = db.selectFrom("delivery").select("id").where("task", "in", tasks);
  await db.deleteFrom("step").where("id", "in", deliveries).execute();
  await db.deleteFrom("delivery").where("task", "in", tasks).execute();
  await db.deleteFrom("idempotency").where("task", "in", tasks).execute();
  await db.deleteFrom("attempt").where("task", "in", tasks).execute();
  const gone = await db.deleteFrom("task").where("id", "in", tasks).returning("song_ids").execute();
  const songs = gone.flatMap(({ song_ids }) => JSON.parse(song_ids) as string[]);
  if (songs.length > 0) await db.deleteFrom("song").where("id", "in", songs).execute();
  return assets.map(({ storage_key }) => storage_key);
}

const dayMs = 24 * 60 * 60 * 1000;
const idempotencyMs = dayMs;
const modalMs = dayMs;
const usageMs = 400 * dayMs;

/** Removes a small number of what is past its time; to be repeated until nothing is left. */
export const prune: Verb<Request<"prune">, Reply<"prune">> = each(async (tx, { now, taskRetentionMs, limit }) => {
  const { db } = tx;
  const old = await db
    .selectFrom("task")
    .select("id")
    .where("finished_at", "<=", now - taskRetentionMs)
    .limit(limit)
    .execute();
  const ofTasks =
    old.length === 0
      ? []
      : await forget(
          tx,
          old.map(({ id }) => id),
        );
  const stale = await db.selectFrom("asset").select("id").where("expires_at", "<=", now).limit(limit).execute();
  const expired =
    stale.length === 0
      ? []
      : await db
          .deleteFrom("asset")
          .where(
            "id",
            "in",
            stale.map(({ id }) => id),
          )
          .returning("storage_key")
          .execute();
  const keys = await db
    .selectFrom("idempotency")
    .select(["account", "route", "key"])
    .where("created_at", "<=", now - idempotencyMs)
    .limit(limit)
    .execute();
  for (const { account, route, key } of keys) {
    await db.deleteFrom("idempotency").where("account", "=", account).where("route", "=", route).where("key", "=", key).execute();
  }
  const modals = await db
    .selectFrom("modal")
    .select("id")
    .where("created_at", "<=", now - modalMs)
    .limit(limit)
    .execute();
  for (const { id } of modals) await db.deleteFrom("modal").where("id", "=", id).execute();
  // Whole minutes go at once; there are never many rows in one.
  const [oldest] = await db.selectFrom("usage").select("minute").orderBy("minute").limit(1).execute();
  const isOld = oldest !== undefined && oldest.minute < now - usageMs;
  if (isOld) await db.deleteFrom("usage").where("minute", "=", oldest.minute).where("transfer", "<>", "").execute();
  const replies = await pruneReplies(tx, now);
  const rows = old.length + stale.length + keys.length + replies + modals.length + Number(isOld);
  return { storageKeys: [...ofTasks, ...expired.map(({ storage_key }) => storage_key)], rows };
});
