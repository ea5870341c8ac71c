import { setTimeout as sleep } from "node:timers/promises";
import type { Receiver } from "../../test/crash/receiver.ts";
import { at } from "../soak/doors.ts";
import { pauseBefore, type Client, type Reply } from "./client.ts";
import { followEvents } from "./event-follower.ts";
import type { Habit, TaskOrder } from "./task-orders.ts";

/** A create that was answered with 200. */
export type Ack = { n: number; id: string; at: number; ms: number };

/** An end that a customer learnt of. */
export type Told = { n: number; id: string; by: Habit; at: number; end: "SUCCESS" | "FAILURE" };

export type TaskCustomers = {
  /** Orders, and returns when the customer has learnt of the end, or does not care. */
  serve(order: TaskOrder): Promise<void>;
  acks: Ack[];
  told: Told[];
  /** Orders without a key whose answer was lost: they may have become tasks. */
  lost: Set<number>;
  /** Orders that were refused. */
  refused: Set<number>;
};

export type TaskCustomersNeeds = {
  client: Client;
  keyOf: (customer: number, key: number) => string;
  isPoor: (customer: number) => boolean;
  receiver: Receiver;
  random: () => number;
  /** Ends everything. */ signal: AbortSignal;
};

const askEveryMs = 1_500;
const hookPatienceMs = 30_000;
const eventPatienceMs = 60_000;

export function createTaskCustomers({ client, keyOf, isPoor, receiver, random, signal }: TaskCustomersNeeds): TaskCustomers {
  const acks: Ack[] = [];
  const told: Told[] = [];
  const lost = new Set<number>();
  const refused = new Set<number>();

  /** Sends an order; with a key until it is answered, without one once. */
  async function place(order: TaskOrder): Promise<{ id: string; reply: Reply } | null> {
    const { n, customer, path, body, headers, door, plan, isKeyed, habit } = order;
    for (let turn = 0; !signal.aborted; turn++) {
      const startedAt = Date.now();
      const as = habit === "wait" ? "create and wait" : "create";
      const reply = await client.ask({ as, key: keyOf(customer, n), method: "POST", path, body, headers });
      const id = at(reply?.body, door.id);
      if (reply?.status === 200 && typeof id === "string") {
        acks.push({ n, id, at: Date.now(), ms: turn === 0 ? Date.now() - startedAt : Number.NaN });
        return { id, reply };
      }
      if (reply !== null && reply.status < 500 && !isExpected(reply, order)) complain(order, reply);
      // Whoever asks for the task as it is now is answered with its failure, where it has failed by then.
      const isOver = reply !== null && (reply.status < 500 || plan.ends.includes(reply.code));
      if (isOver || !isKeyed) {
        (reply === null || reply.code === "proxy" ? lost : refused).add(n);
        return null;
      }
      await pauseBefore(reply, random);
    }
    return null;
  }

  const isExpected = ({ status, code }: Reply, { customer, plan }: TaskOrder) =>
    (status === 402 && isPoor(customer)) || plan.ends.includes(code);

  function complain({ n, path }: TaskOrder, { status, body }: Reply): void {
    client.complain(`order ${n} (${path}) was answered ${status}: ${JSON.stringify(body).slice(0, 300)}`);
  }

  function note({ n, habit }: TaskOrder, id: string, status: unknown, by = habit): boolean {
    const end = ends[String(status).toLowerCase()];
    if (end === undefined) return false;
    told.push({ n, id, by, at: Date.now(), end });
    return true;
  }

  async function look(order: TaskOrder, id: string): Promise<boolean> {
    const { customer, n, door } = order;
    const ask = { as: "look", key: keyOf(customer, n) };
    const way = door.look;
    if ("one" in way) {
      const reply = await client.ask({ ...ask, method: "GET", path: way.one(id) });
      if (reply?.status === 200) return note(order, id, at(reply.body, way.status), "poll");
      if (reply !== null && reply.status < 500) complain(order, reply);
      return false;
    }
    const reply = await client.ask({ ...ask, method: "POST", path: way.many, body: { ids: [id] } });
    if (reply?.status !== 200) return false;
    const list: unknown = at(reply.body, way.list);
    const record: unknown = Array.isArray(list) ? list.find((one: unknown) => at(one, way.id) === id) : undefined;
    if (record === undefined) client.complain(`order ${n}: ${way.many} does not show ${id}`);
    return note(order, id, at(record, way.status), "poll");
  }

  async function askUntilEnd(order: TaskOrder, id: string): Promise<void> {
    while (!signal.aborted && !(await look(order, id))) await sleep(askEveryMs + random() * 200);
  }

  async function awaitHook(order: TaskOrder, id: string): Promise<boolean> {
    for (const until = Date.now() + hookPatienceMs; Date.now() < until && !signal.aborted; await sleep(100)) {
      const heard = [...receiver.heard(order.n).values()].find(({ times }) => times > 0);
      if (heard !== undefined) return note(order, id, heard.status);
    }
    return false;
  }

  async function learn(order: TaskOrder, id: string, reply: Reply): Promise<void> {
    const { habit, customer, n, door } = order;
    if (habit === "leave") return;
    if (habit === "hook" && (await awaitHook(order, id))) return;
    if (habit === "wait" && note(order, id, at(reply.body, "status") ?? at(reply.body, "state"))) return;
    if (habit === "events") {
      const left = AbortSignal.any([signal, AbortSignal.timeout(eventPatienceMs)]);
      const end = await followEvents({ client, key: keyOf(customer, n), id, signal: left });
      if (end !== null && note(order, id, end)) return;
      if (!signal.aborted) client.complain(`order ${n} (${door.name}): the events of ${id} did not end in ${eventPatienceMs / 1_000} s`);
    }
    await askUntilEnd(order, id);
  }

  return {
    acks,
    told,
    lost,
    refused,
    async serve(order) {
      const placed = await place(order);
      if (placed !== null) await learn(order, placed.id, placed.reply);
    },
  };
}

const ends: Record<string, "SUCCESS" | "FAILURE"> = { success: "SUCCESS", completed: "SUCCESS", failure: "FAILURE", failed: "FAILURE" };
