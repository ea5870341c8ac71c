import { availableParallelism } from "node:os";
import { loadConfig, type Config } from "../config/config.ts";
import { adapters } from "../providers/index.ts";
import { CommandError } from "./complaint.ts";
import { takeSeat } from "./crew-seat.ts";
import { readNumber } from "./number.ts";

const mostWorkers = 999;

/** Runs the service until it is told to stop: in this process, or in several that this one looks after. */
export async function start(given: string | undefined): Promise<void> {
  const load = () => loadConfig({ env: process.env, cwd: process.cwd(), adapters });
  const config = load();
  const seat = takeSeat(process.env);
  const count = seat === null ? countWorkers(given, config) : null;
  // Whoever only looks after the others does not load the service itself.
  if (count === 1) await (await import("./solo.ts")).serveAlone(config, load);
  else {
    refuseSqlite(config);
    if (seat === null) await (await import("./crew-lead.ts")).leadCrew(config, count ?? 1);
    else await (await import("./crew-mate.ts")).serveInCrew(seat, config, load);
  }
}

function countWorkers(given: string | undefined, config: Config): number {
  const wanted = given === undefined ? config.workers : given === "auto" ? given : readNumber("--workers", given, range);
  return wanted === "auto" ? availableParallelism() : wanted;
}

const range = { min: 1, max: mostWorkers, whole: true };

function refuseSqlite({ storeUrl }: Config): void {
  if (storeUrl !== null) return;
  throw new CommandError(
    "Several workers need PostgreSQL, because SQLite belongs to one process: set store.url to postgres://… in genway.yaml, or leave --workers and GENWAY_WORKERS out.",
  );
}
