// `npm test [-- path …]`: the checks, then every test file whose path contains one of the words given.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { findChromium } from "./support/chromium.ts";
import { findPostgres } from "./support/postgres.ts";

const root = join(import.meta.dirname, "..");
const isCi = process.env["CI"] === "true";
const wanted = process.argv.slice(2).map((word) => word.replace(/^\.\//, ""));
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stopping.abort());

const missing = reportSurroundings();
const isCheckGood = wanted.length > 0 || (await check());
const testsFailed = await runTests();
const isComplete = !isCi || missing.length === 0;
if (!isComplete) console.log(`tests were skipped for lack of ${missing.join(" and ")}, which CI=true does not accept`);
if (!isCheckGood) console.log("the tests are above; the check before them failed");
process.exitCode = isCheckGood && !testsFailed && isComplete ? 0 : 1;

/** Says which programs of the machine the tests can use; returns those whose lack skips tests. */
function reportSurroundings(): string[] {
  const ffprobe = spawnSync("ffprobe", ["-version"], { stdio: "ignore" }).status === 0 ? "found" : null;
  const postgres = findPostgres();
  const found: [string, string | null, string][] = [
    ["PostgreSQL", postgres?.bin ?? null, "the suites on PostgreSQL (store conformance, several nodes) will be skipped"],
    ["Chromium", findChromium(), "the suites in a browser (console, docs page) will be skipped"],
    ["ffprobe", ffprobe, "produced media will not be probed by a second opinion"],
  ];
  for (const [name, place, otherwise] of found) console.log(`${name}: ${place ?? `not found; ${otherwise}`}`);
  return found.slice(0, 2).flatMap(([name, place]) => (place === null ? name : []));
}

async function check(): Promise<boolean> {
  console.log();
  const child = spawn(process.execPath, [join(root, "test/check.ts")], {
    stdio: ["ignore", "inherit", "inherit"],
    signal: stopping.signal,
  });
  await once(child, "exit");
  console.log();
  return child.exitCode === 0;
}

/** Runs the files, at most two at a time, each in its own process; true when one failed or there was nothing to run. */
async function runTests(): Promise<boolean> {
  const all = globSync(["src/**/*.test.ts", "lab/**/*.test.ts", "bench/**/*.test.ts", "test/**/*.test.ts"], { cwd: root }).toSorted();
  const files = all.filter((file) => wanted.length === 0 || wanted.some((word) => file.replaceAll("\\", "/").includes(word)));
  if (files.length === 0) {
    console.log(`no test file has ${wanted.join(" or ")} in its path`);
    return true;
  }
  let isFailed = false;
  const concurrency = Math.min(2, availableParallelism());
  const execArgv = ["--import", import.meta.resolve("./support/file-deadline.ts")];
  const stream = run({ files: files.map((file) => join(root, file)), cwd: root, concurrency, execArgv, signal: stopping.signal });
  stream.on("test:fail", () => (isFailed = true));
  stream.on("test:pass", ({ skip }) => {
    const lacked = ["PostgreSQL", "Chromium"].find((name) => String(skip ?? "").includes(name));
    if (lacked !== undefined && !missing.includes(lacked)) missing.push(lacked);
  });
  await new Promise<void>((resolve, reject) => {
    stream.compose(spec).once("error", reject).once("end", resolve).pipe(process.stdout, { end: false });
  });
  return isFailed;
}
