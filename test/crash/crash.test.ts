import assert from "node:assert/strict";
import test from "node:test";
import { runCrash } from "./crash-run.ts";
import { describeReport } from "./crash-table.ts";

test("a service that is killed at any moment loses nothing, pays nothing twice and tells every end", { timeout: 240_000 }, async (t) => {
  const seed = Number(process.env["CRASH_SEED"] ?? Date.now() % 1_000_000);
  const report = await runCrash({ kills: 12, tasks: 60, seed });
  const text = describeReport(report);
  t.diagnostic(text);
  assert.deepEqual(
    report.verdicts.flatMap(({ broken }) => broken),
    [],
    text,
  );
});
