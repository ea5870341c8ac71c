import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { kinds } from "../core/kinds.ts";
import { ConfigFile } from "./schema.ts";
import { explainShape, fitting } from "./shape.ts";

function complaints(value: unknown): string[] {
  const said: string[] = [];
  explainShape(ConfigFile, value, [], (path, says) => said.push(`${path.join(".")}: ${says}`));
  return said;
}

const scalar = fc.oneof(
  fc.string({ maxLength: 3 }),
  fc.integer({ min: -2, max: 3 }),
  fc.double(),
  fc.boolean(),
  fc.constantFrom("16:9", "10m", "free", ...kinds),
  fc.constant(undefined),
);
const anything = fc.oneof(scalar, fc.array(scalar, { maxLength: 2 }), fc.dictionary(fc.string({ maxLength: 2 }), scalar, { maxKeys: 2 }));
const maybe = (right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 40, arbitrary: right }, { weight: 1, arbitrary: anything });
const text = maybe(fc.constantFrom("a", "b"));
const route = maybe(
  fc.record({ provider: text, model: text, priority: maybe(fc.nat(9)), weight: maybe(fc.constant(0.5)) }, { requiredKeys: ["provider"] }),
);
const model = fc.record(
  {
    kinds: maybe(fc.array(maybe(fc.constantFrom(...kinds)), { minLength: 1, maxLength: 2 })),
    routes: maybe(fc.array(route, { minLength: 1, maxLength: 2 })),
    price: maybe(
      fc.oneof(fc.constant("free"), fc.record({ per_call: maybe(fc.nat(9)), per_song: maybe(fc.nat(9)) }, { requiredKeys: [] })),
    ),
    limits: maybe(fc.record({ durations: maybe(fc.oneof(fc.constant([1]), fc.constant({ min: 1, max: 2 }))) })),
  },
  { requiredKeys: ["kinds", "routes", "price"] },
);
const file = fc.record(
  {
    providers: maybe(
      fc.dictionary(
        fc.constantFrom("p", "q"),
        maybe(fc.record({ type: text, keys: maybe(fc.array(text, { maxLength: 2 })) }, { requiredKeys: ["type"] })),
      ),
    ),
    models: maybe(fc.dictionary(fc.constantFrom("m", "n"), maybe(model), { minKeys: 1 })),
    local: maybe(fc.boolean()),
    tasks: maybe(fc.record({ retention: maybe(fc.constant("1d")) })),
  },
  { requiredKeys: ["models"] },
);

test("a value is complained about exactly when the schema refuses it", () => {
  let right = 0;
  fc.assert(
    fc.property(file, (value) => {
      const fits = fitting(ConfigFile, value) !== undefined;
      if (fits) right++;
      assert.equal(complaints(value).length === 0, fits, complaints(value).join("\n"));
    }),
    { numRuns: 1_000 },
  );
  assert.ok(right > 50 && right < 950, `${right} of 1000 values were right`);
});

test("a union is explained by the branch that was begun", () => {
  const models = { m: { kinds: ["chat"], routes: [{ provider: "p" }], price: "fre" } };
  assert.deepEqual(complaints({ models, local: { gguf: 3 } }), [
    "models.m.price: must be amounts by unit, such as { per_call: 0.10 }, or the word free",
    "local.gguf: must be some text, not a number",
  ]);
});
