import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../../test/support/eventually.ts";
import { uuidv7 } from "../../src/kit/ids.ts";
import type { Samples } from "../gateways/samples.ts";
import { percentile } from "../service.ts";
import type { Engine } from "./engine-port.ts";
import { openEngine } from "./engine.ts";
import { besides, type Seat } from "./seats.ts";

export type DelayPlan = { seconds: number; perSecond: number };

/** How long after the request a task is started: by the process that accepted it, and by another one. */
export async function measureDelays(seats: readonly Seat[], samples: Samples, plan: DelayPlan): Promise<void> {
  for (const seat of seats.filter(({ kind }) => kind !== "bare" && kind !== "pg-boss-resend")) {
    const place = await besides(seat, "delays");
    const [here, elsewhere] = [await openEngine(seat.kind, place), await openEngine(seat.kind, place)];
    for (const [where, worker] of Object.entries({ here, elsewhere })) {
      const times = (await delays(here, worker, plan)).toSorted((a, b) => a - b);
      samples.add(seat.title, `${where} p50`, percentile(times, 0.5));
      samples.add(seat.title, `${where} p99`, percentile(times, 0.99));
    }
    await here.close();
    await elsewhere.close();
  }
}

async function delays(client: Engine, worker: Engine, { seconds, perSecond }: DelayPlan): Promise<number[]> {
  const asked = new Map<string, number>();
  const times: number[] = [];
  const listening = await worker.listen((id) => {
    const at = asked.get(id);
    if (at !== undefined) times.push(performance.now() - at);
  });
  const began = performance.now();
  const submits: Promise<void>[] = [];
  for (let n = 0; n < seconds * perSecond; n++) {
    const ahead = began + (n / perSecond) * 1_000 - performance.now();
    if (ahead > 0) await sleep(ahead);
    const id = uuidv7();
    asked.set(id, performance.now());
    submits.push(client.submit(id));
  }
  await Promise.all(submits);
  await eventually(() => times.length === asked.size, { withinMs: 10_000, what: "the start of every task" });
  await listening.stop();
  return times;
}
