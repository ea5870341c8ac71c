import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { JsonObject } from "../core/call.ts";
import { ChatPieces } from "./chat-pieces.ts";

/** What a reader gives for these deltas, in short: "+kind name", text, "-". */
function shorthand(deltas: readonly JsonObject[]): string[] {
  const reader = new ChatPieces();
  const pieces = deltas.flatMap((delta) => reader.read({ choices: [{ index: 0, delta }] }));
  return [...pieces, ...reader.finish()].map((piece) => {
    if (piece.is === "open") return `+${piece.kind}${piece.name === "" ? "" : ` ${piece.name}`}`;
    return piece.is === "more" ? piece.text : "-";
  });
}

const call = (index: number, fields: { id?: string; name?: string; arguments?: string }): JsonObject => ({
  tool_calls: [{ index, id: fields.id, function: { name: fields.name, arguments: fields.arguments } }],
});

test("thinking, text and calls become parts one after the other", () => {
  const deltas = [
    { reasoning_content: "hm" },
    { content: "Hi" },
    { content: " you" },
    call(0, { id: "a", name: "f", arguments: "" }),
    call(0, { arguments: "{}" }),
  ];
  assert.deepEqual(shorthand(deltas), ["+thinking", "hm", "-", "+text", "Hi", " you", "-", "+tool f", "{}", "-"]);
});

test("calls whose arguments come interleaved are told one after the other", () => {
  const deltas = [
    call(0, { id: "a", name: "f" }),
    call(1, { id: "b", name: "g" }),
    call(0, { arguments: '{"x":' }),
    call(1, { arguments: '{"y":"}' }),
    { content: "and" },
    call(0, { arguments: "1}" }),
    call(1, { arguments: '"}' }),
  ];
  assert.deepEqual(shorthand(deltas), ["+tool f", '{"x":', "1}", "-", "+tool g", '{"y":"}', '"}', "-", "+text", "and", "-"]);
});

test("whole calls that share an index, or have none, stay apart", () => {
  const whole = (id: string, name: string): JsonObject => ({ tool_calls: [{ id, function: { name, arguments: "{}" } }] });
  assert.deepEqual(shorthand([whole("a", "f"), whole("b", "g")]), ["+tool f", "{}", "-", "+tool g", "{}", "-"]);
});

test("a call waits for its name", () => {
  assert.deepEqual(shorthand([call(0, { id: "a" }), call(0, { arguments: "{" }), call(0, { name: "f" }), call(0, { arguments: "}" })]), [
    "+tool f",
    "{",
    "}",
    "-",
  ]);
});

test("any order of pieces gives each call its own arguments", () => {
  const values = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(values, fc.array(fc.nat(), { minLength: 1, maxLength: 30 }), (inputs, order) => {
      let waiting = inputs.map((input, at) => ({ at, text: JSON.stringify(input) }));
      const deltas = inputs.map((_, at) => call(at, { id: `id${at}`, name: `f${at}` }));
      for (let turn = 0; waiting.length > 0; turn++) {
        const next = waiting[(order[turn % order.length] ?? 0) % waiting.length];
        if (next === undefined) break;
        deltas.push(call(next.at, { arguments: next.text.slice(0, 3) }));
        next.text = next.text.slice(3);
        waiting = waiting.filter(({ text }) => text !== "");
      }
      const said = shorthand(deltas).join("");
      assert.equal(said, inputs.map((input, at) => `+tool f${at}${JSON.stringify(input)}-`).join(""));
    }),
    { numRuns: 200 },
  );
});

test("values of the wrong form are passed over", () => {
  const reader = new ChatPieces();
  for (const chunk of [
    {},
    { choices: null },
    { choices: [null] },
    { choices: [{ delta: 7 }] },
    { choices: [{ delta: { content: 5, tool_calls: "x" } }] },
    { usage: [] },
  ]) {
    assert.deepEqual(reader.read(chunk), []);
  }
  assert.deepEqual(reader.finish(), []);
});
