import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { BrokenReply } from "../core/call.ts";
import { SseEvents, sseText, type SseEvent } from "./sse-events.ts";

const encoder = new TextEncoder();

function readCut(bytes: Uint8Array, cuts: readonly number[]): SseEvent[] {
  const reader = new SseEvents();
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const found: SseEvent[] = [];
  for (const [at, to] of [...places, bytes.length].entries()) found.push(...reader.push(bytes.subarray(at === 0 ? 0 : places[at - 1], to)));
  return [...found, ...reader.end()];
}

const mixed =
  "\u{FEFF}: a comment\nevent: first\ndata: one\n\ndata:no space\rdata:  two spaces\r\rid: 7\r\nretry: 5\r\nevent\r\ndata: é€😀\r\ndata\r\n\r\nevent: lonely\n\ndata: last";
const expected: SseEvent[] = [
  { event: "first", data: "one" },
  { event: null, data: "no space\n two spaces" },
  { event: null, data: "é€😀\n" },
  { event: null, data: "last" },
];

test("events are read through every kind of line end, comments and lines of data", () => {
  assert.deepEqual(readCut(encoder.encode(mixed), []), expected);
});

test("a cut at any place, also inside a character or a line end, changes nothing", () => {
  const bytes = encoder.encode(mixed);
  for (let cut = 0; cut <= bytes.length; cut++) assert.deepEqual(readCut(bytes, [cut]), expected, `cut at ${cut}`);
  assert.deepEqual(readCut(bytes, [...bytes.keys()]), expected, "one byte at a time");
});

test("whatever is written is read back, however it is cut and its lines end", () => {
  const line = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll(/[\r\n]/g, ""));
  const name = line.map((text) => text || "x");
  const event = fc.record(
    { event: fc.option(name), data: fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join("\n")) },
    { noNullPrototype: true },
  );
  const ends = fc.constantFrom("\n", "\r\n", "\r");
  fc.assert(
    fc.property(fc.array(event, { maxLength: 5 }), ends, fc.array(fc.nat(), { maxLength: 20 }), (events, end, cuts) => {
      const lines = events.flatMap(({ event: named, data }) => [
        ...(named === null ? [] : [`event: ${named}`]),
        ...data.split("\n").map((text) => `data: ${text}`),
        ": still alive",
        "",
      ]);
      assert.deepEqual(readCut(encoder.encode(lines.map((text) => text + end).join("")), cuts), events);
    }),
    { numRuns: 300 },
  );
});

test("an event is given as soon as its empty line is there", () => {
  const reader = new SseEvents();
  assert.deepEqual(reader.push("data: a\n"), []);
  assert.deepEqual(reader.push("\n"), [{ event: null, data: "a" }]);
  assert.deepEqual(reader.push("data: b\r\r"), [{ event: null, data: "b" }]);
  assert.deepEqual(reader.push("\ndata: c\n\n"), [{ event: null, data: "c" }]);
});

test("an event above the limit is refused, in one line or in many, while many small ones pass", () => {
  const reader = new SseEvents(100);
  for (let count = 0; count < 50; count++) assert.equal(reader.push(`data: ${"x".repeat(80)}\n\n`).length, 1);
  assert.throws(() => reader.push(`data: ${"x".repeat(100)}`), BrokenReply);
  const many = new SseEvents(100);
  assert.throws(() => {
    for (let count = 0; count < 50; count++) many.push("data: 123\n");
  }, BrokenReply);
});

test("eight mebibytes are the limit where none is given", () => {
  const piece = new Uint8Array(1024 * 1024).fill(120);
  const reader = new SseEvents();
  reader.push("data: ");
  for (let count = 0; count < 7; count++) reader.push(piece);
  assert.throws(() => reader.push(piece), BrokenReply);
});

test("events are written with or without a name", () => {
  assert.equal(sseText({ a: "1\n2" }, "named"), 'event: named\ndata: {"a":"1\\n2"}\n\n');
  assert.equal(sseText("[DONE]"), "data: [DONE]\n\n");
});
