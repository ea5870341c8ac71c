import assert from "node:assert/strict";
import test from "node:test";
import { runCharges, type ChargesReport } from "../../bench/charges/charges-run.ts";

const seed = Number(process.env["CHARGES_SEED"] ?? Date.now() % 1_000_000);

function describe({ figures, broken }: ChargesReport): string {
  const rows = Object.entries({ seed, ...figures }).map(([name, value]) => `${name}: ${value}`);
  return [...rows, ...broken.slice(0, 10)].join("\n");
}

test("calls that end in every way are charged for exactly what they delivered", { timeout: 90_000 }, async (t) => {
  const report = await runCharges({ calls: 300, concurrency: 50, seed, kills: 0 });
  t.diagnostic(describe(report));
  assert.deepEqual(report.broken, [], describe(report));
  assert.equal(report.figures["difference nano-USD"], 0);
});

test("a service that is killed has charged every reply that somebody got whole, and nobody twice", { timeout: 90_000 }, async (t) => {
  const report = await runCharges({ calls: 300, concurrency: 50, seed, kills: 2 });
  t.diagnostic(describe(report));
  assert.deepEqual(report.broken, [], describe(report));
  assert.ok(Number(report.figures["kills"]) > 0 && Number(report.figures["lost"]) > 0, describe(report));
});
