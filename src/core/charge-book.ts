import { Failure } from "./errors.ts";
import type { Store } from "./ports.ts";
import type { ChargeRequest } from "./records.ts";

/** One call to be paid and counted. */
export type CallCharge = Omit<ChargeRequest, "calls" | "estimated"> & { estimated: boolean };

export type ChargeBook = {
  /** Resolves when the charge is committed; throws `unavailable` when the store is silent for too long. */
  pay(charge: CallCharge): Promise<void>;
};

const patienceMs = 5_000;
// A commit costs the same for one call as for a hundred: when many are paid, each commit waits a moment for more.
const crowd = 4;
const gatherMs = 3;

type Page = { rows: Map<string, ChargeRequest>; calls: number; paid: Promise<void>; resolve(): void; reject(error: Error): void };

/** Adds up the charges of calls that end at about the same time, so that they reach the store as one. */
export function createChargeBook(store: Pick<Store, "charge">): ChargeBook {
  let page: Page | null = null;
  let busy = false;
  let lastCalls = 0;
  let sentAt = 0;

  function turn(): void {
    if (busy || page === null) return;
    busy = true;
    const rest = lastCalls < crowd ? 0 : sentAt + gatherMs - performance.now();
    if (rest > 0) setTimeout(() => void send(), rest);
    else setImmediate(() => void send());
  }

  async function send(): Promise<void> {
    const full = page;
    page = null;
    if (full === null) return;
    lastCalls = full.calls;
    sentAt = performance.now();
    try {
      await withinPatience(Promise.all([...full.rows.values()].map((row) => store.charge(row))));
      full.resolve();
    } catch (error) {
      full.reject(error instanceof Error ? error : new Error(String(error)));
    }
    busy = false;
    turn();
  }

  return {
    pay(charge) {
      page ??= newPage();
      add(page, charge);
      turn();
      return page.paid;
    },
  };
}

function newPage(): Page {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Each call hears of it by itself.
  promise.catch(() => undefined);
  return { rows: new Map(), calls: 0, paid: promise, resolve, reject };
}

const minuteMs = 60_000;

function add(page: Page, { estimated, ...charge }: CallCharge): void {
  page.calls++;
  const place = `${charge.account} ${charge.key} ${charge.operation} ${charge.provider} ${Math.floor(charge.now / minuteMs)} ${charge.model}`;
  const row = page.rows.get(place);
  if (row === undefined) {
    page.rows.set(place, { ...charge, calls: 1, estimated: Number(estimated) });
    return;
  }
  row.calls++;
  row.estimated += Number(estimated);
  row.inputTokens += charge.inputTokens;
  row.outputTokens += charge.outputTokens;
  row.costNanos += charge.costNanos;
  row.ms += charge.ms;
}

async function withinPatience(paid: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const giveUp = () => late.reject(new Failure("unavailable", { says: "The service cannot store anything now; try again later." }));
  const timer = setTimeout(giveUp, patienceMs);
  try {
    await Promise.race([paid, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
