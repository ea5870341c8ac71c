/** A day of a fleet in virtual time: `node run.mjs bench/fleet.ts [--nodes 100] [--tasks 10000000] [--hours 24] [--from 0] [--seed 1] [--scale 1] [--no-search]`; `--measure` takes the store's figures that it builds on. */
import { parseArgs } from "node:util";
import { findCrossings } from "./fleet/breaking-point.ts";
import { measureStores } from "./fleet/measure.ts";
import { describe } from "./fleet/report.ts";
import { thinned, usualScenario } from "./fleet/scenario.ts";
import { simulate } from "./fleet/simulation.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean", default: false } as const;
const { values } = parseArgs({
  options: {
    nodes: text,
    tasks: text,
    hours: text,
    from: text,
    seed: text,
    scale: text,
    "no-search": flag,

    measure: flag,
  },
});
const tell = (line: string) => console.log(line);

if (values.measure) await measureStores(tell);
else run();

function run(): void {
  const { nodes, tasks, hours, from, seed, scale } = usualNumbers();
  const scenario = { ...usualScenario, nodes, tasks, hours, fromHour: from, seed, scale };
  const { simulated, share } = thinned(scenario);
  tell(`seed ${seed}: ${hours} h of ${nodes} nodes and ${tasks.toLocaleString("en")} tasks a day`);
  if (share < 1) tell(`thinned: ${simulated} of ${nodes} nodes with their part of the tasks and slots; figures are told for all`);
  const began = performance.now();
  const figures = simulate(scenario);
  const took = (performance.now() - began) / 1_000;
  for (const line of describe(figures, scenario)) tell(line);
  tell(
    `${figures.counts.events.toLocaleString("en")} events in ${took.toFixed(1)} s, ${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`,
  );
  if (values["no-search"]) return;
  tell("\nwhere it breaks first, by the busiest hours with more and more load:");
  for (const { name, times, says } of findCrossings(scenario, tell)) {
    const most = Math.round((tasks * times) / 1e5) / 10;
    tell(times === Infinity ? `not reached: ${name}` : `at ${times.toFixed(1)} × the load, ${most} million tasks a day: ${name} (${says})`);
  }
}

function usualNumbers() {
  const read = (given: string | undefined, usual: number) => (given === undefined ? usual : Number(given));
  const { nodes, tasks, hours, fromHour, seed, scale } = usualScenario;
  return {
    nodes: read(values.nodes, nodes),
    tasks: read(values.tasks, tasks),
    hours: read(values.hours, hours),
    from: read(values.from, fromHour),
    seed: read(values.seed, seed),
    scale: read(values.scale, scale),
  };
}
