// `npm run overdraft [-- --seeds 10000 --from 1 --jobs 2] [-- --seed 7 --trace]`: nodes that share balances, crash, stand still and lose
// replies in every order that chance finds, in virtual time; and whether anybody ever spent what was not there.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { makePlan } from "./overdraft/plan.ts";
import { runPlan } from "./overdraft/run.ts";
import { addUp, nothingFound, shorten, type Found } from "./overdraft/search.ts";
import { openSharedDatabase } from "./overdraft/shared-database.ts";

const text = { type: "string" } as const;
const { values } = parseArgs({ options: { seeds: text, from: text, jobs: text, seed: text, trace: { type: "boolean" } } });
const began = performance.now();
const seconds = () => ((performance.now() - began) / 1_000).toFixed(1);
process.exitCode = (await (values.seed === undefined ? searchAll() : replay(Number(values.seed)))) ? 0 : 1;

async function searchAll(): Promise<boolean> {
  const { seeds = "10000", from = "1", jobs = String(Math.min(4, availableParallelism())) } = values;
  const parts: Found[] = Array.from({ length: Number(jobs) }, () => nothingFound);
  let told = 0;
  const tell = (part: number, found: Found) => {
    parts[part] = found;
    const sum = parts.reduce(addUp);
    if (sum.seeds - told < 1_000) return;
    told = sum.seeds;
    console.log(`${sum.seeds} seeds, ${sum.events} events, ${seconds()} s`);
  };
  const begin = (part: number) => {
    const workerData = { from: Number(from) + part, to: Number(from) + Number(seeds), step: parts.length };
    return new Worker(new URL("./overdraft/search-thread.ts", import.meta.url), { workerData });
  };
  await follow(
    parts.map((_, part) => begin(part)),
    tell,
  );
  const found = parts.reduce(addUp);
  report(found);
  return found.broken === null || replay(found.broken.seed);
}

/** Resolves when all threads are done, or one of them has found something. */
function follow(threads: readonly Worker[], tell: (part: number, found: Found) => void): Promise<void> {
  let left = threads.length;
  return new Promise((resolve, reject) => {
    for (const [part, thread] of threads.entries()) {
      thread.on("error", reject);
      thread.on("message", ({ found, isOver }: { found: Found; isOver: boolean }) => {
        tell(part, found);
        if (isOver) left--;
        if (left > 0 && found.broken === null) return;
        for (const other of threads) void other.terminate();
        resolve();
      });
    }
  });
}

function report(found: Found): void {
  const { seeds, calmSeeds, events, commits, calls, costNanos, unpaidNanos, longestWaitMs } = found;
  console.log(`${seeds} seeds, ${calmSeeds} of them without a fault that may cost us money, in ${seconds()} s`);
  console.log(`${events} events, ${commits} commits, ${calls} calls charged with ${costNanos} in all`);
  console.log(`borne by the house after faults: ${unpaidNanos} (${((100 * unpaidNanos) / Math.max(1, costNanos)).toFixed(3)} %)`);
  console.log(`refused while others had the money at hand: for ${Math.round(longestWaitMs)} ms at most`);
  console.log(found.broken === null ? "0 violations" : `1 violation, at seed ${found.broken.seed}`);
}

/** Lets one seed happen again; where it breaks a promise, with as little around it as does. */
async function replay(seed: number): Promise<boolean> {
  const database = await openSharedDatabase();
  const plan = makePlan(seed);
  const { violation, trace } = await runPlan(plan, database, true);
  const shown = violation === null ? { plan, violation, trace } : await shorten(plan, database);
  if (violation !== null || values.trace === true) for (const line of shown.trace) console.log(line);
  console.log(`seed ${seed}: ${shown.violation ?? "no violation"} (${shown.plan.acts.length} of ${plan.acts.length} acts)`);
  await database.close();
  return violation === null;
}
