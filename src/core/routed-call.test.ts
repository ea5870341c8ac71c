import assert from "node:assert/strict";
import { test } from "node:test";
import type { Asked } from "./meter.ts";
import { RoutedCall, spliceModel } from "./routed-call.ts";

function askedWith(text: string, more: Partial<Asked> = {}): Asked {
  const body = JSON.parse(text) as Record<string, unknown>;
  const raw = Buffer.from(text);
  return { operation: "chat", model: String(body["model"]), body, raw, extras: null, files: [], stream: false, headers: {}, ...more };
}

const jsonOf = (asked: Asked, model: string) => Buffer.from(new RoutedCall(asked, model).json).toString();

test("the client's own bytes go on, with only the name of the model changed", () => {
  const text = '{ "messages" : [ {"role":"user","content":"é 😀 \\u00e9"} ],\n "model" :\t"mine", "top_p": 1.0 }';
  assert.equal(jsonOf(askedWith(text), "theirs"), text.replace('"mine"', '"theirs"'));
  assert.equal(jsonOf(askedWith(text), "mine"), text);
});

test("where the bytes do not show plainly which name is meant, the body is written anew", () => {
  const texts = [
    '{"model":"mine","messages":[{"role":"user","content":"x","model":"other"}]}',
    '{"model":"wrong","model":"mine"}',
    '{"mod\\u0065l":"mine","messages":[]}',
    '{"model":"m\\u0069ne","messages":[]}',
  ];
  for (const text of texts)
    assert.deepEqual(JSON.parse(jsonOf(askedWith(text), "theirs")), { ...(JSON.parse(text) as object), model: "theirs" });
});

test("a name inside a text is left alone", () => {
  const text = '{"messages":[{"role":"user","content":"say \\"model\\":\\"mine\\""}],"model":"mine"}';
  assert.equal(jsonOf(askedWith(text), "theirs"), text.replace('"model":"mine"}', '"model":"theirs"}'));
});

test("names with quotes and other letters keep their form", () => {
  const text = '{"model":"a\\"b","messages":[]}';
  assert.deepEqual(JSON.parse(jsonOf(askedWith(text), 'ü"x')), { model: 'ü"x', messages: [] });
});

test("what was added to the request is in the bytes and in the body", () => {
  const extras = { stream_options: { include_usage: true } };
  const call = new RoutedCall(askedWith(' {"model":"mine","messages":[]}', { extras }), "theirs");
  assert.deepEqual(JSON.parse(Buffer.from(call.json).toString()), { ...extras, model: "theirs", messages: [] });
  assert.deepEqual(call.body["stream_options"], extras.stream_options);
});

test("a body that was changed is written as it is now", () => {
  const asked = askedWith('{"model":"mine","max_tokens":500}');
  assert.deepEqual(JSON.parse(jsonOf({ ...asked, raw: null, body: { ...asked.body, max_tokens: 40 } }, "theirs")), {
    model: "theirs",
    max_tokens: 40,
  });
});

test("nothing is changed where there is no model to see", () => {
  assert.equal(spliceModel(Buffer.from("{}"), "a", "b"), null);
  assert.equal(spliceModel(Buffer.from('{"model":"c"}'), "a", "b"), null);
});
