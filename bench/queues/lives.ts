import { uuidv7 } from "../../src/kit/ids.ts";
import type { Samples } from "../gateways/samples.ts";
import { spend, type Spent } from "./meter.ts";
import type { Seat } from "./seats.ts";

export type LivesPlan = { tasks: number; polls: number; rounds: number; clients: number };

/** Whole lives of tasks as fast as each engine can, one engine after the other, in another order each round. */
export async function measureLives(seats: readonly Seat[], samples: Samples, { tasks, polls, rounds, clients }: LivesPlan): Promise<void> {
  for (let round = 0; round < rounds; round++)
    for (const seat of rotated(seats, round)) {
      const submitted = await spend(seat, () => submitMany(seat, tasks, clients));
      const worked = await spend(seat, () => seat.engine.work(tasks, polls));
      const keep = (name: string, value: number) => samples.add(seat.title, name, value);
      keep("submits a second", tasks / submitted.seconds);
      keep("tasks a second", tasks / worked.seconds);
      keepCosts(keep, "a task", sum(submitted, worked), tasks);
    }
}

export type LonePlan = { tasks: number; polls: number; rounds: number };

/** The same with one task at a time: nothing is shared among tasks, as when few come. */
export async function measureLoneLives(seats: readonly Seat[], samples: Samples, { tasks, polls, rounds }: LonePlan): Promise<void> {
  for (let round = 0; round < rounds; round++)
    for (const seat of rotated(seats, round)) {
      const spent = await spend(seat, async () => {
        for (let n = 0; n < tasks; n++) {
          await seat.engine.submit(uuidv7());
          await seat.engine.work(1, polls);
        }
      });
      keepCosts((name, value) => samples.add(seat.title, name, value), "a lone task", spent, tasks);
    }
}

/** What one of so many cost, in microseconds and bytes. */
export function keepCosts(keep: (name: string, value: number) => void, of: string, spent: Spent, count: number): void {
  keep(`database ${of}`, spent.databaseUs / count);
  keep(`redis ${of}`, spent.redisUs / count);
  keep(`process ${of}`, spent.processUs / count);
  keep(`all ${of}`, (spent.databaseUs + spent.redisUs + spent.processUs) / count);
  keep(`log ${of}`, spent.walBytes / count);
}

export function rotated<T>(items: readonly T[], by: number): T[] {
  const at = by % Math.max(1, items.length);
  return [...items.slice(at), ...items.slice(0, at)];
}

async function submitMany({ engine }: Seat, tasks: number, clients: number): Promise<void> {
  const ids = Array.from({ length: tasks }, () => uuidv7()).values();
  const client = async () => {
    for (const id of ids) await engine.submit(id);
  };
  await Promise.all(Array.from({ length: clients }, client));
}

function sum(a: Spent, b: Spent): Spent {
  return {
    seconds: a.seconds + b.seconds,
    databaseUs: a.databaseUs + b.databaseUs,
    redisUs: a.redisUs + b.redisUs,
    processUs: a.processUs + b.processUs,
    walBytes: a.walBytes + b.walBytes,
  };
}
