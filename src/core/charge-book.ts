import { Failure } from "./errors.ts";
import type { Store } from "./ports.ts";
import type { Purse } from "./purse.ts";
import type { ChargeRequest } from "./records.ts";

/** One call to be paid and counted. */
export type CallCharge = Omit<ChargeRequest, "calls" | "estimated" | "lease"> & { estimated: boolean };

export type ChargeBook = {
  /** Resolves when the charge is committed; throws `unavailable` when the store is silent for too long. */
  pay(charge: CallCharge): Promise<void>;
};

const patienceMs = 5_000;
// A commit costs the same for one call as for a hundred. When many are paid, each commit waits a moment for more; and a call that took
// long waits a twentieth of that time, which nobody notices, if another is likely to end meanwhile.
const crowd = 4;
const gatherMs = 3;
const waitShare = 0.05;
const longestWaitMs = 10;

type Row = { request: Omit<ChargeRequest, "lease">; paid: Promise<void>; resolve(): void; reject(error: unknown): void };
type Page = { rows: Map<string, Row>; calls: number; /** When it is to be sent. */ dueAt: number };

/** Adds up the charges of calls that end at about the same time, so that they reach the store as one. */
export function createChargeBook(store: Pick<Store, "charge">, purse: Pick<Purse, "leaseOf" | "forget">): ChargeBook {
  let page: Page | null = null;
  let busy = false;
  let lastCalls = 0;
  let sentAt = 0;
  let lastPaidAt = 0;
  /** How far apart calls end, about. */
  let intervalMs = 1_000;

  function turn(): void {
    if (busy || page === null) return;
    busy = true;
    const rest = Math.max(lastCalls < crowd ? 0 : sentAt + gatherMs, page.dueAt) - performance.now();
    if (rest > 0) setTimeout(() => void send(), rest);
    else setImmediate(() => void send());
  }

  function patienceOf({ ms }: CallCharge, now: number): number {
    intervalMs += 0.1 * (Math.min(now - lastPaidAt, 1_000) - intervalMs);
    lastPaidAt = now;
    const wait = Math.min(ms * waitShare, longestWaitMs);
    return wait >= intervalMs ? wait : 0;
  }

  async function send(): Promise<void> {
    const full = page;
    page = null;
    if (full === null) return;
    lastCalls = full.calls;
    sentAt = performance.now();
    await Promise.all(
      [...full.rows.values()].map(({ request, resolve, reject }) =>
        withinPatience(store.charge({ ...request, lease: purse.leaseOf(request.account) })).then(resolve, (error: unknown) => {
          purse.forget(request.account);
          reject(error);
        }),
      ),
    );
    busy = false;
    turn();
  }

  return {
    pay(charge) {
      const now = performance.now();
      const dueAt = now + patienceOf(charge, now);
      page ??= { rows: new Map(), calls: 0, dueAt };
      page.dueAt = Math.min(page.dueAt, dueAt);
      const { paid } = add(page, charge);
      turn();
      return paid;
    },
  };
}

const minuteMs = 60_000;

function add(page: Page, { estimated, ...charge }: CallCharge): Row {
  page.calls++;
  const place = `${charge.account} ${charge.key} ${charge.operation} ${charge.provider} ${Math.floor(charge.now / minuteMs)} ${charge.model}`;
  const row = page.rows.get(place);
  if (row === undefined) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const made = { request: { ...charge, calls: 1, estimated: Number(estimated) }, paid: promise, resolve, reject };
    page.rows.set(place, made);
    return made;
  }
  const { request } = row;
  request.calls++;
  request.estimated += Number(estimated);
  request.inputTokens += charge.inputTokens;
  request.outputTokens += charge.outputTokens;
  request.costNanos += charge.costNanos;
  request.ms += charge.ms;
  return row;
}

async function withinPatience(paid: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const giveUp = () => late.reject(new Failure("unavailable", { says: "The service cannot store anything now; try again later." }));
  const timer = setTimeout(giveUp, patienceMs);
  try {
    await Promise.race([paid, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
