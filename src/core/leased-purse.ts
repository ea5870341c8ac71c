import type { Bulletin, Clock, Store } from "./ports.ts";
import type { Purse } from "./purse.ts";
import type { Key } from "./records.ts";
import { forgetIdle, reservation, type Reservation } from "./reservation.ts";
import { createSpendCaps } from "./spend-caps.ts";

export type LeasedPurse = Purse & {
  /** Renews what is in use and gives back what is not; to be called every second or two. */
  tend(): Promise<void>;
  /** Gives everything back. */
  close(): Promise<void>;
};

export type LeasedPurseNeeds = {
  store: Pick<Store, "lease" | "returnLease">;
  bulletin: Bulletin;
  /** This process; a new start is a new node. */
  node: string;
  clock: Clock;
  /** Never jumps, in milliseconds. */
  monotonic: () => number;
  sleep: (ms: number) => Promise<unknown>;
};

type Fund = {
  epoch: number;
  /** What the lease holds, and what of it is set aside for calls under way. */
  leased: number;
  reserved: number;
  /** What nobody had leased when it was last told. */
  free: number;
  /** Monotonic: when the lease was last renewed and used. */
  renewedAt: number;
  usedAt: number;
  /** When the others were last asked for theirs, and until that is done. */
  recalledAt: number;
  recalling: Promise<unknown> | null;
  /** What the next request asks for beside what it needs. */
  appetite: number;
  /** The request under way, and what those need who wait for the next one. */
  asking: Promise<void> | null;
  needed: number;
};

const termMs = 20_000;
// The rest of the term is for clocks that differ, and for requests that were slow.
const usableMs = 0.7 * termMs;
const renewMs = 0.4 * termMs;
const idleMs = 5_000;
const recallMs = 200;
const recallAgainMs = 2_000;
const greedyMs = 2_000;
const freshMs = 100;
const calls = 8;
const never = Number.NEGATIVE_INFINITY;

/**
 * What this node may spend without asking: a part of each balance that the database has lent to it for a while. The lease is
 * renewed while it is used, given back when it is idle or another node asks, and reclaimed by the others when we are gone.
 */
