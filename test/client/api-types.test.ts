import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { apiTypes } from "../../scripts/api-types/api-types.ts";
import type { JsonSchema, OpenApiDocument } from "../../scripts/api-types/json-schema.ts";
import { schemaType } from "../../scripts/api-types/schema-type.ts";
import { describeService, operationId } from "../../src/http/description.ts";
import { operations } from "../../src/http/operations.ts";

/** A type on one line. */
function typeOf(schema: JsonSchema): string {
  return schemaType(schema).replace(/\s+/g, " ");
}

describe("a schema as a type", () => {
  const cases: [string, JsonSchema, string][] = [
    ["a text", { type: "string" }, "string"],
    ["bytes", { type: "string", format: "binary" }, "Blob"],
    ["whole and other numbers", { anyOf: [{ type: "integer" }, { type: "number" }] }, "number"],
    ["something or null", { anyOf: [{ type: "boolean" }, { type: "null" }] }, "boolean | null"],
    ["several types in one word", { type: ["string", "null"] }, "string | null"],
    ["one value", { const: "task" }, '"task"'],
    ["one of some values", { enum: ["a", 1, null] }, '"a" | 1 | null'],
    ["a list of alternatives", { type: "array", items: { anyOf: [{ type: "string" }, { type: "null" }] } }, "(string | null)[]"],
    ["a list of anything", { type: "array" }, "unknown[]"],
    ["a pair", { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] }, "[string, number]"],
    ["an older pair", { type: "array", items: [{ type: "string" }, { type: "number" }] }, "[string, number]"],
    [
      "fields that must be there and others",
      { type: "object", properties: { id: { type: "string" }, "x-y": { type: "integer" } }, required: ["id"] },
      '{ id: string; "x-y"?: number; }',
    ],
    ["names with values of one type", { type: "object", additionalProperties: { type: "number" } }, "{ [key: string]: number; }"],
    [
      "fields, and whatever else",
      { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: true },
      "{ a: string; [key: string]: unknown; }",
    ],
    ["names of a pattern", { type: "object", patternProperties: { "^.*$": { type: "boolean" } } }, "{ [key: string]: boolean; }"],
    ["any object", { type: "object" }, "{ [key: string]: unknown; }"],
    ["no field at all", { type: "object", additionalProperties: false }, "Record<string, never>"],
    [
      "all of several",
      {
        allOf: [
          { type: "object", properties: { a: {} } },
          { type: "object", properties: { b: {} } },
        ],
      },
      "{ a?: unknown; } & { b?: unknown; }",
    ],
    ["alternatives that only ask for fields", { type: "string", anyOf: [{}, {}] }, "string"],
    ["nothing in particular", {}, "unknown"],
    ["one alternative that is anything", { anyOf: [{ type: "string" }, {}] }, "unknown"],
  ];
  for (const [name, schema, expected] of cases) test(name, () => assert.equal(typeOf(schema), expected));

  test("a list of objects that may be null keeps them together", () => {
    const item: JsonSchema = {
      type: "object",
      properties: { a: { anyOf: [{ type: "object", properties: { b: {} } }, { type: "null" }] } },
    };
    assert.equal(
      typeOf({ type: "array", items: { anyOf: [item, item, { type: "null" }] } }),
      "({ a?: { b?: unknown; } | null; } | null)[]",
    );
  });

  test("what is said about a field stands above it, and cannot end the comment", () => {
    const text = schemaType({ type: "object", properties: { a: { type: "string", description: "one\n*/ two" } } });
    assert.equal(text, "{\n  /** one *\\/ two */\n  a?: string;\n}");
  });
});

test("a path has a line for every method, its operation apart under its name", () => {
  const text = apiTypes(small).replace(/\s+/g, " ");
  assert.match(text, /"\/things\/\{id\}": \{ parameters: \{ query\?: never; header\?: never; path\?: never; cookie\?: never; \};/);
  assert.match(text, /put\?: never; \/\*\* Change a thing \*\/ post: operations\["changeThing"\]; delete\?: never;/);
  assert.match(
    text,
    /changeThing: \{ parameters: \{ query\?: \{ \/\*\* how \*\/ how\?: string; \}; header\?: never; path: \{ id: string; \}; cookie\?: never; \};/,
  );
  assert.match(
    text,
    /requestBody: \{ content: \{ "application\/json": \{ a\?: number; \}; \/\*\* Fields: file, note\? \*\/ "multipart\/form-data": FormData; \}; \};/,
  );
  assert.match(text, /200: \{ headers: \{ \[name: string\]: unknown \}; content: \{ "application\/json": string; \}; \};/);
  assert.match(text, /default: \{ headers: \{ \[name: string\]: unknown \}; content\?: never; \};/);
});

test("an operation without a name is refused", () => {
  assert.throws(() => apiTypes({ paths: { "/x": { get: { summary: "Nameless", responses: {} } } } }), /no operationId: Nameless/);
});

test("every operation has a name of its own, made of its method and address", async () => {
  const document = JSON.parse(JSON.stringify(await describeService(operations, "test"))) as OpenApiDocument;
  const names = Object.values(document.paths).flatMap((item) => Object.values(item).map((operation) => operation.operationId ?? ""));
  assert.equal(names.length, operations.length);
  assert.equal(new Set(names).size, names.length, names.filter((name, index) => names.indexOf(name) !== index).join());
  for (const name of names) assert.match(name, /^(get|post|patch|delete)[A-Z][A-Za-z0-9]+$/);
  assert.equal(operationId("GET", "/v1/tasks/:id"), "getTasksById");
  assert.equal(operationId("POST", "/custom_video/model/:model"), "postCustomVideoModelByModel");
  assert.equal(operationId("POST", "/imageA/submit/simple-change"), "postImageASubmitSimpleChange");
});

const small: OpenApiDocument = {
  paths: {
    "/things/{id}": {
      post: {
        operationId: "changeThing",
        summary: "Change a thing",
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "string" } },
          { name: "how", in: "query", description: "how", schema: { type: "string" } },
        ],
        requestBody: {
          required: true,
          content: {
            "application/json": { schema: { type: "object", properties: { a: { type: "integer" } } } },
            "multipart/form-data": { schema: { type: "object", properties: { file: {}, note: {} }, required: ["file"] } },
          },
        },
        responses: { 200: { content: { "application/json": { schema: { type: "string" } } } }, default: {} },
      },
    },
  },
};
