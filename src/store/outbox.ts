import type { Selectable } from "kysely";
import { newDelivery } from "../core/delivery.ts";
import type { Delivery, InlineHook } from "../core/records.ts";
import type { Tx } from "./query.ts";
import { endpointOf, rowOfDelivery } from "./rows.ts";
import type { Database } from "./schema.ts";

type TaskRow = Selectable<Database["task"]>;
type Event = "task.updated" | "task.succeeded" | "task.failed";

/** Puts what is to be told about tasks into the outbox, in the commit that changes them. */
export async function announceChanges(tx: Tx, tasks: readonly TaskRow[], event: Event, now: number): Promise<void> {
  const accounts = [...new Set(tasks.map(({ account }) => account))];
  const endpoints = (
    await tx.db.selectFrom("endpoint").selectAll().where("account", "in", accounts).where("disabled_at", "is", null).execute()
  ).map(endpointOf);
  const deliveries = tasks.flatMap((task) => {
    const subscribed = endpoints.filter(({ account, events }) => account === task.account && events.includes(event));
    const toEndpoints = subscribed.map(({ id, url }) => draft(task, event, now, url, "event", id));
    return [...toEndpoints, ...inline(task, event, now)];
  });
  await put(tx, deliveries, now);
}

function inline(task: TaskRow, event: Event, now: number): Delivery[] {
  if (task.hook === null) return [];
  const { url, style, every } = JSON.parse(task.hook) as InlineHook;
  if (event === "task.updated" && !every) return [];
  return [draft(task, event, now, url, style, null)];
}

function draft(task: TaskRow, event: Event, now: number, url: string, style: "plain" | "event", endpoint: string | null): Delivery {
  return newDelivery({ account: task.account, endpoint, task: task.id, url, event, style }, now);
}

/** Writes deliveries and the steps that will carry them out. */
export async function put({ db }: Tx, deliveries: readonly Delivery[], now: number): Promise<void> {
  if (deliveries.length === 0) return;
  await db.insertInto("delivery").values(deliveries.map(rowOfDelivery)).execute();
  await db
    .insertInto("step")
    .values(deliveries.map(({ id, account }) => choreStep(id, "webhook", account, now)))
    .execute();
}

/** The row of something to be done at a time that is not a task. */
export function choreStep(id: string, work: string, account: string, runAt: number): Database["step"] {
  return {
    id,
    phase: "chore",
    lane: "",
    account,
    work,
    credential: "",
    rank: 0,
    run_at: runAt,
    leased: 0,
    fence: 0,
    attempt: 0,
    since: runAt,
    deadline_at: Number.MAX_SAFE_INTEGER,
  };
}
