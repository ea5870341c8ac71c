import type { Purse } from "../../src/core/purse.ts";
import type { ChargeRequest } from "../../src/core/records.ts";
import type { Machine } from "./machine.ts";
import type { NodeStore } from "./node-store.ts";

export type CallCharge = { account: string; key: string | null; model: string; costNanos: number };
type Row = CallCharge & { calls: number; done: PromiseWithResolvers<void> };

const patienceMs = 5_000;
const gatherMs = 5;

/** Pays for calls as the service's own book of charges does, on the machine's time: a page at a time, with patience. */
export function createTill(machine: Machine, store: NodeStore, purse: Purse, random: () => number): (charge: CallCharge) => Promise<void> {
  let page = new Map<string, Row>();
  let busy = false;

  function turn(): void {
    if (busy || page.size === 0) return;
    busy = true;
    machine.after(random() * gatherMs, () => void send());
  }

  async function send(): Promise<void> {
    const rows = [...page.values()];
    page = new Map();
    await Promise.all(
      rows.map(({ done, ...row }) =>
        within(machine, store.charge({ ...row, ...unused(machine), lease: purse.leaseOf(row.account) })).then(
          done.resolve,
          (error: unknown) => {
            purse.forget(row.account);
            done.reject(error);
          },
        ),
      ),
    );
    busy = false;
    turn();
  }

  return (charge) => {
    const place = `${charge.account} ${charge.key} ${charge.model}`;
    const row = page.get(place) ?? { ...charge, costNanos: 0, calls: 0, done: Promise.withResolvers<void>() };
    row.calls++;
    row.costNanos += charge.costNanos;
    page.set(place, row);
    turn();
    return row.done.promise;
  };
}

function unused(machine: Machine): Omit<ChargeRequest, keyof CallCharge | "calls" | "lease"> {
  return { operation: "chat", provider: "p", inputTokens: 0, outputTokens: 0, estimated: 0, ms: 1, now: machine.clock() };
}

function within<T>(machine: Machine, paid: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    paid.then(resolve, reject);
    machine.after(patienceMs, () => reject(new Error("the store is silent")));
  });
}
