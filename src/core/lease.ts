/** How nodes share a balance: pure, so that every store decides alike. */

export type LeaseRequest = {
  account: string;
  node: string;
  /** The name of the lease, if it is a new one. */
  epoch: number;
  /** The one that the node knows, 0 for none: what it may have under another name is given back first. */
  held: number;
  /** What is needed now; 0 to go on with what there is. */
  needNanos: number;
  /** Less than this is of no use. */
  leastNanos: number;
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

type Wanted = Pick<LeaseRequest, "needNanos" | "leastNanos" | "extraNanos">;

/** What is needed, or as much of it as is there and of use; and beside it at most an eighth of the rest: others want some too. */
export function grantLease(freeNanos: number, { needNanos, leastNanos, extraNanos }: Wanted): number {
  const free = Math.max(0, freeNanos);
  if (free < leastNanos) return 0;
  const needed = Math.min(free, needNanos);
  return needed + Math.min(extraNanos, Math.floor((free - needed) / share));
}

/** How a charge is paid: from the lease it was admitted under, else from what nobody has leased; the rest is ours to bear. */
export function payFrom(costNanos: number, leaseNanos: number, freeNanos: number): { leased: number; free: number } {
  const leased = Math.min(costNanos, leaseNanos);
  return { leased, free: Math.min(costNanos - leased, Math.max(0, freeNanos)) };
}
