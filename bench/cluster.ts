// `npm run cluster -- [--quick] [--kills 100] [--db-kills 20] [--minutes 15] [--seed 7] [--creates 6] [--calls 10]`: four gateways and two
// workers behind nginx, with PostgreSQL, Redis and an S3 server; work of every kind comes in while nodes and the database are killed, and
// then what became of the promises. Needs nginx, redis-server and PostgreSQL on the machine.
import { parseArgs } from "node:util";
import { describeReport } from "../test/crash/crash-table.ts";
import { runCluster } from "./cluster/cluster-run.ts";

const text = { type: "string" } as const;
const { values } = parseArgs({
  options: { quick: { type: "boolean" }, kills: text, "db-kills": text, minutes: text, seed: text, creates: text, calls: text },
});
const usual = values.quick === true ? { kills: 10, databaseKills: 2, minutes: 1.5 } : { kills: 100, databaseKills: 20, minutes: 15 };
const options = {
  kills: Number(values.kills ?? usual.kills),
  databaseKills: Number(values["db-kills"] ?? usual.databaseKills),
  minutes: Number(values.minutes ?? usual.minutes),
  seed: Number(values.seed ?? Date.now() % 1_000_000),
  createsPerSecond: Number(values.creates ?? 6),
  callsPerSecond: Number(values.calls ?? 10),
};
console.log(`seed ${options.seed}: ${options.kills} node kills, ${options.databaseKills} database kills in ${options.minutes} minutes`);

try {
  const report = await runCluster({ ...options, tell: (line) => console.log(line) });
  console.log(`\n${describeReport(report)}`);
  process.exitCode = report.verdicts.every(({ broken }) => broken.length === 0) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
