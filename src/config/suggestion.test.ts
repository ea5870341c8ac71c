import assert from "node:assert/strict";
import { test } from "node:test";
import { suggest } from "./suggestion.ts";

const known = ["models", "providers", "public_url", "per_call", "local"];

test("a word with a slip of the keyboard finds the one that was meant", () => {
  for (const [word, meant] of [
    ["modles", "models"],
    ["provider", "providers"],
    ["publicUrl", "public_url"],
    ["Per-Call", "per_call"],
    ["loca", "local"],
  ] as const) {
    assert.equal(suggest(word, known), `did you mean "${meant}"?`);
  }
});

test("a word like none of them is answered with all of them", () => {
  assert.equal(suggest("weather", known), "known: models, providers, public_url, per_call, local");
  assert.equal(suggest("weather", []), "there is none");
});
