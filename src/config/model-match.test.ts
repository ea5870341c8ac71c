import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Kind } from "../core/kinds.ts";
import { matchModel, type ModelConfig } from "./config.ts";

function model(name: string, ...kinds: Kind[]): ModelConfig {
  return { name, kinds, routes: [], price: {}, maxOutputTokens: null };
}

const models = [
  model("*", "video"),
  model("gen-*", "video", "music"),
  model("gen-*-fast", "video"),
  model("gen-4", "video"),
  model("gen-4", "image"),
  model("*-4-*", "chat"),
];

function found(name: string, kind: Kind): ModelConfig | null {
  return matchModel(models, name, kind);
}

test("the exact name comes before every pattern, wherever it stands", () => {
  assert.equal(found("gen-4", "video"), models[3]);
  assert.equal(found("gen-4", "image"), models[4]);
});

test("of the patterns the one with most literal characters is taken", () => {
  assert.equal(found("gen-4-fast", "video"), models[2]);
  assert.equal(found("gen-5", "video"), models[1]);
  assert.equal(found("other", "video"), models[0]);
});

test("an entry counts only for its kinds", () => {
  assert.equal(found("gen-4", "music"), models[1]);
  assert.equal(found("gen-4", "speech"), null);
});

test("of two equal patterns the earlier one is taken", () => {
  const twins = [model("a*", "chat"), model("*a", "chat")];
  assert.equal(matchModel(twins, "aa", "chat"), twins[0]);
});

test("a pattern matches like a regular expression with .* for each star", () => {
  const word = (...letters: string[]): fc.Arbitrary<string> =>
    fc.array(fc.constantFrom(...letters), { maxLength: 6 }).map((list) => list.join(""));
  fc.assert(
    fc.property(word("a", "b", "*"), word("a", "b"), (pattern, name) => {
      const expected = new RegExp(`^${pattern.replaceAll("*", ".*")}$`).test(name);
      assert.equal(matchModel([model(pattern, "chat")], name, "chat") !== null, expected, `${pattern} and ${name}`);
    }),
    { numRuns: 2_000 },
  );
});
