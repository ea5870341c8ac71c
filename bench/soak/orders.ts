import { doors, type Door } from "./doors.ts";
import { planFor } from "./faults.ts";
import { priceOf, type Offer } from "./offers.ts";

/** What a customer orders, and through which of our dialects. */
export type Order = {
  n: number;
  customer: number;
  offer: Offer;
  door: Door;
  plan: ReturnType<typeof planFor>;
  path: string;
  body: Record<string, unknown>;
  headers: Record<string, string>;
  hasHook: boolean;
  priceNanos: number;
};

export type OrderNeeds = {
  count: number;
  seed: number;
  customers: number;
  offers: readonly Offer[];
  random: () => number;
  hookUrl: (n: number) => string;
};

/** The orders of one run: offers in turn, so that each has its share, all else by chance. */
export function makeOrders({ count, seed, customers, offers, random, hookUrl }: OrderNeeds): Order[] {
  const start = Math.floor(random() * offers.length);
  return Array.from({ length: count }, (_none, n) => {
    const offer = offers[(start + n) % offers.length];
    if (offer === undefined) throw new Error("there is nothing to order");
    const open = doors.filter(({ name, kind }) => kind === offer.work.kind && (offer.only?.includes(name) ?? name !== "mj"));
    const door = open[Math.floor(random() * open.length)];
    if (door === undefined) throw new Error(`no dialect of ours can order ${offer.model}`);
    const plan = planFor(offer, random);
    const { path, body, headers = {} } = door.submit(offer.model, offer.work, `order ${seed}-${n} of rain ${plan.marks}`);
    const hook = random() < 0.6 ? null : random() < 0.5 ? "notify_hook" : "callback_url";
    return {
      n,
      customer: Math.floor(random() * customers),
      offer,
      door,
      plan,
      path,
      body: { ...body, ...(hook !== null && { [hook]: hookUrl(n) }) },
      headers: { ...headers, "idempotency-key": `order ${seed}-${n}` },
      hasHook: hook !== null,
      priceNanos: priceOf(offer),
    };
  });
}

/** The number of the order that a prompt belongs to. */
export function orderIn(prompt: string, seed: number): number | null {
  const found = /order (\d+)-(\d+) of/.exec(prompt);
  return found === null || Number(found[1]) !== seed ? null : Number(found[2]);
}
