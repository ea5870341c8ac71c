import assert from "node:assert/strict";
import { test } from "node:test";
import { loadText, sentencesOf } from "./config.fixture.ts";

const providers = "providers: { songs: { type: runway, keys: [k] } }\n";

function entry(fields: string): string {
  return `${providers}models: { m: { ${fields} } }\n`;
}

test("models keep the order of the file, with every field read", async () => {
  const config = await loadText(`${providers}local: true
models:
  zeta: { kinds: [lyrics], routes: [{ provider: local }], price: free }
  chirp-*:
    kinds: [music]
    routes:
      - { provider: songs, model: v3, priority: 1, weight: 0.5 }
      - provider: local
    price: { per_call: 0.10 }
    max_output_tokens: 4096
    limits: { durations: { min: 1, max: 10 }, aspect_ratios: ["16:9"], prompt_characters: 500, needs_image: false }
`);
  assert.deepEqual(
    config.models.map(({ name }) => name),
    ["zeta", "chirp-*"],
  );
  assert.deepEqual(config.models[0]?.price, {});
  assert.deepEqual(config.models[1], {
    name: "chirp-*",
    kinds: ["music"],
    routes: [
      { provider: "songs", model: "v3", priority: 1, weight: 0.5 },
      { provider: "local", model: null, priority: 0, weight: 1 },
    ],
    price: { per_call: 100_000_000 },
    maxOutputTokens: 4096,
    limits: { durations: { min: 1, max: 10 }, aspectRatios: ["16:9"], promptCharacters: 500, needsImage: false },
  });
});

test("a model without a price is refused, and so is an empty one", async () => {
  assert.deepEqual(await sentencesOf(entry("kinds: [video], routes: [{ provider: songs }]")), [
    "models.m.price: is missing: must be amounts by unit, such as { per_call: 0.10 }, or the word free",
  ]);
  assert.deepEqual(await sentencesOf(entry("kinds: [video], routes: [{ provider: songs }], price: {}")), [
    "models.m.price: names no amount; if the model costs nothing, write price: free",
  ]);
});

test("kinds and routes must be there, known and said once", async () => {
  assert.deepEqual(await sentencesOf(entry("kinds: [], routes: [], price: { per_call: 1 }")), [
    "models.m.kinds: must name at least one",
    "models.m.routes: must name at least one",
  ]);
  assert.deepEqual(await sentencesOf(entry("kinds: [video, vidoe, video], routes: [{ provider: songs }], price: free")), [
    'models.m.kinds[1]: "vidoe" is not known; did you mean "video"?',
    "models.m.kinds[2]: video stands here twice",
  ]);
});

test("a route leads to a provider of the file, or to the built-in one if that is on", async () => {
  assert.deepEqual(await sentencesOf(entry("kinds: [video], routes: [{ provider: local }, { provider: constructor }], price: free")), [
    "models.m.routes[0].provider: the built-in provider is off; switch it on with local: true at the top level",
    'models.m.routes[1].provider: there is no provider "constructor"; known: songs',
  ]);
});

test("numbers out of range are refused with what is allowed", async () => {
  assert.deepEqual(
    await sentencesOf(
      entry(
        "kinds: [video], routes: [{ provider: songs, priority: -1, weight: 0 }], price: free, max_output_tokens: '5', limits: { durations: { min: 9, max: 1 }, aspect_ratios: [wide] }",
      ),
    ),
    [
      "models.m.routes[0].priority: must be a whole number, 0 or more",
      "models.m.routes[0].weight: must be a number above 0",
      "models.m.max_output_tokens: must be a whole number of at least 1, not text",
      "models.m.limits.aspect_ratios[0]: must be a ratio such as 16:9",
    ],
  );
  assert.deepEqual(
    await sentencesOf(entry("kinds: [video], routes: [{ provider: songs }], price: free, limits: { durations: { min: 9, max: 1 } }")),
    ["models.m.limits.durations: min is above max"],
  );
});
