// `node bench/crash.ts --kills 200 --tasks 400 --seed 7 --store postgres`: kills the service many times and prints what became of its promises.
import { parseArgs } from "node:util";
import { runCrash } from "../test/crash/crash-run.ts";
import { describeReport } from "../test/crash/crash-table.ts";

const text = { type: "string" } as const;
const { values } = parseArgs({ options: { kills: text, tasks: text, seed: text, store: text } });
const { kills = "200", tasks = "400", seed = String(Date.now() % 1_000_000) } = values;
const store = values.store === "postgres" ? "postgres" : "sqlite";

console.log(`seed ${seed}, on ${store}`);
const report = await runCrash({ kills: Number(kills), tasks: Number(tasks), seed: Number(seed), store, tell: (line) => console.log(line) });
console.log(`\n${describeReport(report)}`);
process.exitCode = report.verdicts.every(({ broken }) => broken.length === 0) ? 0 : 1;
