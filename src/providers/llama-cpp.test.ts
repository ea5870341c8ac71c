import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, callOf, eventsIn, serve, textOfStream } from "./call/call.fixture.ts";
import { llamaCpp } from "./llama-cpp.ts";

const likely = (token: string, logprob: number, other: [string, number]) => ({
  id: 1,
  token,
  bytes: [...Buffer.from(token)],
  logprob,
  top_logprobs: [
    { id: 1, token, bytes: [], logprob },
    { id: 2, token: other[0], bytes: [], logprob: other[1] },
  ],
});
const content = [likely(" blüe", -0.12, [" red", -2.9]), likely(" sky", -0.7, [" sea", -0.9])];
const legacy = {
  tokens: [" blüe", " sky"],
  token_logprobs: [-0.12, -0.7],
  top_logprobs: [
    { " blüe": -0.12, " red": -2.9 },
    { " sky": -0.7, " sea": -0.9 },
  ],
  text_offset: [0, 5],
};

test("the likelihoods of a completion come in the shape of completions", async (context) => {
  const choice = { text: " blüe sky", index: 0, finish_reason: "length" };
  const whole = { object: "text_completion", usage: { total_tokens: 4 } };
  const { url, sent } = await serve(context, () => ({
    pieces: [JSON.stringify({ ...whole, choices: [{ ...choice, logprobs: { content } }] })],
  }));
  const answer = await ask(llamaCpp, url, callOf("completion", { prompt: "a", logprobs: 2 }));
  assert.ok(answer.state === "whole");
  assert.deepEqual(answer.value, { ...whole, choices: [{ ...choice, logprobs: legacy }] });
  assert.deepEqual(JSON.parse(sent[0]?.text ?? ""), { model: "upstream-model", prompt: "a", logprobs: 2 });
});

test("in a stream the offsets go on from chunk to chunk, for each choice by itself", async (context) => {
  const chunk = (index: number, at: number) => ({
    object: "text_completion",
    choices: [{ text: content[at]?.token, index, finish_reason: null, logprobs: { content: [content[at]] } }],
  });
  const events = [chunk(0, 0), chunk(1, 1), chunk(0, 1), { choices: [], usage: { total_tokens: 4 } }].map(
    (event) => `data: ${JSON.stringify(event)}\n\n`,
  );
  const { url } = await serve(context, () => ({ mime: "text/event-stream", pieces: [...events, "data: [DONE]\n\n"] }));
  const answer = await ask(llamaCpp, url, callOf("completion", { prompt: "a", logprobs: 2, stream: true }));
  const found = eventsIn(await textOfStream(answer)) as { choices: { index: number; logprobs: { text_offset: number[] } }[] }[];
  assert.deepEqual(
    found.slice(0, 3).flatMap(({ choices }) => choices.map(({ index, logprobs }) => [index, logprobs.text_offset])),
    [
      [0, [0]],
      [1, [0]],
      [0, [5]],
    ],
  );
  assert.deepEqual(found.slice(3), [{ choices: [], usage: { total_tokens: 4 } }, "[DONE]"]);
});

test("a completion without likelihoods is left as it is", async (context) => {
  const whole = { choices: [{ text: "x", index: 0, logprobs: null, finish_reason: "stop" }] };
  const { url } = await serve(context, () => ({ pieces: [JSON.stringify(whole)] }));
  const answer = await ask(llamaCpp, url, callOf("completion", { prompt: "a" }));
  assert.deepEqual(answer.state === "whole" && answer.value, whole);
});

for (const field of [{ echo: true }, { best_of: 3 }, { suffix: "x" }]) {
  const [name] = Object.keys(field);
  test(`${name} is refused, and nothing is sent`, async (context) => {
    const { url, sent } = await serve(context, () => ({ pieces: ["{}"] }));
    const answer = await ask(llamaCpp, url, callOf("completion", { prompt: "a", ...field }));
    assert.deepEqual(answer.state === "refused" && [answer.refusal.class, answer.refusal.param], ["unsupported", name]);
    assert.equal(sent.length, 0);
  });
}
