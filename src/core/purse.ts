import type { MoneyHeard, Store } from "./ports.ts";
import type { Key } from "./records.ts";

/**
 * What may still be spent: the committed balance less what calls and submits under way have reserved. It lives in memory, so
 * that a call costs no read of the store; every commit tells it the new balance.
 */
export type Purse = MoneyHeard & {
  /** Sets aside `wish`, or as much of it as there is if that is at least `least`; null where it is not. */
  reserve(account: string, key: Key | null, wish: number, least: number): Promise<Reservation | null>;
};

export type Reservation = {
  nanos: number;
  /** What was left beside it. */
  leftNanos: number;
  /** Gives back what was set aside; once what it was for has been paid, or will never be. */
  release(): void;
};

type Fund = { left: number; reserved: number };

const mostFunds = 100_000;

export function createPurse(store: Pick<Store, "account">): Purse {
  const accounts = new Map<string, Fund>();
  const keys = new Map<string, { spent: number; reserved: number }>();

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

  function capOf(key: Key): { spent: number; reserved: number } {
    const known = keys.get(key.id);
    if (known !== undefined) return known;
    const cap = { spent: key.spentNanos, reserved: 0 };
    forgetIdle(keys);
    keys.set(key.id, cap);
    return cap;
  }

  return {
    available(account, nanos) {
      const fund = accounts.get(account);
      if (fund !== undefined) fund.left = nanos;
    },
    spent(key, nanos) {
      const cap = keys.get(key);
      if (cap !== undefined) cap.spent = nanos;
    },
    async reserve(account, key, wish, least) {
      const known = accounts.get(account);
      const fund = known === undefined || Number.isNaN(known.left) ? await fundOf(account) : known;
      // Whoever else writes to the same database does not tell us: nobody is refused by what we remember.
      if (fund.left - fund.reserved < least) await read(account, fund);
      const most = key?.limits.spendCapNanos ?? null;
      const cap = key === null || most === null ? null : capOf(key);
      const allowed = cap === null || most === null ? Number.POSITIVE_INFINITY : most - cap.spent - cap.reserved;
      const free = Math.min(fund.left - fund.reserved, allowed);
      const nanos = Math.min(wish, free);
      if (nanos < least || nanos < 0) return null;
      return reservation(nanos, free - nanos, fund, cap);
    },
  };
}

function reservation(nanos: number, leftNanos: number, fund: Fund, cap: { reserved: number } | null): Reservation {
  fund.reserved += nanos;
  if (cap !== null) cap.reserved += nanos;
  let held = true;
  return {
    nanos,
    leftNanos,
    release() {
      if (!held) return;
      held = false;
      fund.reserved -= nanos;
      if (cap !== null) cap.reserved -= nanos;
    },
  };
}

function forgetIdle(funds: Map<string, { reserved: number }>): void {
  if (funds.size < mostFunds) return;
  for (const [name, { reserved }] of funds) if (reserved === 0) funds.delete(name);
}
