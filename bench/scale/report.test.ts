import assert from "node:assert/strict";
import test from "node:test";
import { createSamples } from "../gateways/samples.ts";
import { between, parseFigures, quantile } from "./figures.ts";
import { scaleFailures, scaleRows, scaleVerdicts } from "./report.ts";

const text = `# HELP genway_workers Processes that serve
# TYPE genway_workers gauge
genway_workers 2
genway_steps{lane="a",phase="poll",worker="0"} 30
genway_steps{lane="b",phase="poll",worker="0"} 12
genway_steps{lane="a",phase="poll",worker="1"} 30
genway_steps{lane="b",phase="poll",worker="1"} 11
genway_steps{lane="a",phase="start",worker="1"} 7
genway_poll_lag_seconds_bucket{le="0.5",worker="0"} 3
genway_poll_lag_seconds_bucket{le="+Inf",worker="0"} 4
genway_poll_lag_seconds_bucket{le="0.5",worker="1"} 6
genway_poll_lag_seconds_bucket{le="+Inf",worker="1"} 6
`;

test("figures of several workers are added up, but what they read from one database is counted once", () => {
  const figures = parseFigures(text);
  assert.equal(figures.sum(/^genway_workers$/), 2);
  assert.equal(figures.shared(/^genway_steps\{.*phase="poll"/), 42);
  assert.deepEqual(figures.buckets("genway_poll_lag_seconds"), [
    { limit: 0.5, count: 9 },
    { limit: Infinity, count: 10 },
  ]);
});

test("a quantile is the bound below which that share lies, of what came in between", () => {
  const before = [
    { limit: 1, count: 100 },
    { limit: 5, count: 100 },
    { limit: Infinity, count: 100 },
  ];
  const after = [
    { limit: 1, count: 150 },
    { limit: 5, count: 199 },
    { limit: Infinity, count: 200 },
  ];
  const came = between(before, after);
  assert.deepEqual(
    [0.5, 0.99, 1].map((share) => quantile(came, share)),
    [1, 5, Infinity],
  );
  assert.ok(Number.isNaN(quantile(between(after, after), 0.5)));
});

test("a request that costs a quarter more is still flat, one that costs more is not, and one that costs less always is", () => {
  const samples = createSamples();
  for (const [title, submits, calls] of [
    ["1 process", 100, 100],
    ["2 processes", 125, 40],
    ["4 processes", 126, 100],
  ] as const) {
    samples.add(title, "submits gateway", submits);
    samples.add(title, "calls gateway", calls);
  }
  samples.add("2 processes", "failed calls: status 503", 3);
  const titles = ["1 process", "2 processes", "4 processes"];
  assert.deepEqual(
    scaleVerdicts(samples, titles).map(({ isGood }) => isGood),
    [true, false, true, true],
  );
  assert.match(scaleVerdicts(samples, titles)[1]?.says ?? "", /^submits: 4 processes take 1\.26 times .* NOT flat within 25 %$/);
  assert.deepEqual(scaleFailures(samples, titles), ["2 processes: calls: status 503, 3 times"]);
  const row = scaleRows(samples, titles).find(({ label }) => label === "the same, times the first");
  assert.deepEqual(row?.cells, ["1.00", "1.25", "1.26"]);
});
