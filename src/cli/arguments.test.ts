import assert from "node:assert/strict";
import test from "node:test";
import { readArguments } from "./arguments.ts";
import { command } from "./command.ts";
import { UsageError } from "./complaint.ts";

const sample = command({
  name: "sample make",
  takes: ["NAME", "[AMOUNT]"],
  says: "A sample.",
  example: "genway sample make a",
  options: {
    account: { type: "string", required: true, value: "NAME", says: "whose" },
    seed: { type: "string", says: "a number" },
    tag: { type: "string", multiple: true, says: "words" },
    output: { type: "string", short: "o", says: "a file" },
    json: { type: "boolean", says: "raw" },
  },
  run: async () => undefined,
});

function complaintAbout(...args: string[]): string {
  try {
    readArguments(sample, args);
  } catch (error) {
    assert.ok(error instanceof UsageError);
    assert.equal(error.exitCode, 2);
    return error.message;
  }
  throw new Error("it was not refused");
}

test("values and words are read in any order", () => {
  const given = readArguments(sample, ["-o", "f.mp3", "shop", "--tag", "a", "--account=me", "--tag", "b", "--json"]);
  assert.deepEqual(given, {
    values: Object.assign(Object.create(null), { output: "f.mp3", tag: ["a", "b"], account: "me", json: true }),
    words: ["shop", undefined],
  });
});

test("a negative number is a word or a value, not an option", () => {
  const given = readArguments(sample, ["shop", "-2.5", "--account", "me", "--seed", "-1"]);
  assert.ok(given !== "help");
  assert.deepEqual(given.words, ["shop", "-2.5"]);
  assert.equal(given.values["seed"], "-1");
});

test("what follows -- is taken as words", () => {
  const given = readArguments(sample, ["--account", "me", "--", "--strange-name", "5"]);
  assert.ok(given !== "help");
  assert.deepEqual(given.words, ["--strange-name", "5"]);
});

test("an unknown option is answered with the one that was probably meant", () => {
  assert.match(complaintAbout("shop", "--acount", "me"), /no option --acount: did you mean "--account"\?\nSee: genway help sample make/);
});

test("a missing option, a missing word and a word too many are each named", () => {
  assert.match(complaintAbout("shop"), /needs --account NAME\./);
  assert.match(complaintAbout("--account", "me"), /needs NAME\./);
  assert.match(complaintAbout("--account", "me", " "), /needs NAME\./);
  assert.match(complaintAbout("--account", "me", "a", "1", "extra"), /does not know what to do with "extra"/);
  assert.match(complaintAbout("shop", "--account"), /--account/);
});

test("help is asked for in both ways, whatever else is missing", () => {
  assert.equal(readArguments(sample, ["--help"]), "help");
  assert.equal(readArguments(sample, ["shop", "-h"]), "help");
});

test("a command that passes its arguments on gets them untouched", () => {
  const passing = { ...sample, passesOn: true };
  assert.deepEqual(readArguments(passing, ["--port", "1", "--x=-2"]), { values: {}, words: ["--port", "1", "--x=-2"] });
});
