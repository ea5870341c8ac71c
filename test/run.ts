// `npm test [-- path … --store sqlite|postgres]`: the checks, then every test file whose path contains one of the words given,
// those that need a store on each of the two, unless one is named.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findChromium } from "./support/chromium.ts";
import { needsPostgres, planPasses, type Pass } from "./support/passes.ts";
import { startPostgres } from "./support/postgres.ts";
import { fetchChromium } from "./support/registry-chromium.ts";
import { chosenStore, type StoreName } from "./support/store-choice.ts";
import { reportSurroundings } from "./support/surroundings.ts";
import { runPass, type PassReport } from "./support/test-pass.ts";

const root = join(import.meta.dirname, "..");
const isCi = process.env["CI"] === "true";
const { positionals, store } = readCommand();
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stopping.abort());

const files = chooseFiles();
await bringChromium();
const missing = new Set(reportSurroundings());
const passes = planPasses(files, store);
if (passes.length === 0) console.log(`no test file${store === null ? "" : ` for ${store}`} has ${positionals.join(" or ")} in its path`);
const isCheckGood = positionals.length > 0 || store !== null || (await check());
if (files.some(isForBrowser)) spawnSync(process.execPath, [join(root, "scripts/build-console.mjs")], { stdio: "inherit" });
const reports = await runAll();
process.exitCode = conclude() ? 0 : 1;

function readCommand(): { positionals: string[]; store: StoreName | null } {
  try {
    const { positionals: words, values } = parseArgs({ allowPositionals: true, options: { store: { type: "string" } } });
    if (values.store !== undefined) process.env["GENWAY_TEST_STORE"] = values.store;
    return { positionals: words, store: chosenStore() };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

/** The suites that need a browser find the one that was fetched by its name in the environment. */
async function bringChromium(): Promise<void> {
  const found = files.some(isForBrowser) && findChromium() === null ? await fetchChromium() : null;
  if (found !== null) process.env["CHROMIUM"] = found;
}

function isForBrowser(file: string): boolean {
  return /^test\/(console|journeys)\//.test(file);
}

function chooseFiles(): string[] {
  const all = globSync(
    ["src/**/*.test.ts", "lab/**/*.test.ts", "bench/**/*.test.ts", "test/**/*.test.ts", "scripts/**/*.test.ts", "console/src/**/*.test.ts"],
    { cwd: root },
  )
    .map((file) => file.replaceAll("\\", "/"))
    .toSorted();
  const words = positionals.map((word) => word.replace(/^\.\//, ""));
  return all.filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
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

/** Runs the passes one after the other; those that need PostgreSQL share one. */
async function runAll(): Promise<PassReport[]> {
  const done: PassReport[] = [];
  const server = passes.some(needsPostgres) && !process.env["GENWAY_TEST_POSTGRES"] ? await startPostgres({ isDurable: false }) : null;
  if (server !== null) process.env["GENWAY_TEST_POSTGRES"] = server.url;
  for (const pass of passes) {
    if (stopping.signal.aborted) break;
    if (pass.store === "postgres" && !process.env["GENWAY_TEST_POSTGRES"]) {
      missing.add("PostgreSQL");
      continue;
    }
    console.log(`── ${describe(pass)} ──`);
    done.push(await runPass(root, pass, stopping.signal));
  }
  await server?.stop();
  return done;
}

/** Says at the end what the many lines above come to; true when all of it is good. */
function conclude(): boolean {
  console.log();
  for (const { pass, tests, failures, unsteady, seconds } of reports) {
    console.log(`${describe(pass)}: ${tests} tests, ${failures.length} failed, ${seconds} s`);
    for (const { says } of failures) console.log(`  failed on ${pass.title}: ${says}`);
    for (const { says } of unsteady) console.log(`  unsteady, passed the second time: ${says}`);
  }
  for (const lacked of reports.flatMap((report) => report.lacked)) missing.add(lacked);
  if (isCi && missing.size > 0) console.log(`tests were skipped for lack of ${[...missing].join(" and ")}, which CI=true does not accept`);
  if (!isCheckGood) console.log("the check before the tests failed; its words are above them");
  const isRun = reports.length > 0 && !stopping.signal.aborted;
  return isRun && isCheckGood && reports.every(({ failures }) => failures.length === 0) && !(isCi && missing.size > 0);
}

function describe({ title, files: { length } }: Pass): string {
  return `${length} ${length === 1 ? "file" : "files"}, the service on ${title}`;
}
