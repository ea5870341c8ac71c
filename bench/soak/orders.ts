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
  const orderable = offers.filter((offer) => doorsOf(offer).length > 0);
  const start = Math.floor(random() * orderable.length);
  return Array.from({ length: count }, (_none, n) => {
    const offer = orderable[(start + n) % orderable.length];
    if (offer === undefined) throw new Error("there is nothing to order");
    const open = doorsOf(offer);
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
      headers: { ...headers, "idempotency-key": `order ${seed}-${n} of rain` },
      hasHook: hook !== null,
      priceNanos: priceOf(offer),
    };
  });
}

function doorsOf({ work, only }: Offer): Door[] {
  return doors.filter(({ name, kind }) => kind === work.kind && (only?.includes(name) ?? name !== "mj"));
}

/** The number of the order that a prompt or a key belongs to. */
export function orderIn(text: string, seed: number): number | null {
  const found = /order (\d+)-(\d+) of/.exec(text);
  return found === null || Number(found[1]) !== seed ? null : Number(found[2]);
}
