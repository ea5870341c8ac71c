import { submit } from "./queueing.ts";
import { createLot, type Random } from "./random.ts";
import { arrivalRate, burstAccount } from "./scenario.ts";
import { offers } from "./upstreams.ts";
import type { World } from "./world.ts";

/** Lets clients come: at random, more of them by day, many accounts of very different size, and one that sometimes asks for much at once. */
export function createArrivals(world: World): { begin(): void; arrive(): void } {
  const { scenario, random, wheel, ids, baseMs } = world;
  const drawOffer = createLot(offers.map(({ share }) => share));
  // The account of a rank asks for a share like one over that rank.
  const drawAccount = createLot(Array.from({ length: scenario.accounts }, (_, rank) => 1 / (rank + 10)));
  let at = 0;

  function plan(): void {
    const { usual, burst } = arrivalRate(scenario, baseMs + at);
    at += Math.min(longestMs, random.exponential(1 / (usual + burst)));
    wheel.schedule(ids.arrivals, at);
  }

  return {
    begin: plan,
    arrive() {
      const now = wheel.now();
      // Several may come within one millisecond.
      while (at <= now) {
        const { usual, burst } = arrivalRate(scenario, baseMs + at);
        const isBurst = burst > 0 && random.unit() * (usual + burst) < burst;
        submit(world, isBurst ? burstOffer(random) : drawOffer(random), isBurst ? burstAccount : drawAccount(random));
        plan();
      }
    },
  };
}

// The rate changes slowly, and is looked up again at least so often.
const longestMs = 60_000;

/** A burst is of one thing: a thousand songs, or pictures of a catalogue. */
function burstOffer(random: Random): number {
  return random.unit() < 0.5 ? 2 : 3;
}
