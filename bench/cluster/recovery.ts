import type { Verdict } from "../../test/crash/audit.ts";
import { databaseKills, type DatabaseKill, type Incident } from "./incident.ts";
import type { Leased } from "./lease-watch.ts";

export const longestRecoveryMs = 15_000;

/** How long work took to go on after the node that had it, or the database, was killed; null when it never did. */
export type Recovery = { says: string; ms: number | null };

/** Work in the hands of a node when one was killed; while the database was away nobody could take it. */
export function leaseRecoveries(leases: readonly Leased[], incidents: readonly Incident[]): Recovery[] {
  const outages = databaseKills(incidents);
  return leases.map(({ id, phase, node, killedAt, movedAt }) => {
    const says = `${phase} of ${id} after the kill of ${node}`;
    return { says, ms: movedAt === null ? null : movedAt - lastStart(killedAt, movedAt, outages) };
  });
}

function lastStart(killedAt: number, movedAt: number, outages: readonly DatabaseKill[]): number {
  const within = outages.filter(({ at, backAt }) => at < movedAt && backAt > killedAt).map(({ backAt }) => Math.min(backAt, movedAt));
  return Math.max(killedAt, ...within);
}

/** The first of some moments after each time that the database came back; the last kill has no later one to be cut short by. */
export function databaseRecoveries(what: string, moments: readonly number[], incidents: readonly Incident[]): Recovery[] {
  const sorted = moments.toSorted((a, b) => a - b);
  return databaseKills(incidents).flatMap(({ backAt }, place, kills) => {
    const says = `first ${what} after kill ${place + 1} of the database`;
    const nextKill = kills[place + 1]?.at ?? Number.POSITIVE_INFINITY;
    const first = sorted.find((moment) => moment > backAt) ?? Number.POSITIVE_INFINITY;
    // The database was killed again before that could be seen.
    if (first > nextKill && nextKill - backAt < longestRecoveryMs) return [];
    return [{ says, ms: Number.isFinite(first) ? first - backAt : null }];
  });
}

/** Which of them took too long. */
export function slowRecoveries(promise: string, recoveries: readonly Recovery[]): Verdict {
  const slow = recoveries.filter(({ ms }) => ms === null || ms > longestRecoveryMs);
  const broken = slow.map(({ says, ms }) => (ms === null ? `${says}: never` : `${says}: ${(ms / 1_000).toFixed(1)} s`));
  return { promise, counted: recoveries.length, broken };
}
