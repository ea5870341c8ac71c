import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "./database.ts";
import type { Fleet } from "./fleet.ts";
import type { Incident } from "./incident.ts";
import type { PlannedKill } from "./kill-plan.ts";

export type StormNeeds = {
  plan: readonly PlannedKill[];
  fleet: Fleet;
  database: Database;
  /** Told of each kill when it has happened; of the database's when that is back. */
  note(incident: Incident): void;
  signal: AbortSignal;
};

/** Carries the plan out; resolves when everything is on its way up again. */
export async function runStorm({ plan, fleet, database, note, signal }: StormNeeds): Promise<void> {
  const startedAt = Date.now();
  let restarted: Promise<void> = Promise.resolve();

  async function killDatabase(pauseMs: number): Promise<void> {
    const at = Date.now();
    await database.kill();
    await sleep(pauseMs);
    note({ what: "database", at, backAt: await database.start() });
  }

  for (const kill of plan) {
    await sleep(Math.max(0, startedAt + kill.atMs - Date.now()));
    if (signal.aborted) break;
    if (kill.what === "database") {
      // One after the other: a plan may want the next before the last is back.
      restarted = restarted.then(() => killDatabase(kill.pauseMs));
      restarted.catch(() => undefined);
      continue;
    }
    const killed = await fleet.kill(kill.place, kill.pauseMs);
    if (killed !== null) note({ what: "node", node: killed.node.name, role: killed.node.role, at: killed.at });
  }
  await restarted;
}
