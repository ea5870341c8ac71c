import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsOf } from "./schema-fields.ts";

function description(properties: object, required: string[] = []) {
  const schema = { type: "object", properties, required };
  return { paths: { "/make": { post: { requestBody: { content: { "application/json": { schema } } } } } } };
}

function shapeOf(schema: object) {
  return fieldsOf(description({ it: schema }), "/make")[0]?.shape;
}

test("a union with null is the other type, with its description", () => {
  const [field] = fieldsOf(
    description({ n: { anyOf: [{ type: "integer", minimum: 1, maximum: 10, description: "how many" }, { type: "null" }] } }),
    "/make",
  );
  assert.deepEqual(field, { name: "n", hint: "how many", isRequired: false, shape: { is: "number", isWhole: true, min: 1, max: 10 } });
});

test("single words in a union are a choice, as is one list of words", () => {
  assert.deepEqual(shapeOf({ anyOf: [{ anyOf: [{ enum: ["png"] }, { enum: ["jpeg"] }] }, { type: "null" }] }), {
    is: "choice",
    options: ["png", "jpeg"],
  });
  assert.deepEqual(shapeOf({ enum: ["mp3", "wav"] }), { is: "choice", options: ["mp3", "wav"] });
});

test("a number that may also come as text is a number", () => {
  const shape = shapeOf({ anyOf: [{ type: "integer", minimum: 1, maximum: 60 }, { type: "string" }] });
  assert.deepEqual(shape, { is: "number", isWhole: true, min: 1, max: 60 });
});

test("a text or a list of texts is filled in line by line", () => {
  assert.deepEqual(shapeOf({ anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] }), { is: "lines" });
});

test("what has no shape of its own is a text, and objects are JSON", () => {
  assert.deepEqual(shapeOf({}), { is: "text", maxLength: null });
  assert.deepEqual(shapeOf({ type: "object" }), { is: "json" });
});

test("an operation that is not described has no fields", () => {
  assert.deepEqual(fieldsOf(description({}), "/other"), []);
  assert.deepEqual(fieldsOf(null, "/make"), []);
});
