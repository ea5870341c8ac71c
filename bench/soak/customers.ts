import { setTimeout as sleep } from "node:timers/promises";
import type { Receiver } from "../../test/crash/receiver.ts";
import { at, type LookAtMany, type LookAtOne } from "./doors.ts";
import type { Order } from "./orders.ts";

export type CustomersNeeds = {
  url: string;
  keys: readonly string[];
  receiver: Receiver;
  /** Ends everything. */ signal: AbortSignal;
};

/** Customers who order, wait for the end, and look seldom. */
export type Customers = {
  /** Orders until that is accepted, and returns when the end was seen or told. */
  serve(order: Order): Promise<void>;
  /** Looks at what is open until the signal. */
  watch(): Promise<void>;
  /** Task ids by number of the order. */
  accepted: Map<number, string>;
  /** The end that was shown, where the customer looked: "SUCCESS" or "FAILURE". */
  seen: Map<number, string>;
  acceptMs: number[];
  /** Everything that should not have been seen. */
  complaints: string[];
  questions(): number;
};

type Open = { order: Order; id: string; askAt: number; over: () => void };

const tickMs = 250;
const askEveryMs = 2_500;
const hookPatienceMs = 15_000;

export function createCustomers({ url, keys, receiver, signal }: CustomersNeeds): Customers {
  const accepted = new Map<number, string>();
  const seen = new Map<number, string>();
  const open = new Map<number, Open>();
  const acceptMs: number[] = [];
  const complaints: string[] = [];
  let questions = 0;

  async function ask(customer: number, method: string, path: string, body?: object, headers: object = {}) {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const reply = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${keys[customer]}`, ...type, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const answer: unknown = await reply.json();
    return { status: reply.status, body: answer };
  }

  /** The same request until the service has answered it. */
  async function place({ n, customer, path, body, headers, door, plan }: Order): Promise<string | null> {
    for (let lost = false; !signal.aborted;) {
      const startedAt = performance.now();
      const reply = await ask(customer, "POST", path, body, headers).catch(() => null);
      const ms = performance.now() - startedAt;
      if (reply === null || reply.status === 503) {
        lost = true;
        await sleep(50);
        continue;
      }
      const id = at(reply.body, door.id);
      if (reply.status === 200 && typeof id === "string") {
        if (!lost) acceptMs.push(ms);
        accepted.set(n, id);
        return id;
      }
      // Whoever asks for the task as it is now is answered with its failure, where it has failed by then.
      if (plan.ends.includes(String(at(reply.body, "error.code")))) seen.set(n, "FAILURE");
      else complaints.push(`order ${n} (${path}) was answered ${reply.status}: ${JSON.stringify(reply.body).slice(0, 300)}`);
      return null;
    }
    return null;
  }

  function note(n: number, status: unknown): void {
    const end = ends[String(status).toLowerCase()];
    if (end === undefined) return;
    seen.set(n, end);
    open.get(n)?.over();
  }

  async function lookAtMany({ many, list, id: name, status: state }: LookAtMany, customer: number, group: readonly Open[]): Promise<void> {
    questions++;
    const { status, body } = await ask(customer, "POST", many, { ids: group.map(({ id }) => id) });
    const records = at(body, list);
    if (status !== 200 || !Array.isArray(records)) return complain(many, status, body);
    const shown = new Map(records.map((record: unknown) => [at(record, name), at(record, state)]));
    for (const { order, id } of group) {
      if (shown.has(id)) note(order.n, shown.get(id));
      else complaints.push(`order ${order.n}: ${many} does not show ${id}`);
    }
  }

  async function lookAtOne({ one, status: state }: LookAtOne, { order, id }: Open): Promise<void> {
    questions++;
    const { status, body } = await ask(order.customer, "GET", one(id));
    if (status === 200) note(order.n, at(body, state));
    else complain(one(id), status, body);
  }

  function complain(path: string, status: number, body: unknown): void {
    if (status !== 503) complaints.push(`${path} was answered ${status}: ${JSON.stringify(body).slice(0, 200)}`);
  }

  function dueNow(): Open[] {
    const now = performance.now();
    const due: Open[] = [];
    for (const one of open.values()) {
      const isTold = one.order.hasHook && [...receiver.heard(one.order.n).values()].some(({ times }) => times > 0);
      if (isTold) one.over();
      else if (one.askAt <= now) {
        one.askAt = now + askEveryMs;
        due.push(one);
      }
    }
    return due;
  }

  async function lookAround(): Promise<void> {
    for (const group of Map.groupBy(dueNow(), ({ order }) => `${order.door.name} ${order.customer}`).values()) {
      const [first] = group;
      if (first === undefined) continue;
      const { door, customer } = first.order;
      const { look } = door;
      const asked =
        "many" in look ? chunks(group, 100).map((part) => lookAtMany(look, customer, part)) : group.map((one) => lookAtOne(look, one));
      await Promise.allSettled(asked);
    }
  }

  return {
    async serve(order) {
      const id = await place(order);
      if (id === null) return;
      const askAt = performance.now() + (order.hasHook ? hookPatienceMs : askEveryMs);
      const { promise, resolve } = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => resolve(), { once: true });
      open.set(order.n, { order, id, askAt, over: resolve });
      await promise;
      open.delete(order.n);
    },
    async watch() {
      while (!signal.aborted) {
        await lookAround();
        await sleep(tickMs);
      }
    },
    accepted,
    seen,
    acceptMs,
    complaints,
    questions: () => questions,
  };
}

const ends: Record<string, string> = { success: "SUCCESS", completed: "SUCCESS", failure: "FAILURE", failed: "FAILURE" };

function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_none, place) => list.slice(place * size, (place + 1) * size));
}
