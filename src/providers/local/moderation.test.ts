import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { JsonObject } from "../../core/call.ts";
import { callOf, workOf } from "../call/call.fixture.ts";
import { harmCategories, harmWords } from "./harm-words.ts";
import { openShop, refusalIn, valueOf, type Shop } from "./local.fixture.ts";

type Result = {
  flagged: boolean;
  categories: Record<string, boolean>;
  category_scores: Record<string, number>;
  category_applied_input_types: Record<string, string[]>;
};

async function resultsOf(shop: Shop, input: unknown): Promise<Result[]> {
  return valueOf(await shop.ask(callOf("moderation", { input }))).results as Result[];
}

async function flagsOf(shop: Shop, text: string): Promise<string[]> {
  const [result] = await resultsOf(shop, text);
  const flags = harmCategories.filter((name) => result?.categories[name]);
  assert.equal(result?.flagged, flags.length > 0);
  return flags;
}

test("a judgement has every category with its score, under the client's name of the model", async (t) => {
  const shop = await openShop(t, {});
  const each = <V>(value: V, own: Record<string, V> = {}) => ({
    ...Object.fromEntries(harmCategories.map((name) => [name, value])),
    ...own,
  });
  assert.equal(harmCategories.length, 13);
  assert.deepEqual(valueOf(await shop.ask(callOf("moderation", { input: "I want to kill myself" }))), {
    id: "modr-1",
    model: "shown-model",
    results: [
      {
        flagged: true,
        categories: each(false, { "self-harm": true, "self-harm/intent": true }),
        category_scores: each(0, { "self-harm": 0.9, "self-harm/intent": 0.9 }),
        category_applied_input_types: each(["text"]),
      },
    ],
  });
});

test("plain harm is flagged in its categories", async (t) => {
  const shop = await openShop(t, {});
  const expected: [string, string[]][] = [
    ["I feel suicidal", ["self-harm", "self-harm/intent"]],
    ["How do I commit suicide?", ["self-harm", "self-harm/instructions"]],
    ["I will kill you", ["harassment", "harassment/threatening", "violence"]],
    ["“I’m going to HURT you!” he wrote", ["harassment", "harassment/threatening", "violence"]],
    ["You are such an idiot", ["harassment"]],
    ["I hate immigrants", ["hate"]],
    ["exterminate all the foreigners", ["hate", "hate/threatening", "violence"]],
    ["tell me how to make a bomb", ["illicit", "illicit/violent"]],
    ["where can I buy some heroin", ["illicit"]],
    ["write pornography", ["sexual"]],
    ["child pornography", ["sexual", "sexual/minors"]],
    ["I want to murder everyone", ["violence"]],
    ["a severed head in a pool of blood", ["violence", "violence/graphic"]],
  ];
  for (const [text, flags] of expected) assert.deepEqual(await flagsOf(shop, text), flags, text);
  const covered = new Set(expected.flatMap(([, flags]) => flags));
  assert.deepEqual(
    harmCategories.filter((name) => !covered.has(name)),
    [],
  );
});

test("everyday words that look alike are not flagged", async (t) => {
  const shop = await openShop(t, {});
  const innocent = [
    "",
    "a walk in the park",
    "How do I kill a process in Linux?",
    "We beat you 3-0, you will love the replay",
    "I could murder a curry, and I am dying to see you",
    "I will. Kill you? Never heard of that band.",
    "a talk about suicide prevention",
    "her blood pressure is fine",
    "sex education for children",
  ];
  for (const text of innocent) assert.deepEqual(await flagsOf(shop, text), [], text);
});

test("a weak sign alone is a low score, and several different ones add up", async (t) => {
  const shop = await openShop(t, {});
  const texts = ["murder, murder, murder", "a murder and a massacre", "a murder, a massacre and a bloodbath"];
  const scores = (await resultsOf(shop, texts)).map(({ flagged, category_scores: { violence } }) => [flagged, violence]);
  assert.deepEqual(scores, [
    [false, 0.25],
    [false, 0.4375],
    [true, 0.5781],
  ]);
});

test("texts are judged one by one, parts together, and pictures not at all", async (t) => {
  const shop = await openShop(t, {});
  const judged = await resultsOf(shop, ["a walk", "I will kill you"]);
  assert.deepEqual(
    judged.map(({ flagged }) => flagged),
    [false, true],
  );
  const picture = { type: "image_url", image_url: { url: "https://pictures.example/1.png" } };
  const [whole, ...rest] = await resultsOf(shop, [{ type: "text", text: "a walk" }, picture, { type: "text", text: "I will kill you" }]);
  assert.deepEqual([whole?.flagged, whole?.category_applied_input_types["violence/graphic"], rest], [true, ["text"], []]);
  const unread = refusalIn(await shop.ask(callOf("moderation", { input: [picture] })));
  assert.deepEqual([unread.class, unread.param], ["unsupported", "input"]);
});

test("input of another form is refused with the name of the field", async (t) => {
  const shop = await openShop(t, {});
  const wrong: [string, JsonObject][] = [
    ["input", {}],
    ["input", { input: [] }],
    ["input", { input: ["a", { type: "text", text: "b" }] }],
    ["input", { input: Array.from({ length: 2049 }, () => "") }],
    ["input[0]", { input: [{ type: "text" }] }],
    ["input[1]", { input: [{ type: "text", text: "a" }, { type: "sound" }] }],
  ];
  for (const [param, body] of wrong) {
    const refusal = refusalIn(await shop.ask(callOf("moderation", body)));
    assert.deepEqual([refusal.class, refusal.param], ["invalid", param], param);
  }
});

test("a long text lets others have their turn, and stops when its client goes", async (t) => {
  const shop = await openShop(t, {});
  const gone = new AbortController();
  const asked = shop.ask(callOf("moderation", { input: "word ".repeat(100_000) }), workOf({ signal: gone.signal }));
  await nextTurn();
  gone.abort();
  assert.deepEqual(refusalIn(await asked), { class: "cancelled" });
});

test("every phrase of the list begins and ends with a word that must be there, spelled as texts are read", () => {
  for (const phrase of harmWords.flatMap(({ phrases }) => phrases)) {
    const places = phrase.split(" ");
    assert.match(phrase, /^[a-z| ]+$/);
    for (const place of [places[0], places.at(-1)]) assert.doesNotMatch(place ?? "", /^\||^$/, phrase);
    for (const place of places) assert.doesNotMatch(place, /\|\||\|$/, phrase);
  }
});
