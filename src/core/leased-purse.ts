import { createLeasedFunds, freshMs, type Fund, type LeasedFundsNeeds } from "./leased-funds.ts";
import type { Bulletin } from "./ports.ts";
import type { Purse } from "./purse.ts";
import type { Key } from "./records.ts";
import { reservation, type Reservation } from "./reservation.ts";
import { createSpendCaps } from "./spend-caps.ts";

export type { PurseAct } from "./leased-funds.ts";

export type LeasedPurse = Purse & {
  /** Renews what is in use and gives back what is not; to be called every second or two. */
  tend(): Promise<void>;
  /** Gives everything back. */
  close(): Promise<void>;
};

export type LeasedPurseNeeds = LeasedFundsNeeds & { bulletin: Bulletin; sleep: (ms: number) => Promise<unknown> };

const recallMs = 200;
const recallAgainMs = 2_000;

/**
 * What this node may spend without asking: a part of each balance that the database has lent to it for a while. The lease is
 * renewed while it is used, given back when it is idle or another node asks, and reclaimed by the others when we are gone.
 */
export function createLeasedPurse({ bulletin, sleep, ...needs }: LeasedPurseNeeds): LeasedPurse {
  const { node, monotonic, observe } = needs;
  const funds = createLeasedFunds(needs);
  const { usable, borrow, giveBack, tend, close } = funds;
  const caps = createSpendCaps(true);

  /** Asks the other nodes for what they do not need; false where that was done a moment ago. */
  async function recall(account: string, fund: Fund): Promise<boolean> {
    if (fund.recalling === null) {
      const now = monotonic();
      if (now - fund.recalledAt < recallAgainMs) return false;
      fund.recalledAt = now;
      observe?.("recall");
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
    const fund = funds.of(account);
    fund.served++;
    return reserveFrom(fund, account, key, wish, least).finally(() => fund.served--);
  }

  async function reserveFrom(fund: Fund, account: string, key: Key | null, wish: number, least: number): Promise<Reservation | null> {
    const cap = caps.of(key);
    const allowed = cap?.left() ?? Number.POSITIVE_INFINITY;
    if (allowed < least) return null;
    const want = Math.min(wish, allowed);
    if (usable(fund) < want) await borrow(account, fund, want, least);
    if (usable(fund) < want) {
      await recall(account, fund);
      await borrow(account, fund, want, least);
    }
    const free = Math.min(usable(fund), cap?.left() ?? Number.POSITIVE_INFINITY);
    const nanos = Math.min(wish, free);
    if (nanos < least || nanos < 0) {
      observe?.("refuse");
      return null;
    }
    fund.usedAt = monotonic();
    return reservation(nanos, free - nanos + fund.free, fund, cap);
  }

  bulletin.hear("purse", (account) => {
    const fund = funds.known(account);
    if (fund === undefined) return;
    fund.heardAt = monotonic();
    void giveBack(account, fund).catch(() => undefined);
  });

  return {
    available: () => undefined,
    spent: caps.spent,
    leased(account, epoch, nanos) {
      const fund = funds.known(account);
      if (fund !== undefined && fund.epoch === epoch && !fund.isLost) fund.leased += nanos;
    },
    reserve,
    // The store decides, and knows what everybody has leased.
    reserveHold: async (_account, _key, nanos) => reservation(nanos, 0, { reserved: 0 }, null),
    async recall(account) {
      const fund = funds.of(account);
      await giveBack(account, fund);
      return recall(account, fund);
    },
    forget(account) {
      const fund = funds.known(account);
      if (fund !== undefined) funds.lose(fund);
    },
    leaseOf(account) {
      const epoch = funds.known(account)?.epoch ?? 0;
      return epoch === 0 ? null : { node, epoch };
    },
    tend,
    close,
  };
}
