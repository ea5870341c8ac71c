// `npm run soak -- --tasks 20000 --seed 7 --concurrency 400 [--kill 5]`: work of every kind for every upstream of the lab, with faults, and what became of the promises.
import { parseArgs } from "node:util";
import { describeReport } from "../test/crash/crash-table.ts";
import { runSoak } from "./soak/soak-run.ts";

const text = { type: "string" } as const;
const { values } = parseArgs({ options: { tasks: text, seed: text, concurrency: text, kill: text } });
const { tasks = "20000", seed = "1", concurrency = "400", kill = "0" } = values;

const options = { tasks: Number(tasks), seed: Number(seed), concurrency: Number(concurrency), kills: Number(kill) };
const report = await runSoak({ ...options, tell: (line) => console.log(line) });
console.log(`\n${describeReport(report)}`);
process.exitCode = report.verdicts.every(({ broken }) => broken.length === 0) ? 0 : 1;
