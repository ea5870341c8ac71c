import type { MoneyHeard, Store } from "./ports.ts";
import type { Key } from "./records.ts";
import { forgetIdle, reservation, type Reservation } from "./reservation.ts";
import { createSpendCaps } from "./spend-caps.ts";

/**
 * What may still be spent: the committed balance less what calls and submits under way have reserved. It lives in memory, so
 * that a call costs no read of the store; every commit tells it the new balance.
 */
export type Purse = MoneyHeard & {
  /** Sets aside `wish`, or as much of it as there is if that is at least `least`; null where it is not. */
  reserve(account: string, key: Key | null, wish: number, least: number): Promise<Reservation | null>;
  /** Sets aside what the store is about to hold, so that no call takes it meanwhile; null where it is not there. */
  reserveHold(account: string, key: Key | null, nanos: number): Promise<Reservation | null>;
  /** Gathers what others may spend of an account and do not need now; true when there may be more than before. */
  recall(account: string): Promise<boolean>;
  /** Reads anew what is known of an account: the store did not say what became of a charge. */
  forget(account: string): void;
  /** The lease under which the calls of an account are admitted; null where there is none. */
  leaseOf(account: string): { node: string; epoch: number } | null;
};

type Fund = { left: number; reserved: number };

export function createPurse(store: Pick<Store, "account">): Purse {
  const accounts = new Map<string, Fund>();
  const caps = createSpendCaps(false);

  async function fundOf(account: string): Promise<Fund> {
    const fund = accounts.get(account) ?? { left: Number.NaN, reserved: 0 };
    if (!accounts.has(account)) {
      forgetIdle(accounts);
      accounts.set(account, fund);
    }
    if (Number.isNaN(fund.left)) await read(account, fund);
    return fund;
  }

  async function read(account: string, fund: Fund): Promise<void> {
    const before = fund.left;
    const row = await store.account({ idOrName: account });
    // Meanwhile a commit may have told the balance, and that is newer.
    if (Object.is(fund.left, before)) fund.left = row?.availableNanos ?? 0;
  }

  async function reserve(account: string, key: Key | null, wish: number, least: number): Promise<Reservation | null> {
    const known = accounts.get(account);
    const fund = known === undefined || Number.isNaN(known.left) ? await fundOf(account) : known;
    // Whoever else writes to the same database does not tell us: nobody is refused by what we remember.
    if (fund.left - fund.reserved < least) await read(account, fund);
    const cap = caps.of(key);
    const free = Math.min(fund.left - fund.reserved, cap?.left() ?? Number.POSITIVE_INFINITY);
    const nanos = Math.min(wish, free);
    if (nanos < least || nanos < 0) return null;
    return reservation(nanos, free - nanos, fund, cap);
  }

  return {
    available(account, nanos) {
      const fund = accounts.get(account);
      if (fund !== undefined) fund.left = nanos;
    },
    spent: caps.spent,
    leased: () => undefined,
    reserve,
    reserveHold: (account, key, nanos) => reserve(account, key, nanos, nanos),
    recall: async () => false,
    forget(account) {
      const fund = accounts.get(account);
      if (fund !== undefined) fund.left = Number.NaN;
    },
    leaseOf: () => null,
  };
}
