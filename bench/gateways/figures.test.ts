import assert from "node:assert/strict";
import { test } from "node:test";
import { drawChart } from "./chart.ts";
import { rowsOf } from "./figures.ts";
import { createSamples, medianOf } from "./samples.ts";
import { markdownTable, plainTable } from "./table.ts";

test("what a target adds is the median over rounds, each compared with the direct way of its own round", () => {
  const samples = createSamples();
  for (const value of [10, 100, 20]) samples.add("direct", "p50", value);
  for (const value of [15, 130, 26]) samples.add("x", "p50", value);
  assert.equal(samples.added("x", "direct", "p50"), 6);
  assert.equal(samples.median("x", "p50"), 26);
  assert.ok(Number.isNaN(samples.added("absent", "direct", "p50")));
});

test("a median leaves out what could not be measured", () => {
  assert.equal(medianOf([4, Number.NaN, 1, 3, 2]), 2.5);
  assert.ok(Number.isNaN(medianOf([Number.NaN])));
});

test("reasons of failures are added up over the windows", () => {
  const samples = createSamples();
  samples.add("x", "reason status 429", 2);
  samples.add("x", "reason status 429", 3);
  samples.add("y", "reason status 500", 1);
  assert.deepEqual([...samples.sums("x", "reason ")], [["status 429", 5]]);
});

test("the table shows direct as it is, others as what they add, and a dash for what is not known", () => {
  const samples = createSamples();
  samples.add("direct", "1 small 0 p50", 30);
  samples.add("genway", "1 small 0 p50", 1_530);
  samples.add("genway", "32 small 0 processor", 150);
  samples.add("bare", "32 small 0 processor", 60);
  const rows = rowsOf(samples, ["direct", "bare", "genway"], 60);
  const cellsOf = (start: string) => rows.find(({ label }) => label.startsWith(start))?.cells;
  assert.deepEqual(cellsOf("p50, 1 connection"), ["30", "–", "+1,500"]);
  assert.deepEqual(cellsOf("processor, times the bare proxy's"), ["–", "1.00", "2.50"]);
  assert.match(plainTable(["direct", "bare proxy", "Genway"], rows), /p50, 1 connection, µs +30 +– +\+1,500\n/);
  assert.match(markdownTable(["direct", "bare proxy", "Genway"], rows), /\| p50, 1 connection, µs \| 30 \| – \| \+1,500 \|\n/);
});

test("the longest bar of the chart belongs to the largest value, and names are escaped", () => {
  const bars = [
    { title: "a < b", isOurs: true },
    { title: "c", isOurs: false },
  ];
  const svg = drawChart(bars, [{ title: "t", unit: "µs", values: [50, 100] }], "caption");
  const widths = [...svg.matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width));
  assert.deepEqual(widths, [75, 150]);
  assert.ok(svg.includes("a &lt; b"));
});
