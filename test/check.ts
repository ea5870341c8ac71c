// `npm run check`: format, lint, types, dead code and the floors between rooms, in under half a minute.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

type Check = { name: string; mend: string; command: string[] };
type Outcome = { check: Check; isGood: boolean; output: string; seconds: string };

const root = join(import.meta.dirname, "..");
const checks: Check[] = [
  { name: "types", mend: "npx tsc --noEmit", command: [bin("typescript", "bin/tsc"), "--noEmit", "--pretty", "false"] },
  {
    name: "types of the console",
    mend: "npx tsc --noEmit -p console",
    command: [bin("typescript", "bin/tsc"), "--noEmit", "--pretty", "false", "-p", "console"],
  },
  { name: "lint", mend: "npx oxlint --fix", command: [bin("oxlint", "bin/oxlint"), "--format=unix"] },
  { name: "dead code", mend: "npx knip", command: [bin("knip", "bin/knip.js"), "--no-progress", "--no-config-hints"] },
  { name: "format", mend: "npx oxfmt", command: [bin("oxfmt", "bin/oxfmt"), "--list-different"] },
  { name: "rooms", mend: "node --test test/rooms.test.ts", command: ["--test", "--test-reporter=dot", "test/rooms.test.ts"] },
];

// The types of the client and the console are made from what the service says of itself.
const description = await run({ name: "description", mend: "node scripts/describe-api.ts", command: ["scripts/describe-api.ts"] });
// Two at a time: the first ones use several cores themselves.
const waiting = description.isGood ? [...checks] : [];
const outcomes: Outcome[] = description.isGood ? [] : [description];
await Promise.all([drain(), drain()]);

const failed = outcomes.filter((outcome) => !outcome.isGood);
for (const { check, output } of failed) console.log(`\n${check.name} (${check.mend}):\n${output.trimEnd()}`);
console.log(failed.length === 0 ? "\ncheck: all good" : `\ncheck: ${failed.map(({ check }) => check.name).join(", ")} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function drain(): Promise<void> {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
    const outcome = await run(check);
    outcomes.push(outcome);
    console.log(`${outcome.isGood ? "ok    " : "FAILED"} ${check.name}${warnings(outcome)} (${outcome.seconds} s)`);
  }
}

function run(check: Check): Promise<Outcome> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, check.command, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1" },
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      resolve({
        check,
        isGood: code === 0,
        output: output.replaceAll(`${root}/`, ""),
        seconds: ((performance.now() - startedAt) / 1000).toFixed(1),
      });
    });
  });
}

function warnings({ output }: Outcome): string {
  const count = output.split("\n").filter((line) => line.includes("[Warning/")).length;
  return count === 0 ? "" : `, ${count} warnings`;
}

function bin(name: string, path: string): string {
  const file = join(root, "node_modules", name, path);
  if (!existsSync(file)) throw new Error(`${file} is not there; was this run through npm?`);
  return file;
}
