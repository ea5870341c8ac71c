import { setTimeout as sleep } from "node:timers/promises";

export type LoadOptions<O> = {
  orders: readonly O[];
  perSecond: number;
  /** How many may be open at once: more are not begun. */
  most: number;
  serve(order: O): Promise<void>;
  /** Ends the arrivals. */ signal: AbortSignal;
};

export type Load = {
  begun(): number;
  open(): number;
  /** Arrivals that were left out because too many were open. */
  skipped(): number;
  /** Resolves when arrivals have ended and nothing is open. */
  over: Promise<void>;
};

/** Orders that arrive at an even rate, whatever becomes of those before. */
export function startLoad<O>({ orders, perSecond, most, serve, signal }: LoadOptions<O>): Load {
  const open = new Set<Promise<void>>();
  let begun = 0;
  let skipped = 0;

  function begin(): void {
    const order = orders[begun];
    if (order === undefined) return;
    if (open.size >= most) return void skipped++;
    begun++;
    const served = serve(order);
    open.add(served);
    void served.finally(() => open.delete(served));
  }

  async function arrive(): Promise<void> {
    const startedAt = performance.now();
    for (let arrivals = 0; !signal.aborted; await sleep(20)) {
      const due = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond);
      for (; arrivals < due; arrivals++) begin();
    }
    while (open.size > 0) await Promise.all(open);
  }

  const over = arrive();
  return { begun: () => begun, open: () => open.size, skipped: () => skipped, over };
}
