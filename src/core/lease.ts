/** How nodes share a balance: pure, so that every store decides alike. */

export type LeaseRequest = {
  account: string;
  node: string;
  /** The name of the lease, if it is a new one. */
  epoch: number;
  /** What is needed now; 0 to go on with what there is. */
  needNanos: number;
  /** What would be welcome beside it, so that the next calls need not ask. */
  extraNanos: number;
  now: number;
  until: number;
};

export type LeaseReply = {
  /** One that was reclaimed and granted anew has another than before. */
  epoch: number;
  /** What this request added. */
  grantedNanos: number;
  /** What the lease holds with it. */
  leasedNanos: number;
  /** What nobody has leased. */
  freeNanos: number;
};

const share = 8;

/** What is needed if it is there, and beside it at most an eighth of the rest: others want some too. */
export function grantLease(freeNanos: number, { needNanos, extraNanos }: Pick<LeaseRequest, "needNanos" | "extraNanos">): number {
  const free = Math.max(0, freeNanos);
  const needed = Math.min(free, needNanos);
  return needed + Math.min(extraNanos, Math.floor((free - needed) / share));
}

/** How a charge is paid: from the lease it was admitted under, else from what nobody has leased; the rest is ours to bear. */
export function payFrom(costNanos: number, leaseNanos: number, freeNanos: number): { leased: number; free: number } {
  const leased = Math.min(costNanos, leaseNanos);
  return { leased, free: Math.min(costNanos - leased, Math.max(0, freeNanos)) };
}
