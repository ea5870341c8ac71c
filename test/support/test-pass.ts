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
  /** Where each failing test stands, its name, and how its complaint begins. */
  failures: string[];
  /** Programs for whose lack tests were skipped. */
  lacked: string[];
  seconds: number;
};

/** Runs the files of a pass, at most two at a time, each in its own process, and prints what they say. */
export async function runPass(root: string, pass: Pass, signal: AbortSignal): Promise<PassReport> {
  const report: PassReport = { pass, tests: 0, failures: [], lacked: [], seconds: 0 };
  const startedAt = performance.now();
  if (pass.store === null) delete process.env["GENWAY_TEST_STORE"];
  else process.env["GENWAY_TEST_STORE"] = pass.store;
  const execArgv = ["--import", import.meta.resolve("./file-deadline.ts")];
  const files = pass.files.map((file) => join(root, file));
  const stream = run({ files, cwd: root, concurrency: Math.min(2, availableParallelism()), execArgv, signal });
  stream.on("test:pass", ({ skip }) => {
    const lacked = lackedFor(skip);
    if (lacked !== null) report.lacked.push(lacked);
  });
  stream.on("test:fail", ({ file = "", line, name, details }) => {
    const isByOthers = "failureType" in details.error && details.error.failureType === "subtestsFailed";
    if (!isByOthers) report.failures.push(`${relative(root, file)}:${line} ${name}\n      ${complaintOf(details.error)}`);
  });
  stream.on("test:summary", ({ file, counts }) => {
    if (file === undefined) report.tests = counts.tests;
  });
  async function* tellFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
    for await (const event of events) {
      yield event;
      if (event.type !== "test:summary" || event.data.file === undefined) continue;
      const file = relative(root, event.data.file).replaceAll("\\", "/");
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
  return message.replaceAll(/\s+/g, " ").slice(0, 500);
}
