/** Searches a part of the seeds in a thread of its own, and tells now and then what it has seen. */
import { parentPort, workerData } from "node:worker_threads";
import { search } from "./search.ts";

const { from, to, step } = workerData as { from: number; to: number; step: number };
const every = 50;

function* seeds(): Generator<number> {
  for (let seed = from; seed < to; seed += step) yield seed;
}

const found = await search({
  seeds: seeds(),
  tell: (so) => so.seeds % every === 0 && parentPort?.postMessage({ found: so, isOver: false }),
});
parentPort?.postMessage({ found, isOver: true });
