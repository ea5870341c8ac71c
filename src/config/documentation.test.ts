import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Type, type TSchema } from "typebox";
import { kinds } from "../core/kinds.ts";
import { priceUnits } from "../core/pricing.ts";
import { problemsOf } from "./config.fixture.ts";
import { ConfigError } from "./config.ts";
import { ConfigFile, Environment } from "./schema.ts";

const page = readFileSync(new URL("../../docs/configure.md", import.meta.url), "utf8");

/** Every setting by its full name, as an operator would look it up: `models.<name>.routes[].weight`. */
function settingsOf(schema: TSchema, name: string): string[] {
  if (Type.IsObject(schema))
    return Object.entries(schema.properties).flatMap(([key, inner]) => settingsOf(inner, name === "" ? key : `${name}.${key}`));
  if (Type.IsRecord(schema)) return settingsOf(Type.RecordValue(schema), `${name}.<name>`);
  if (Type.IsArray(schema) && Type.IsObject(schema.items)) return settingsOf(schema.items, `${name}[]`);
  if (Type.IsUnion(schema) && schema.anyOf.some(Type.IsObject))
    return [name, ...schema.anyOf.filter(Type.IsObject).flatMap((branch) => settingsOf(branch, name))];
  return [name];
}

test("every setting of the file is explained in docs/configure.md", () => {
  const settings = settingsOf(ConfigFile, "");
  assert.ok(settings.includes("models.<name>.routes[].weight") && settings.length > 40, settings.join("\n"));
  const missing = settings.filter((setting) => !page.includes(`\`${setting}\``));
  assert.deepEqual(missing, []);
});

test("every environment variable, kind and price unit is explained in docs/configure.md", () => {
  const words = [...Object.keys(Environment.properties), ...kinds, ...priceUnits];
  assert.deepEqual(
    words.filter((word) => !page.includes(`\`${word}\``)),
    [],
  );
});

test("the refused file that docs/configure.md shows is what an operator sees", async () => {
  const problems = await problemsOf(
    `providers:
  openai:
    { type: runway, keys: ["\${OPENAI_API_KEY}"] }
models:
  gpt-4o:
    kinds: [chat]
    routes: [{ provider: opnai }]
    price: { per_call: 0, per_minute: 0.1 }
modles: {}
`,
    { GENWAY_ADMIN_KEY: "too short" },
  );
  assert.ok(page.includes(new ConfigError(problems).message), new ConfigError(problems).message);
});
