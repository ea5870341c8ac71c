import { setTimeout as sleep } from "node:timers/promises";
import type { Order } from "./orders.ts";

const ranks: Record<string, number> = { SUBMITTED: 0, QUEUED: 1, IN_PROGRESS: 2, SUCCESS: 3, FAILURE: 3 };

type Seen = { status: string; progress: number };

export type ClientNeeds = {
  url: string;
  keys: readonly [string, string];
  random: () => number;
  /** Ends everything. */ signal: AbortSignal;
};

/** Clients that do not give up before the signal: a lost connection or a 503 only means the same request again, under the same key. */
export type Clients = {
  /** Sends an order until it has been accepted, and cancels it later if that is in the order. */
  place(order: Order): Promise<void>;
  /** Sends an accepted order once more; answers the id that comes back. */
  replay(order: Order, change?: object): Promise<{ status: number; id: string | null; replayed: boolean }>;
  /** Looks at tasks until the signal, and remembers what it saw. */
  watch(): Promise<void>;
  /** Task ids by number of the order. */
  accepted: Map<number, string>;
  /** Task ids whose cancellation was confirmed. */
  cancelled: Set<string>;
  isEnded(id: string): boolean;
  /** Requests whose answer was lost with the process. */
  lostRequests(): number;
  /** Everything that should not have been seen. */
  complaints: string[];
};

export function createClients({ url, keys, random, signal }: ClientNeeds): Clients {
  const accepted = new Map<number, string>();
  const owners = new Map<string, 0 | 1>();
  const seen = new Map<string, Seen>();
  const cancelled = new Set<string>();
  const complaints: string[] = [];
  let lost = 0;

  async function ask(customer: 0 | 1, method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const reply = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${keys[customer]}`, ...type, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    });
    return { status: reply.status, headers: reply.headers, body: (await reply.json()) as Record<string, unknown> };
  }

  /** The same request until the service has answered it. */
  async function persist(...request: Parameters<typeof ask>): Promise<Awaited<ReturnType<typeof ask>>> {
    for (;;) {
      signal.throwIfAborted();
      try {
        const reply = await ask(...request);
        if (reply.status !== 503) return reply;
      } catch (error) {
        if (!wasRefused(error)) lost++;
      }
      await sleep(10 + random() * 40);
    }
  }

  const send = ({ customer, path, body, idempotencyKey }: Order, change: object = {}) =>
    persist(customer, "POST", path, { ...body, ...change }, { "idempotency-key": idempotencyKey });

  async function place(order: Order): Promise<void> {
    const reply = await send(order);
    const id = reply.body[order.idAt];
    if (reply.status !== 200 || typeof id !== "string") {
      complaints.push(`order ${order.n} was answered ${reply.status}: ${JSON.stringify(reply.body).slice(0, 300)}`);
      return;
    }
    accepted.set(order.n, id);
    owners.set(id, order.customer);
    if (order.cancels) await cancel(order, id);
  }

  async function cancel({ n, customer }: Order, id: string): Promise<void> {
    await sleep(random() * 4_000);
    const reply = await persist(customer, "POST", `/v1/tasks/${id}/cancel`);
    // An answer that was lost with the process comes back as "has ended" at the second try.
    if (reply.status === 200) cancelled.add(id);
    else if (reply.status !== 409)
      complaints.push(`cancelling order ${n} was answered ${reply.status}: ${JSON.stringify(reply.body).slice(0, 300)}`);
  }

  function note(id: string, { status, progress }: Seen): void {
    const before = seen.get(id);
    const isBack = before !== undefined && (rankOf(status) < rankOf(before.status) || progress < before.progress);
    const isOther = before !== undefined && rankOf(before.status) === 3 && status !== before.status;
    if (isBack || isOther) complaints.push(`task ${id} went from ${before.status} ${before.progress} % to ${status} ${progress} %`);
    seen.set(id, { status, progress });
  }

  async function look(): Promise<void> {
    const open = [...owners.keys()].filter((id) => !isEnded(id));
    // A list shows the newest only; the others are asked for one by one.
    for (let turn = 0; turn < 4 && open.length > 0; turn++) {
      const [id = ""] = open.splice(Math.floor(random() * open.length), 1);
      const { status, body } = await ask(owners.get(id) ?? 0, "GET", `/v1/tasks/${id}`);
      if (status === 200) note(id, body as Seen);
      else if (status !== 503) complaints.push(`task ${id} was accepted, and then answered ${status}`);
    }
    for (const customer of [0, 1] as const) {
      const { status, body } = await ask(customer, "GET", "/v1/tasks?limit=100");
      if (status === 200) for (const task of body["data"] as (Seen & { id: string })[]) note(task.id, task);
    }
  }

  function isEnded(id: string): boolean {
    return rankOf(seen.get(id)?.status ?? "") === 3;
  }

  return {
    place,
    async replay(order, change) {
      const { status, headers, body } = await send(order, change);
      const id = body[order.idAt];
      return { status, id: typeof id === "string" ? id : null, replayed: headers.get("idempotent-replayed") === "true" };
    },
    async watch() {
      while (!signal.aborted) {
        await look().catch(() => undefined);
        await sleep(60);
      }
    },
    accepted,
    cancelled,
    isEnded,
    lostRequests: () => lost,
    complaints,
  };
}

/** Nobody listened, as opposed to a connection that broke. */
function wasRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";
}

function rankOf(status: string): number {
  return ranks[status] ?? -1;
}
