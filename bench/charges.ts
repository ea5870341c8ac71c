// `node bench/charges.ts --calls 10000 --concurrency 500 --seed 7 [--kill 20]`: many calls that end in every way, and whether each was charged for what it delivered.
import { parseArgs } from "node:util";
import { runCharges } from "./charges/charges-run.ts";

const text = { type: "string" } as const;
const { values } = parseArgs({ options: { calls: text, concurrency: text, seed: text, kill: text } });
const { calls = "10000", concurrency = "500", seed = String(Date.now() % 1_000_000), kill = "0" } = values;

console.log(`seed ${seed}`);
const options = { calls: Number(calls), concurrency: Number(concurrency), seed: Number(seed), kills: Number(kill) };
const { figures, sums, broken } = await runCharges({ ...options, tell: (line) => console.log(line) });
for (const [name, value] of Object.entries(figures)) console.log(`${name.padEnd(24)} ${value}`);
for (const { account, paid, delivered } of sums)
  console.log(`account ${account}: charged ${paid}, delivered ${delivered}, difference ${paid - delivered}`);
for (const line of broken.slice(0, 20)) console.log(`BROKEN ${line}`);
console.log(broken.length === 0 ? "every charge is right" : `${broken.length} promises were broken`);
process.exitCode = broken.length === 0 ? 0 : 1;
