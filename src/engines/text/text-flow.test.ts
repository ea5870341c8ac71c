import assert from "node:assert/strict";
import { test } from "node:test";
import { createTextFlow } from "./text-flow.ts";
import type { TokenChance } from "../job.ts";

const chance = (text: string): TokenChance => ({ text, bytes: [...Buffer.from(text)], logprob: -1, top: [] });
const names = (tokens: TokenChance[]): string[] => tokens.map(({ text }) => text);

test("a character in halves is told when it is whole, and never when the other half does not come", () => {
  const flow = createTextFlow([]);
  const [first = 0, second = 0, third = 0, fourth = 0] = Buffer.from("😀");
  assert.equal(flow.add(Buffer.of(first)).text, "");
  assert.equal(flow.add(Buffer.of(second, third)).text, "");
  assert.equal(flow.add(Buffer.of(fourth)).text, "😀");
  assert.equal(flow.add(Buffer.of(first)).text, "");
  assert.equal(flow.end().text, "");
});

test("text that may begin a stop text waits until it is decided", () => {
  const flow = createTextFlow(["END.", "\n\n"]);
  assert.equal(flow.add(Buffer.from("the EN")).text, "the ");
  assert.equal(flow.add(Buffer.from("D")).text, "");
  assert.equal(flow.add(Buffer.from("LESS\n")).text, "ENDLESS");
  assert.equal(flow.add(Buffer.from("sea END")).text, "\nsea ");
  assert.equal(flow.stopped, false);
  assert.equal(flow.end().text, "END");
});

test("a stop text across tokens is not told, nor what follows it, and the earliest one counts", () => {
  const flow = createTextFlow(["cd", "bcd", ""]);
  assert.deepEqual([flow.add(Buffer.from("a b"), chance("a b")).text, flow.add(Buffer.from("c"), chance("c")).text], ["a ", ""]);
  const last = flow.add(Buffer.from("d e"), chance("d e"));
  assert.deepEqual([last.text, last.tokens, flow.stopped], ["", [], true]);
  assert.deepEqual(flow.end(), { text: "", tokens: [] });
});

test("tokens are told with the text they begin, those of a stop text not at all, those without text at the end", () => {
  const flow = createTextFlow(["stop"]);
  assert.deepEqual(names(flow.add(Buffer.from("one s"), chance("one s")).tokens), ["one s"]);
  assert.deepEqual(names(flow.add(Buffer.from("t"), chance("t")).tokens), []);
  assert.deepEqual(names(flow.add(Buffer.from("ay"), chance("ay")).tokens), ["t", "ay"]);
  assert.deepEqual(names(flow.add(Buffer.alloc(0), chance("")).tokens), []);
  assert.deepEqual(names(flow.end().tokens), [""]);
});
