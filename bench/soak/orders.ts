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
      headers: { ...headers, "idempotency-key": `order ${seed}-${n}` },
      hasHook: hook !== null,
      priceNanos: priceOf(offer),
    };
  });
}

/** What does not work: a wire and one of our dialects, and why an order fails there. */
export const defects: readonly { type: string; door: string; why: string }[] = [
  { type: "replicate", door: "videos", why: "the size in pixels goes into the model's input, which has no such field" },
  { type: "replicate", door: "video/generations", why: "fps inside metadata is lost" },
  { type: "minimax-v2", door: "videos", why: "the resolution that follows from the size is none of the upstream's" },
];

function doorsOf({ work, only, dialects }: Offer): Door[] {
  const isSound = (door: string) => !defects.some((defect) => defect.door === door && dialects.some(({ type }) => type === defect.type));
  return doors.filter(({ name, kind }) => kind === work.kind && (only?.includes(name) ?? name !== "mj") && isSound(name));
}

/** The number of the order that a prompt belongs to. */
export function orderIn(prompt: string, seed: number): number | null {
  const found = /order (\d+)-(\d+) of/.exec(prompt);
  return found === null || Number(found[1]) !== seed ? null : Number(found[2]);
}
