/** The rules of the double-entry ledger: pure, so that every store decides alike. */

export type Bucket = "available" | "held" | "revenue" | "topups" | "undercollected";

/** One line of a transfer; the lines of a transfer sum to zero. */
export type Line = { account: string; bucket: Bucket; amountNanos: number };

/** Owner of the buckets that belong to no customer. */
export const house = "house";

export function holdLines(account: string, nanos: number): Line[] {
  return lines([account, "available", -nanos], [account, "held", nanos]);
}

/** Closes a hold at its cost: the rest goes back, and what the hold does not cover is ours to bear. */
export function settleLines(account: string, heldNanos: number, costNanos: number): Line[] {
  const paid = Math.min(heldNanos, costNanos);
  return lines(
    [account, "held", -heldNanos],
    [account, "available", heldNanos - paid],
    [house, "revenue", costNanos],
    [house, "undercollected", paid - costNanos],
  );
}

/** Pays for calls: what the balance does not cover is ours to bear. */
export function chargeLines(account: string, costNanos: number, paidNanos: number): Line[] {
  return lines([account, "available", -paidNanos], [house, "revenue", costNanos], [house, "undercollected", paidNanos - costNanos]);
}

export function creditLines(account: string, nanos: number): Line[] {
  return lines([account, "available", nanos], [house, "topups", -nanos]);
}

function lines(...rows: [string, Bucket, number][]): Line[] {
  return rows.filter(([, , amount]) => amount !== 0).map(([account, bucket, amountNanos]) => ({ account, bucket, amountNanos }));
}

export type Balance = { availableNanos: number; frozen: boolean };
export type HoldRequest = { account: string; holdNanos: number };

/** Decides, in order, which holds the balances cover; what is granted lowers the balance for those that follow. */
export function grantHolds(balances: Map<string, Balance>, requests: readonly HoldRequest[]): ("granted" | "insufficient" | "frozen")[] {
  const left = new Map([...balances].map(([account, balance]) => [account, balance.availableNanos]));
  return requests.map(({ account, holdNanos }) => {
    if (balances.get(account)?.frozen) return "frozen";
    const available = left.get(account) ?? 0;
    if (available < holdNanos) return "insufficient";
    left.set(account, available - holdNanos);
    return "granted";
  });
}

/** What a set of lines does to each customer's cached balance. */
export function balanceChanges(all: readonly Line[]): Map<string, { availableNanos: number; heldNanos: number }> {
  const changes = new Map<string, { availableNanos: number; heldNanos: number }>();
  for (const { account, bucket, amountNanos } of all) {
    if (bucket !== "available" && bucket !== "held") continue;
    const change = changes.get(account) ?? { availableNanos: 0, heldNanos: 0 };
    if (bucket === "available") change.availableNanos += amountNanos;
    else change.heldNanos += amountNanos;
    changes.set(account, change);
  }
  return changes;
}
