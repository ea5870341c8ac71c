import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { Readable } from "node:stream";
import { run } from "node:test";
import { spec, type TestEvent } from "node:test/reporters";
import { storeOf, type Pass } from "./passes.ts";
import { lackedFor } from "./surroundings.ts";

export type PassReport = {
  pass: Pass;
  tests: number;
  failures: Failed[];
  /** Failures of files that passed when they were run again, alone. */
  unsteady: Failed[];
  /** Programs for whose lack tests were skipped. */
  lacked: string[];
  seconds: number;
};

/** A test that failed, and what is said of it: where it stands, its name, and how its complaint begins. */
type Failed = { file: string; says: string };

// Services and browsers beside other work on few processors may be slower than anybody would ever see them.
// What is searched for with another seed each time, or by a unit alone, has no such excuse.
const mayRepeat = /^test\/(?!store\/|soak\/|crash\/|calls\/charges|tasks\/store-races)/;
/** More than these have a cause in common. */
const mostRepeated = 3;

// Most of them wait for something most of the time.
const filesAtOnce = 3;

/** Runs the files of a pass, a few at a time, and those again alone that failed for want of a processor, perhaps. */
export async function runPass(root: string, pass: Pass, signal: AbortSignal): Promise<PassReport> {
  const report = await runFiles(root, pass, pass.files, availableParallelism() < 2 ? 1 : filesAtOnce, signal);
  const again = [...new Set(report.failures.map(({ file }) => file))].filter((file) => mayRepeat.test(file));
  if (again.length === 0 || again.length > mostRepeated || signal.aborted) return report;
  console.log(`── once more, alone: ${again.join(", ")} ──`);
  const second = await runFiles(root, pass, again, 1, signal);
  const failedTwice = new Set(second.failures.map(({ file }) => file));
  return {
    ...report,
    failures: [...report.failures.filter(({ file }) => !again.includes(file)), ...second.failures],
    unsteady: report.failures.filter(({ file }) => again.includes(file) && !failedTwice.has(file)),
    seconds: report.seconds + second.seconds,
  };
}

/** Runs files, each in its own process, and prints what they say. */
async function runFiles(root: string, pass: Pass, names: readonly string[], concurrency: number, signal: AbortSignal): Promise<PassReport> {
  const report: PassReport = { pass, tests: 0, failures: [], unsteady: [], lacked: [], seconds: 0 };
  const startedAt = performance.now();
  if (pass.store === null) delete process.env["GENWAY_TEST_STORE"];
  else process.env["GENWAY_TEST_STORE"] = pass.store;
  const execArgv = ["--import", import.meta.resolve("./file-deadline.ts")];
  const nameOf = (path = "") => relative(root, path).replaceAll("\\", "/");
  const stream = run({ files: names.map((name) => join(root, name)), cwd: root, concurrency, execArgv, signal });
  stream.on("test:pass", ({ skip }) => {
    const lacked = lackedFor(skip);
    if (lacked !== null) report.lacked.push(lacked);
  });
  stream.on("test:fail", ({ file: path, line, name, details }) => {
    const file = nameOf(path);
    const isByOthers = "failureType" in details.error && details.error.failureType === "subtestsFailed";
    if (!isByOthers) report.failures.push({ file, says: `${file}:${line} ${name}\n      ${complaintOf(details.error)}` });
  });
  stream.on("test:summary", ({ file, counts }) => {
    if (file === undefined) report.tests = counts.tests;
  });
  async function* tellFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
    for await (const event of events) {
      yield event;
      if (event.type !== "test:summary" || event.data.file === undefined) continue;
      const file = nameOf(event.data.file);
      const { counts, duration_ms: ms } = event.data;
      const { tests, passed, cancelled, skipped, todo } = counts;
      const odd = Object.entries({ failed: tests - passed - cancelled - skipped - todo, cancelled, skipped });
      const told = odd.flatMap(([what, count]) => (count === 0 ? [] : `, ${count} ${what}`)).join("");
      const message = `  ${file}${storeOf(file, pass)}: ${tests} tests${told}, ${(ms / 1000).toFixed(1)} s\n`;
      yield { type: "test:stdout", data: { file: event.data.file, message } };
    }
  }
  await new Promise<void>((resolve, reject) => {
    Readable.from(tellFiles(stream)).compose(spec).once("error", reject).once("end", resolve).pipe(process.stdout, { end: false });
  });
  report.seconds = Math.round((performance.now() - startedAt) / 1000);
  return report;
}

/** What a failed test complains of, on one line. */
function complaintOf(error: Error): string {
  const { message } = error.cause instanceof Error ? error.cause : error;
  return message.replaceAll(/\s+/g, " ").slice(0, 2_500);
}
