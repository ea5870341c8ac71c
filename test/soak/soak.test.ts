import assert from "node:assert/strict";
import test from "node:test";
import { runSoak } from "../../bench/soak/soak-run.ts";
import { describeReport } from "../crash/crash-table.ts";

test("work of every kind for every upstream, with faults on the way, is neither lost nor paid twice", { timeout: 200_000 }, async (t) => {
  const seed = Number(process.env["SOAK_SEED"] ?? 1);
  const report = await runSoak({ tasks: 400, seed, concurrency: 400 });
  const text = describeReport(report);
  t.diagnostic(text);
  assert.deepEqual(
    report.verdicts.flatMap(({ broken }) => broken),
    [],
    text,
  );
});
