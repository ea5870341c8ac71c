export type Reservation = {
  nanos: number;
  /** What was left beside it. */
  leftNanos: number;
  /** Gives back what was set aside; once what it was for has been paid, or will never be. */
  release(): void;
};

type Reserving = { reserved: number };

/** Sets an amount aside in a fund, and under the cap of a key if it has one. */
export function reservation(nanos: number, leftNanos: number, fund: Reserving, cap: Reserving | null): Reservation {
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

const mostFunds = 100_000;

/** Keeps a map of funds within bounds: those in which nothing is set aside can be read anew. */
export function forgetIdle(funds: Map<string, Reserving>): void {
  if (funds.size < mostFunds) return;
  for (const [name, { reserved }] of funds) if (reserved === 0) funds.delete(name);
}
