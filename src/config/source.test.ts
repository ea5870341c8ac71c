import assert from "node:assert/strict";
import { test } from "node:test";
import { readSource, type Variables } from "./source.ts";

function read(text: string, env: Variables = {}): { value: unknown; problems: string[] } {
  const source = readSource("f.yaml", text, env);
  return { value: source.value, problems: source.problems().map(({ line, column, path, says }) => `${line}:${column} ${path}: ${says}`) };
}

test("variables are put in whole or in part, once, and only into values", () => {
  const env = { A: "one", B: "${A}", _x1: "two" };
  assert.deepEqual(read('a: ${A}\nb: "<${A}-${_x1}>"\nc: ["${B}"]\n"${A}": 1', env), {
    value: { a: "one", b: "<one-two>", c: ["${A}"], "${A}": 1 },
    problems: [],
  });
});

test("$${ stands for the characters ${", () => {
  assert.deepEqual(read("a: x$${A}\nb: $A $ $$\nc: $$${A}", { A: "1" }), { value: { a: "x${A}", b: "$A $ $$", c: "$${A}" }, problems: [] });
});

test("missing variables are all named, and a reference that names none is explained", () => {
  assert.deepEqual(read('a: "${A}${B}"').problems, ["1:1 a: needs the environment variable A and B, which is not set"]);
  for (const text of ["${", "${A", "${}", "${A B}", "${1}"]) {
    assert.match(read(`a: "${text}"`, { A: "1" }).problems.join(), /names no environment variable: write \$\{NAME\}/, text);
  }
});

test("what comes from a variable stays text", () => {
  assert.deepEqual(read("a: ${N}", { N: "5" }).value, { a: "5" });
});

test("an anchor can be used again, and a problem in it names the place where it is written", () => {
  const { value, problems } = read("a: &x\n  k: ${NOPE}\nb: *x\n", {});
  assert.deepEqual(value, { a: { k: "${NOPE}" }, b: { k: "${NOPE}" } });
  assert.deepEqual(problems, [
    "2:3 a.k: needs the environment variable NOPE, which is not set",
    "2:3 b.k: needs the environment variable NOPE, which is not set",
  ]);
});

test("aliases of aliases, which could grow without end, are refused", () => {
  assert.match(read("a: &a [1]\nb: &b [*a]\nc: [*b]").problems.join(), /3:5 c\[0\]: an alias may not lead to another alias/);
  assert.match(read("a: &a [*a]").problems.join(), /an alias may not lead to another alias/);
});

test("names keep the form in which they were written", () => {
  assert.deepEqual(Object.keys(Object(read("1.0: a\n'2': b\ntrue: c\n__proto__: d").value)), ["2", "1.0", "true", "__proto__"]);
});
