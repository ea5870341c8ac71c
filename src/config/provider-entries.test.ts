import assert from "node:assert/strict";
import { test } from "node:test";
import { loadText, sentencesOf } from "./config.fixture.ts";

const models = "models: { m: { kinds: [video], routes: [{ provider: local }], price: free } }\nlocal: true\n";

function problems(providers: string): Promise<string[]> {
  return sentencesOf(`providers: ${providers}\n${models}`, { EMPTY: "", KEY: "sk-very-secret" });
}

test("an unknown type is refused with the one that was meant, or with all that are known", async () => {
  assert.deepEqual(await problems("{ a: { type: runwya, keys: [k] }, b: { type: nothing-like-it, keys: [k] } }"), [
    'providers.a.type: "runwya" is not a type of provider; did you mean "runway"?',
    'providers.b.type: "nothing-like-it" is not a type of provider; known: openai-compatible, suno-relay, runway, keyless',
  ]);
});

test("the built-in provider can neither be configured nor have its name taken", async () => {
  const said = await problems("{ local: { type: runway, keys: [k] }, mine: { type: local } }");
  assert.match(said[0] ?? "", /providers\.local: is the name of the built-in provider/);
  assert.match(said[1] ?? "", /providers\.mine\.type: "local" is not a type of provider/);
});

test("a key is needed where the upstream wants one, and each may stand there once", async () => {
  const needs = (name: string): string => `providers.${name}.keys: runway needs at least one key, such as ["\${NAME_OF_A_VARIABLE}"]`;
  assert.deepEqual(await problems("{ a: { type: runway }, b: { type: runway, keys: [] }, c: { type: runway, keys: [x, y, x] } }"), [
    needs("a"),
    needs("b"),
    "providers.c.keys[2]: is the same key as one above it",
  ]);
  const config = await loadText(`providers: { free: { type: keyless } }\n${models}`);
  assert.deepEqual(config.providers["free"]?.keys, []);
});

test("a variable that is not set, or is empty, is named, and nothing else is said about its place", async () => {
  assert.deepEqual(await problems('{ a: { type: runway, keys: ["${NOPE}", "x${EMPTY}"], base_url: "${NOPE}" } }'), [
    "providers.a.keys[0]: needs the environment variable NOPE, which is not set",
    "providers.a.keys[1]: needs the environment variable EMPTY, which is not set",
    "providers.a.base_url: needs the environment variable NOPE, which is not set",
  ]);
});

test("base_url must be a plain http address, and is needed where the adapter has none", async () => {
  assert.deepEqual(
    await problems(
      '{ a: { type: openai-compatible, keys: [k] }, b: { type: runway, keys: [k], base_url: "ftp://x" }, c: { type: runway, keys: [k], base_url: "https://u:${KEY}@x" }, d: { type: runway, keys: [k], base_url: "https://x?y=1" }, e: { type: runway, keys: [k], base_url: "https://u@x" } }',
    ),
    [
      "providers.a.base_url: openai-compatible needs the address of the upstream",
      "providers.b.base_url: must be an address that begins with http:// or https://",
      "providers.c.base_url: must not hold a user name or a password",
      "providers.d.base_url: must end before any ? or #",
      "providers.e.base_url: must not hold a user name or a password",
    ],
  );
});

test("an upstream on a private address needs the operator's word for it", async () => {
  for (const host of ["127.0.0.1:9", "localhost", "[::1]:9", "10.1.2.3", "192.168.0.9"]) {
    const [said] = await problems(`{ a: { type: runway, keys: [k], base_url: "http://${host}" } }`);
    assert.match(said ?? "", /allow_private_network: true/, host);
  }
  const config = await loadText(
    `providers: { a: { type: runway, keys: [k], base_url: "http://127.0.0.1:9/v1/", allow_private_network: true } }\n${models}`,
  );
  assert.equal(config.providers["a"]?.baseUrl, "http://127.0.0.1:9/v1");
});

test("one wrong field does not hide another", async () => {
  assert.equal(
    (await problems('{ a: { type: runwya, base_url: "ftp://x", keys: 3, limits: { concurrent: 0, per_minute: 1.5 } } }')).length,
    5,
  );
  assert.deepEqual(await problems("{ a: 3 }"), [
    "providers.a: must be a mapping with type, base_url, keys, limits, allow_private_network, webhook_secret, options, not a number",
  ]);
});
