import assert from "node:assert/strict";
import { test } from "node:test";
import type { CallOperation } from "../../core/call.ts";
import { showReply } from "./reply-cost.ts";
import { costText } from "./spelled-use.ts";

const measured = { inputTokens: 3, outputTokens: 4, estimated: false };

function shown(operation: CallOperation, text: string, costUsd = 0.0000084, alias: string | null = null, use = measured): string {
  const reply = { state: "whole", mime: "application/json", body: Buffer.from(text), value: JSON.parse(text) as unknown } as const;
  return Buffer.from(showReply(operation, reply, use, costUsd, alias).body).toString();
}

test("amounts are written without an exponent, exact to the nano", () => {
  assert.equal(costText(0), "0");
  assert.equal(costText(0.000000001), "0.000000001");
  assert.equal(costText(0.0000084), "0.0000084");
  assert.equal(costText(12), "12");
  assert.equal(costText(10.5), "10.5");
  assert.equal(costText(100), "100");
});

test("the cost goes beside the use, and every other byte stays", () => {
  const text = '{ "id":1.0, "x":"\\u00e9 😀",\n"usage" : {"prompt_tokens":3} }';
  assert.equal(shown("chat", text), text.replace('{"prompt_tokens"', '{"cost":0.0000084,"prompt_tokens"'));
  assert.equal(shown("chat", '{"usage":{}}'), '{"usage":{"cost":0.0000084}}');
  assert.deepEqual(JSON.parse(shown("chat", '{"usage":{ }}')), { usage: { cost: 0.0000084 } });
});

test("a text that talks of usage is not taken for it", () => {
  const text = JSON.stringify({ choices: [{ message: { content: 'say "usage":{' } }], usage: { prompt_tokens: 3 } });
  assert.deepEqual(JSON.parse(shown("chat", text)), { ...(JSON.parse(text) as object), usage: { cost: 0.0000084, prompt_tokens: 3 } });
  const tricky = JSON.stringify({ choices: [{ message: { content: "usage" } }], other: { usage: { a: 1 } }, usage: { prompt_tokens: 3 } });
  assert.deepEqual(JSON.parse(shown("chat", tricky)), { ...(JSON.parse(tricky) as object), usage: { prompt_tokens: 3, cost: 0.0000084 } });
});

test("a use that the upstream left out is filled in as measured, and says when it was counted by us", () => {
  const { usage } = JSON.parse(shown("chat", '{"choices":[]}', 0.5, null, { ...measured, estimated: true })) as { usage: unknown };
  assert.deepEqual(usage, { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7, cost: 0.5, estimated: true });
  const message = JSON.parse(shown("messages", '{"content":[]}', 0.5)) as { usage: unknown };
  assert.deepEqual(message.usage, { input_tokens: 3, output_tokens: 4, cost: 0.5 });
});

test("the client's name of the model and a fingerprint are in the reply", () => {
  const reply = JSON.parse(shown("completion", '{"model":"theirs","usage":{}}', 0, "mine")) as Record<string, unknown>;
  assert.equal(reply["model"], "mine");
  assert.equal(reply["system_fingerprint"], "fp_none");
});

test("what is no JSON object stays as it is", () => {
  const body = Buffer.from("1\n00:00 hello");
  assert.deepEqual(showReply("transcription", { state: "whole", mime: "text/vtt", body }, measured, 1, "mine"), { mime: "text/vtt", body });
});
