import type { Clock, Store } from "./ports.ts";

/** A part of a balance was asked for or given back, others were asked for theirs, or there was too little all the same. */
export type PurseAct = "lease" | "return" | "recall" | "refuse";

export type LeasedFundsNeeds = {
  store: Pick<Store, "lease" | "returnLease">;
  /** This process; a new start is a new node. */
  node: string;
  clock: Clock;
  /** Never jumps, in milliseconds. */
  monotonic: () => number;
  observe?: (act: PurseAct) => void;
};

/** What this node has leased of a balance. */
export type Fund = {
  /** The name of the lease; 0 for none. */
  epoch: number;
  /** Nobody knows what the lease holds: the store was asked to change it, and did not say whether it has. */
  isLost: boolean;
  /** What the lease holds, and what of it is set aside for calls under way. */
  leased: number;
  reserved: number;
  /** How many calls are being given their part. */
  served: number;
  /** What nobody had leased when it was last told. */
  free: number;
  /** Monotonic: when the lease was last renewed and used. */
  renewedAt: number;
  usedAt: number;
  /** By the other clock, which goes on while a machine is suspended. */
  usableUntil: number;
  /** When another node asked for ours: for a moment only what is needed is leased, so that the other finds it. */
  heardAt: number;
  /** When the others were last asked for theirs, and until that is done. */
  recalledAt: number;
  recalling: Promise<unknown> | null;
  /** What the next request asks for beside what it needs. */
  appetite: number;
  /** The request under way; what those need who wait for the next one, and the least that is of use to any of them. */
  asking: Promise<void> | null;
  needed: number;
  least: number;
};

export type LeasedFunds = {
  /** The fund of an account, which may be empty. */
  of(account: string): Fund;
  known(account: string): Fund | undefined;
  usable(fund: Fund): number;
  /** Asks the store for what is needed, once for everybody who waits. */
  borrow(account: string, fund: Fund, need: number, least: number): Promise<void>;
  /** Gives back what is not set aside. */
  giveBack(account: string, fund: Fund): Promise<void>;
  /** Takes the store's word no more for what a lease holds: the next request replaces it; until then calls under way are still paid from it. */
  lose(fund: Fund): void;
  tend(): Promise<void>;
  close(): Promise<void>;
};

const termMs = 20_000;
// The rest of the term is for clocks that differ, and for requests that were slow.
const usableMs = 0.7 * termMs;
const renewMs = 0.4 * termMs;
const idleMs = 5_000;
const greedyMs = 2_000;
const modestMs = 500;
const calls = 8;
const never = Number.NEGATIVE_INFINITY;
const anything = Number.POSITIVE_INFINITY;

/** How long what the store said of an account is news. */
export const freshMs = 100;