export function createLeasedPurse({ store, bulletin, node, clock, monotonic, sleep }: LeasedPurseNeeds): LeasedPurse {
  const funds = new Map<string, Fund>();
  const caps = createSpendCaps(true);
  let epochs = 0;

  const usable = (fund: Fund) => (monotonic() - fund.renewedAt < usableMs ? fund.leased - fund.reserved : 0);

  function fundOf(account: string): Fund {
    const known = funds.get(account);
    if (known !== undefined) return known;
    const money = { epoch: 0, leased: 0, reserved: 0, free: 0, appetite: 0, needed: 0 };
    const fund: Fund = { ...money, renewedAt: never, usedAt: never, recalledAt: never, recalling: null, asking: null };
    forgetIdle(funds);
    funds.set(account, fund);
    return fund;
  }

  /** Asks the store for what is needed, once for everybody who waits. */
  async function borrow(account: string, fund: Fund, need: number): Promise<void> {
    await fund.asking?.catch(() => undefined);
    // Whoever asks again and again for what is not there must not keep the store busy.
    if (need > 0 && fund.free === 0 && monotonic() - fund.renewedAt < freshMs) return;
    fund.needed += need;
    fund.asking ??= ask(account, fund).finally(() => (fund.asking = null));
    await fund.asking;
  }

  async function ask(account: string, fund: Fund): Promise<void> {
    await Promise.resolve();
    const needNanos = fund.needed;
    fund.needed = 0;
    const now = monotonic();
    const isGreedy = now - fund.renewedAt < greedyMs;
    if (needNanos > 0) fund.appetite = isGreedy ? Math.max(fund.appetite * 2, needNanos * calls) : needNanos * calls;
    const extraNanos = needNanos > 0 ? fund.appetite : 0;
    const at = clock();
    const request = { account, node, epoch: ++epochs, needNanos, extraNanos, now: at, until: at + termMs };
    const reply = await orForget(account, store.lease(request));
    fund.leased = reply.epoch === fund.epoch ? fund.leased + reply.grantedNanos : reply.leasedNanos;
    fund.epoch = reply.epoch;
    fund.free = reply.freeNanos;
    fund.renewedAt = now;
  }

  /** Gives back what is not set aside. */
  async function giveBack(account: string, fund: Fund): Promise<void> {
    const nanos = fund.leased - fund.reserved;
    if (nanos <= 0) return;
    // Before it is asked, so that no call takes it meanwhile.
    fund.leased -= nanos;
    await orForget(account, store.returnLease({ account, node, epoch: fund.epoch, nanos }));
  }

  /** Begins anew with a lease whose amount is not known any more: the store was asked to change it, and did not say whether it has. */
  async function forget(account: string): Promise<void> {
    const fund = funds.get(account);
    if (fund === undefined || fund.epoch === 0) return;
    const { epoch } = fund;
    Object.assign(fund, { epoch: 0, leased: 0, renewedAt: never });
    await store.returnLease({ account, node, epoch, nanos: Number.MAX_SAFE_INTEGER }).catch(() => undefined);
  }

  function orForget<T>(account: string, asked: Promise<T>): Promise<T> {
    return asked.catch((error: unknown) => {
      void forget(account);
      throw error;
    });
  }

  async function recall(account: string): Promise<boolean> {
    const fund = fundOf(account);
    if (fund.recalling === null) {
      const now = monotonic();
      if (now - fund.recalledAt < recallAgainMs) return false;
      fund.recalledAt = now;
      bulletin.post("purse", account);
      fund.recalling = sleep(recallMs).finally(() => {
        fund.recalling = null;
        fund.renewedAt = Math.min(fund.renewedAt, monotonic() - freshMs);
      });
    }
    await fund.recalling;
    return true;
  }

  async function reserve(account: string, key: Key | null, wish: number, least: number): Promise<Reservation | null> {
    const fund = fundOf(account);
    const cap = caps.of(key);
    const allowed = cap?.left() ?? Number.POSITIVE_INFINITY;
    if (allowed < least) return null;
    fund.usedAt = monotonic();
    const want = Math.min(wish, allowed);
    if (usable(fund) < want) await borrow(account, fund, want);
    if (usable(fund) < want && (await recall(account))) await borrow(account, fund, want);
    const free = Math.min(usable(fund), cap?.left() ?? Number.POSITIVE_INFINITY);
    const nanos = Math.min(wish, free);
    if (nanos < least || nanos < 0) return null;
    return reservation(nanos, free - nanos + fund.free, fund, cap);
  }

  bulletin.hear("purse", (account) => {
    const fund = funds.get(account);
    if (fund !== undefined) void giveBack(account, fund).catch(() => undefined);
  });

  return {
    available: () => undefined,
    spent: caps.spent,
    leased(account, epoch, nanos) {
      const fund = funds.get(account);
      if (fund !== undefined && fund.epoch === epoch) fund.leased += nanos;
    },
    reserve,
    // The store decides, and knows what everybody has leased.
    reserveHold: async (_account, _key, nanos) => reservation(nanos, 0, { reserved: 0 }, null),
    async recall(account) {
      const fund = funds.get(account);
      if (fund !== undefined) await giveBack(account, fund);
      return recall(account);
    },
    forget: (account) => void forget(account),
    leaseOf(account) {
      const fund = funds.get(account);
      return fund === undefined || fund.epoch === 0 ? null : { node, epoch: fund.epoch };
    },
    async tend() {
      const now = monotonic();
      const isOld = (fund: Fund) => now - fund.renewedAt > renewMs;
      const acts = [...funds].map(async ([account, fund]) => {
        if (fund.reserved === 0 && now - fund.usedAt > idleMs) await giveBack(account, fund);
        else if (isOld(fund) && fund.epoch !== 0) await borrow(account, fund, 0);
      });
      await Promise.allSettled(acts);
    },
    async close() {
      await Promise.allSettled([...funds].map(([account, fund]) => giveBack(account, fund)));
    },
  };
}
