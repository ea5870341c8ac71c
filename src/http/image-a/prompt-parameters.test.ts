import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../core/errors.ts";
import { readPrompt } from "./prompt-parameters.ts";

test("a prompt without parameters says nothing but itself", () => {
  assert.deepEqual(readPrompt("  a cat - sitting, well--known  "), { plain: "a cat - sitting, well--known" });
});

test("shape, seed, what to keep out and zoom are read off the parameters", () => {
  assert.deepEqual(readPrompt("a cat by the sea --ar 32:18 --seed 7 --no text, people --v 6.1 --zoom 1.5"), {
    plain: "a cat by the sea",
    aspectRatio: { width: 16, height: 9 },
    seed: 7,
    negativePrompt: "text, people",
    zoom: 1.5,
  });
});

test("a long dash, capitals and the long name of the shape are understood", () => {
  assert.deepEqual(readPrompt("a cat —aspect 3:2 --SEED 0 --niji 6 --tile"), {
    plain: "a cat",
    aspectRatio: { width: 3, height: 2 },
    seed: 0,
  });
});

test("what is kept out may be said twice, and parameters may stand alone", () => {
  assert.deepEqual(readPrompt("--no text --no people"), { plain: "", negativePrompt: "text, people" });
});

for (const wrong of ["--ar 0:1", "--ar 99:1", "--ar wide", "--ar 1.5:1", "--seed x", "--seed 4294967296", "--zoom 3", "--zoom"])
  test(`a cat ${wrong} is refused`, () => {
    assert.throws(
      () => readPrompt(`a cat ${wrong}`),
      (error) => error instanceof Failure && error.code === "invalid_request" && error.message.includes(wrong.split(" ")[0] ?? ""),
    );
  });