/** What a node knows of its leases, and how it changes them. */
export function createLeasedFunds({ store, node, clock, monotonic, observe }: LeasedFundsNeeds): LeasedFunds {
  const funds = new Map<string, Fund>();
  let epochs = 0;

  const isFresh = (fund: Fund) => monotonic() - fund.renewedAt < usableMs && clock() < fund.usableUntil;
  const usable = (fund: Fund) => (isFresh(fund) ? fund.leased - fund.reserved : 0);

  async function borrow(account: string, fund: Fund, need: number, least: number): Promise<void> {
    await fund.asking?.catch(() => undefined);
    // Whoever asks again and again for what is not there must not keep the store busy.
    const isHopeless = fund.free === 0 || usable(fund) + fund.free < least;
    if (need > 0 && isHopeless && monotonic() - fund.renewedAt < freshMs) return;
    fund.needed += need;
    fund.least = Math.min(fund.least, least);
    fund.asking ??= ask(account, fund).finally(() => (fund.asking = null));
    await fund.asking;
  }

  async function ask(account: string, fund: Fund): Promise<void> {
    await Promise.resolve();
    const { needed, least } = fund;
    Object.assign(fund, { needed: 0, least: anything });
    const held = fund.isLost ? 0 : fund.epoch;
    const wanted = want(fund, (isFresh(fund) ? fund.leased : 0) - fund.reserved, needed, least);
    // The last request brought enough for those who waited for it, too.
    if (needed > 0 && wanted.needNanos === 0) return;
    const [now, at] = [monotonic(), clock()];
    observe?.("lease");
    const asked = store.lease({ account, node, epoch: ++epochs, held, ...wanted, now: at, until: at + termMs });
    const reply = await orLose(fund, asked);
    if (held !== 0 && (fund.isLost || fund.epoch !== held)) {
      // It was lost meanwhile, and what was lent with it.
      fund.needed += needed;
      fund.least = Math.min(fund.least, least);
      return ask(account, fund);
    }
    fund.leased = reply.epoch === held ? fund.leased + reply.grantedNanos : reply.leasedNanos;
    Object.assign(fund, { epoch: reply.epoch, isLost: false, free: reply.freeNanos, renewedAt: now, usableUntil: at + usableMs });
  }

  /** `left` is below 0 where calls under way have lost their lease: they need another, and every part of it is of use. */
  function want(fund: Fund, left: number, needed: number, least: number): { needNanos: number; leastNanos: number; extraNanos: number } {
    const needNanos = Math.max(0, needed - left);
    const leastNanos = left < 0 || least === anything ? 0 : Math.max(0, least - left);
    if (needNanos === 0) return { needNanos, leastNanos, extraNanos: 0 };
    const now = monotonic();
    fund.appetite = Math.max(needNanos * calls, now - fund.renewedAt < greedyMs ? fund.appetite * 2 : 0);
    return { needNanos, leastNanos, extraNanos: now - fund.heardAt < modestMs ? 0 : fund.appetite };
  }

  async function giveBack(account: string, fund: Fund): Promise<void> {
    const nanos = fund.leased - fund.reserved;
    if (nanos <= 0) return;
    // Before it is asked, so that no call takes it meanwhile.
    fund.leased -= nanos;
    observe?.("return");
    await orLose(fund, store.returnLease({ account, node, epoch: fund.epoch, nanos }));
  }

  function lose(fund: Fund): void {
    Object.assign(fund, { isLost: fund.epoch !== 0, leased: 0, renewedAt: never });
  }

  function orLose<T>(fund: Fund, asked: Promise<T>): Promise<T> {
    return asked.catch((error: unknown) => {
      lose(fund);
      throw error;
    });
  }

  /** Gives a lost lease back, whatever it holds. */
  async function drop(account: string, fund: Fund): Promise<void> {
    const { epoch } = fund;
    Object.assign(fund, { epoch: 0, isLost: false });
    await store.returnLease({ account, node, epoch, nanos: Number.MAX_SAFE_INTEGER });
  }

  async function tendOne(account: string, fund: Fund, now: number): Promise<void> {
    const isIdle = fund.reserved === 0 && fund.served === 0 && now - fund.usedAt > idleMs;
    const isWaitedFor = fund.asking !== null || fund.recalling !== null || now - fund.recalledAt < idleMs;
    const isOld = fund.leased > 0 && now - fund.renewedAt > renewMs;
    if (fund.isLost && fund.reserved === 0) await drop(account, fund);
    else if (isIdle && fund.leased > 0) await giveBack(account, fund);
    else if (isIdle && !isWaitedFor) funds.delete(account);
    else if (isOld || fund.reserved > fund.leased) await borrow(account, fund, 0, anything);
  }

  return {
    of(account) {
      const fund = funds.get(account) ?? emptyFund();
      funds.set(account, fund);
      return fund;
    },
    known: (account) => funds.get(account),
    usable,
    borrow,
    giveBack,
    lose,
    async tend() {
      const now = monotonic();
      await Promise.allSettled([...funds].map(([account, fund]) => tendOne(account, fund, now)));
    },
    async close() {
      await Promise.allSettled([...funds].map(([account, fund]) => (fund.isLost ? drop(account, fund) : giveBack(account, fund))));
    },
  };
}

function emptyFund(): Fund {
  const money = { epoch: 0, isLost: false, leased: 0, reserved: 0, served: 0, free: 0, appetite: 0, needed: 0, least: anything };
  const times = { renewedAt: never, usedAt: never, usableUntil: never, heardAt: never, recalledAt: never };
  return { ...money, ...times, recalling: null, asking: null };
}
