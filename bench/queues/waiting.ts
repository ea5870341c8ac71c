import { uuidv7 } from "../../src/kit/ids.ts";
import type { Samples } from "../gateways/samples.ts";
import { keepCosts, rotated } from "./lives.ts";
import { spend } from "./meter.ts";
import { atOnce } from "./portion.ts";
import type { Seat } from "./seats.ts";

export type WaitingPlan = { waiting: number; polls: number; rounds: number };

const looks = 50;

/** Polls while many jobs wait, in slices of one engine after the other; then looks that find nothing. */
export async function measureWaiting(seats: readonly Seat[], samples: Samples, { waiting, polls, rounds }: WaitingPlan): Promise<void> {
  const busy = seats.filter(({ kind }) => kind !== "bare");
  const everyDue = Math.max(1, Math.floor(waiting / ((rounds + 1) * (polls + atOnce))));
  for (const { engine, cluster } of busy) {
    await engine.fill(
      Array.from({ length: waiting }, () => uuidv7()),
      everyDue,
    );
    await engine.poll(polls);
    await cluster.settle();
  }
  for (let round = 0; round < rounds; round++)
    for (const seat of rotated(busy, round)) {
      let asked = 0;
      const spent = await spend(seat, async () => {
        asked = await seat.engine.poll(polls);
      });
      const keep = (name: string, value: number) => samples.add(seat.title, name, value);
      keep("polls a second", asked / spent.seconds);
      keepCosts(keep, "a poll", spent, asked);
    }
  for (const seat of busy) if (seat.engine.look !== null) await measureLooks(seat, seat.engine.look, samples);
}

async function measureLooks(seat: Seat, look: () => Promise<void>, samples: Samples): Promise<void> {
  for (let left = 1; left > 0;) left = await seat.engine.poll(1_000);
  await seat.cluster.settle();
  const spent = await spend(seat, async () => {
    for (let n = 0; n < looks; n++) await look();
  });
  keepCosts((name, value) => samples.add(seat.title, name, value), "a look", spent, looks);
}
