import { dispatcher } from "./constants.ts";

const { tickMs, slower, longestRestMs, restMs } = dispatcher;
const rests = [tickMs];
while ((rests.at(-1) ?? 0) < longestRestMs) rests.push(Math.min(longestRestMs, (rests.at(-1) ?? 0) * slower));
const rounds = 30;

/**
 * How often a loop looks that is woken and finds something so often: as src/dispatch/loop.ts does it, rests grow while nothing is
 * found, a find or a wake makes them short again, and no wake comes sooner than the shortest rest.
 */
export function looksPerSecond(wakesPerSecond: number, findsPerSecond: number): number {
  let looks = 1_000 / tickMs;
  for (let round = 0; round < rounds; round++) looks = (looks + onceMore(wakesPerSecond, Math.min(1, findsPerSecond / looks))) / 2;
  return looks;
}

/** Looks a second where each look finds something with a chance: the shares of rests follow from each other, and their mean is the time between looks. */
function onceMore(wakesPerSecond: number, found: number): number {
  const perMs = wakesPerSecond / 1_000;
  const last = rests.length - 1;
  let shares: number[] = rests.map((_, place) => (place === 0 ? 1 : 0));
  for (let round = 0; round < rounds; round++) {
    const next: number[] = rests.map(() => 0);
    const add = (place: number, share: number) => void (next[place] = (next[place] ?? 0) + share);
    for (const [place, share] of shares.entries()) {
      const woken = 1 - Math.exp(-perMs * (rests[place] ?? 0));
      add(0, share * found);
      add(Math.min(1, last), share * (1 - found) * woken);
      add(Math.min(place + 1, last), share * (1 - found) * (1 - woken));
    }
    shares = next;
  }
  const meanMs = shares.reduce((sum, share, place) => sum + share * untilLook(rests[place] ?? tickMs, perMs), 0);
  return 1_000 / Math.max(meanMs, restMs);
}

/** The rest, or the time until a wake if that comes first. */
function untilLook(rest: number, wakesPerMs: number): number {
  return wakesPerMs === 0 ? rest : (1 - Math.exp(-wakesPerMs * rest)) / wakesPerMs;
}
