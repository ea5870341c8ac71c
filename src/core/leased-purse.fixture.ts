import { grantLease, type LeaseRequest } from "./lease.ts";
import { createLeasedPurse, type LeasedPurse } from "./leased-purse.ts";
import type { Bulletin, Store } from "./ports.ts";

type Lease = { epoch: number; amount: number };

/** One balance that nodes share, and a board on which they hear each other at once; time passes when the test says so. */
export function createBank(available: number) {
  const leases = new Map<string, Lease>();
  const heard: { node: string; act: (id: string) => void }[] = [];
  const bank = {
    available,
    leases,
    now: 1_000_000,
    wall: 1_000_000,
    asked: [] as LeaseRequest[],
    posts: 0,
    fails: null as "before" | "after" | null,
    /** Replies wait for this. */
    way: Promise.resolve(),
    lent: () => [...leases.values()].reduce((sum, { amount }) => sum + amount, 0),
    free: () => bank.available - bank.lent(),
    pass(ms: number) {
      bank.now += ms;
      bank.wall += ms;
    },
    /** Pays a call as the store would, and tells the purse. */
    charge(purse: LeasedPurse, cost: number): number {
      const named = purse.leaseOf("a");
      const lease = named === null ? undefined : leases.get(named.node);
      const has = lease !== undefined && lease.epoch === named?.epoch ? lease.amount : 0;
      const paid = Math.min(cost, has) + Math.min(Math.max(0, cost - has), bank.free());
      if (lease !== undefined && has > 0) lease.amount -= Math.min(cost, has);
      bank.available -= paid;
      if (named !== null) purse.leased("a", named.epoch, -Math.min(cost, has));
      return paid;
    },
    open(node: string): LeasedPurse {
      const bulletin: Bulletin = {
        post: (_topic, id) => (bank.posts++, heard.forEach((other) => other.node !== node && other.act(id))),
        hear: (_topic, act) => void heard.push({ node, act }),
        onGap: () => undefined,
        close: async () => undefined,
      };
      const clocks = { clock: () => bank.wall, monotonic: () => bank.now };
      return createLeasedPurse({ store: storeOf(bank), bulletin, node, ...clocks, sleep: () => Promise.resolve() });
    },
  };
  return bank;
}

type Bank = ReturnType<typeof createBank>;

function storeOf(bank: Bank): Pick<Store, "lease" | "returnLease"> {
  const { leases } = bank;
  const mayFail = (when: "before" | "after") => {
    if (bank.fails === when) throw new Error(`lost ${when} the commit`);
  };
  return {
    async lease(request) {
      mayFail("before");
      bank.asked.push(request);
      const own = leases.get(request.node);
      if (own !== undefined && own.epoch !== request.held) leases.delete(request.node);
      const kept = leases.get(request.node);
      const grantedNanos = grantLease(bank.free(), request);
      const lease = { epoch: kept?.epoch ?? request.epoch, amount: (kept?.amount ?? 0) + grantedNanos };
      leases.set(request.node, lease);
      const reply = { epoch: lease.epoch, grantedNanos, leasedNanos: lease.amount, freeNanos: bank.free() };
      await bank.way;
      mayFail("after");
      return reply;
    },
    async returnLease({ node, epoch, nanos }) {
      mayFail("before");
      const own = leases.get(node);
      if (own === undefined || own.epoch !== epoch) return 0;
      const given = Math.min(nanos, own.amount);
      own.amount -= given;
      if (own.amount === 0) leases.delete(node);
      mayFail("after");
      return given;
    },
  };
}
