/** Something to be killed, at a moment of the run, and how long it stays down. */
export type PlannedKill = { atMs: number; pauseMs: number } & ({ what: "database" } | { what: "node"; place: number });

export type KillPlanOptions = { kills: number; databaseKills: number; nodes: number; durationMs: number; random: () => number };

const quietStartMs = 4_000;

/** Kills spread over the run, each at a moment of chance within its share of it. */
export function planKills({ kills, databaseKills, nodes, durationMs, random }: KillPlanOptions): PlannedKill[] {
  const spread = (count: number) =>
    Array.from({ length: count }, (_none, n) => Math.round(quietStartMs + ((n + random()) / count) * (durationMs - quietStartMs)));
  const ofNodes = spread(kills).map((atMs): PlannedKill => {
    const place = Math.floor(random() * nodes);
    return { what: "node", place, atMs, pauseMs: Math.round(200 + random() * 2_800) };
  });
  const ofDatabase = spread(databaseKills).map((atMs): PlannedKill => ({
    what: "database",
    atMs,
    pauseMs: Math.round(100 + random() * 2_400),
  }));
  return [...ofNodes, ...ofDatabase].toSorted((a, b) => a.atMs - b.atMs);
}
