import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../core/call.ts";
import type { Asked, Whole } from "../../core/meter.ts";
import { chatMeter, completionMeter, messageMeter, responseMeter } from "./text-meters.ts";

function asking(body: JsonObject): Asked {
  return { operation: "chat", model: "m", body, raw: null, extras: null, files: [], stream: false, headers: {} };
}

const whole = (value: unknown): Whole => ({ state: "whole", mime: "application/json", body: Buffer.from(JSON.stringify(value)), value });
const chat = (content: unknown) => ({ messages: [{ role: "user", content }] });

test("a prompt is never more tokens than it has bytes, and its raw bytes count where they came", () => {
  const asked = asking(chat("😀 é ".repeat(50)));
  assert.equal(chatMeter.most(asked).inputTokens, Buffer.byteLength(JSON.stringify(asked.body)));
  assert.equal(chatMeter.most({ ...asked, raw: Buffer.alloc(123) }).inputTokens, 123);
});

test("a large picture inside a prompt counts as a picture, and a large text as a text", () => {
  const picture = asking(chat([{ type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(2_000_000)}` } }]));
  assert.ok((chatMeter.most(picture).inputTokens ?? 0) < 10_000);
  const text = asking(chat("a few words ".repeat(100_000)));
  assert.ok((chatMeter.most(text).inputTokens ?? 0) > 1_200_000);
});

test("a picture that is only named counts as much as one that is there", () => {
  const named = asking(chat([{ type: "image_url", image_url: { url: "https://pictures.example/1.png" } }]));
  assert.ok(
    (chatMeter.most(named).inputTokens ?? 0) >= 765,
    `${chatMeter.most(named).inputTokens} set aside for a picture that may be billed as 765`,
  );
});

test("limits are read and changed under the name that the client used", () => {
  assert.equal(chatMeter.output?.of({ max_tokens: 5 }), 5);
  assert.equal(chatMeter.output?.of({ max_tokens: 5, max_completion_tokens: 3 }), 3);
  assert.equal(chatMeter.output?.of({ max_tokens: null }), null);
  assert.deepEqual(chatMeter.output?.change({ max_tokens: 5 }, 2), { max_tokens: 2 });
  assert.deepEqual(chatMeter.output?.change({ max_completion_tokens: 5, max_tokens: 9 }, 2), { max_completion_tokens: 2, max_tokens: 9 });
  assert.deepEqual(chatMeter.output?.change({}, 2), { max_completion_tokens: 2 });
  assert.deepEqual(messageMeter.output?.change({ max_tokens: 5 }, 2), { max_tokens: 2 });
  assert.deepEqual(responseMeter.output?.change({}, 2), { max_output_tokens: 2 });
});

test("several choices, attempts and prompts multiply what may be said", () => {
  assert.equal(chatMeter.output?.times({ n: 3 }), 3);
  assert.equal(completionMeter.output?.times({ n: 2, best_of: 5, prompt: ["a", "b", "c"] }), 15);
  assert.equal(completionMeter.output?.times({ prompt: [1, 2, 3] }), 1);
  assert.equal(completionMeter.output?.times({ prompt: [[1, 2], [3]] }), 2);
  assert.equal(completionMeter.output?.of({}), 16);
});

test("a reply is believed about its use, and counted where it says nothing", async () => {
  const said = { choices: [{ message: { content: " river stone light" } }] };
  const asked = asking(chat("hello"));
  assert.deepEqual(chatMeter.told(asked, whole({ ...said, usage: { prompt_tokens: 9, completion_tokens: 4 } })), {
    inputTokens: 9,
    outputTokens: 4,
  });
  assert.equal(chatMeter.told(asked, whole(said)), null);
  assert.equal(chatMeter.told(asked, whole({ ...said, usage: { prompt_tokens: 9 } })), null);
  assert.deepEqual(await chatMeter.counted(asked, whole(said)), { inputTokens: 8, outputTokens: 3 });
});

test("a reply that says it used nothing is not believed", () => {
  const usage = { prompt_tokens: 0, completion_tokens: 0 };
  assert.equal(chatMeter.told(asking(chat("hello")), whole({ choices: [{ message: { content: " river" } }], usage })), null);
});

test("the text of whole replies is counted in every dialect, calls of tools too", async () => {
  const completion = whole({ choices: [{ text: " river" }, { text: " stone" }] });
  assert.equal((await completionMeter.counted(asking({ prompt: "hello there" }), completion)).outputTokens, 2);
  const message = whole({
    content: [
      { type: "text", text: " river" },
      { type: "tool_use", name: "x", input: { at: 1 } },
    ],
  });
  const { outputTokens = 0 } = await messageMeter.counted(asking(chat("hello")), message);
  assert.ok(outputTokens > 3);
  const response = whole({ output: [{ content: [{ text: " river" }] }, { arguments: "{}" }] });
  assert.equal((await responseMeter.counted(asking({ input: "hello" }), response)).outputTokens, 2);
});
