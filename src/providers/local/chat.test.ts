import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../core/call.ts";
import type { TextJob } from "../../engines/job.ts";
import { callOf, eventsIn, textOfStream } from "../call/call.fixture.ts";
import { openShop, refusalIn, valueOf, type Tricks } from "./local.fixture.ts";

const hello = [{ text: "Hi", bytes: [72, 105], logprob: -0.25, top: [{ text: "Yo", bytes: [89, 111], logprob: -0.125 }] }];

function talking(jobs: TextJob[] = []): Tricks {
  return {
    async text(job, { onPiece }) {
      jobs.push(job);
      const tokens = job.alternatives === null ? {} : { tokens: hello };
      onPiece?.({ choice: 0, text: "Hi", ...tokens });
      const choices = Array.from({ length: job.choices }, () => ({ text: "Hi", finish: "stop" as const, ...tokens }));
      return { model: "stories", choices, promptTokens: 4, completionTokens: 1 };
    },
  };
}

const messages = [{ role: "user", content: "Hello" }];

test("a chat is answered as OpenAI does, with up to 256 tokens where nothing is said", async (t) => {
  const jobs: TextJob[] = [];
  const shop = await openShop(t, talking(jobs));
  const value = valueOf(await shop.ask(callOf("chat", { messages })));
  assert.deepEqual(value, {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_750_000_000,
    model: "shown-model",
    system_fingerprint: value.system_fingerprint,
    choices: [{ index: 0, message: { role: "assistant", content: "Hi", refusal: null }, logprobs: null, finish_reason: "stop" }],
    usage: { prompt_tokens: 4, completion_tokens: 1, total_tokens: 5 },
  });
  await shop.ask(callOf("chat", { messages, max_tokens: 9 }));
  await shop.ask(callOf("chat", { messages, max_tokens: 9, max_completion_tokens: 5 }));
  assert.deepEqual(
    jobs.map(({ maxTokens }) => maxTokens),
    [256, 9, 5],
  );
  assert.deepEqual(await shop.left(), []);
});

test("all roles are heard: developers as the system, tools as the user, and parts of text as one", async (t) => {
  const jobs: TextJob[] = [];
  const shop = await openShop(t, talking(jobs));
  const talk = [
    { role: "system", content: "Be kind." },
    { role: "developer", content: "Be brief." },
    {
      role: "user",
      content: [
        { type: "text", text: "How warm" },
        { type: "text", text: "is it?" },
      ],
    },
    { role: "assistant", content: null, tool_calls: [{ id: "1", type: "function", function: { name: "weather", arguments: "{}" } }] },
    { role: "tool", tool_call_id: "1", content: "20 degrees" },
    { role: "assistant", content: "Warm." },
    { role: "user", content: "Thanks" },
  ];
  await shop.ask(callOf("chat", { messages: talk, tools: [{ type: "function", function: { name: "weather" } }], tool_choice: "auto" }));
  assert.deepEqual(jobs[0]?.ask, {
    messages: [
      { role: "system", text: "Be kind." },
      { role: "system", text: "Be brief." },
      { role: "user", text: "How warm\nis it?" },
      { role: "user", text: "20 degrees" },
      { role: "assistant", text: "Warm." },
      { role: "user", text: "Thanks" },
    ],
  });
});

test("what a text model cannot do is refused as unsupported, so that another may try", async (t) => {
  const shop = await openShop(t, talking());
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
  const beyond: [JsonObject, string][] = [
    [{ messages: [{ role: "user", content: [image] }] }, "messages[0].content"],
    [{ messages, tools: [{ type: "function" }], tool_choice: "required" }, "tool_choice"],
    [{ messages, tool_choice: { type: "function", function: { name: "f" } } }, "tool_choice"],
    [{ messages, response_format: { type: "json_object" } }, "response_format"],
    [{ messages, response_format: { type: "json_schema", json_schema: {} } }, "response_format"],
    [{ messages, audio: { voice: "alloy", format: "mp3" } }, "audio"],
  ];
  for (const [body, param] of beyond) {
    const refusal = refusalIn(await shop.ask(callOf("chat", body)));
    assert.deepEqual([refusal.class, refusal.param], ["unsupported", param]);
  }
  const [pictures] = beyond;
  assert.equal(refusalIn(await shop.ask(callOf("chat", pictures?.[0] ?? {}))).says, "The built-in model reads text only.");
  assert.equal((await shop.ask(callOf("chat", { messages, response_format: { type: "text" } }))).state, "whole");
});

test("wrong roles and likelihoods that nobody asked for are invalid", async (t) => {
  const shop = await openShop(t, talking());
  const wrong: [JsonObject, string][] = [
    [{ messages: [{ role: "narrator", content: "x" }] }, "messages[0].role"],
    [{ messages, top_logprobs: 2 }, "top_logprobs"],
    [{ messages, logprobs: true, top_logprobs: 21 }, "top_logprobs"],
    [{ messages: "Hello" }, "messages"],
  ];
  for (const [body, param] of wrong) {
    const refusal = refusalIn(await shop.ask(callOf("chat", body)));
    assert.deepEqual([refusal.class, refusal.param], ["invalid", param]);
  }
});

test("likelihoods are told token by token with their bytes", async (t) => {
  const jobs: TextJob[] = [];
  const shop = await openShop(t, talking(jobs));
  const { choices } = valueOf(await shop.ask(callOf("chat", { messages, logprobs: true, top_logprobs: 1, n: 2 })));
  const content = [{ token: "Hi", logprob: -0.25, bytes: [72, 105], top_logprobs: [{ token: "Yo", logprob: -0.125, bytes: [89, 111] }] }];
  assert.deepEqual(
    (choices as JsonObject[]).map(({ index, logprobs }) => ({ index, logprobs })),
    [0, 1].map((index) => ({ index, logprobs: { content, refusal: null } })),
  );
  await shop.ask(callOf("chat", { messages, logprobs: true }));
  await shop.ask(callOf("chat", { messages, logprobs: false, top_logprobs: 0 }));
  assert.deepEqual(
    jobs.map(({ alternatives }) => alternatives),
    [1, 0, null],
  );
});

test("a streamed choice begins with its role, even one that stays empty", async (t) => {
  const shop = await openShop(t, talking());
  const events = eventsIn(await textOfStream(await shop.ask(callOf("chat", { messages, n: 2, stream: true })))) as JsonObject[];
  assert.equal(events.pop(), "[DONE]");
  assert.ok(events.every(({ object }) => object === "chat.completion.chunk"));
  const role = { role: "assistant", content: "", refusal: null };
  const chunk = (index: number, delta: JsonObject, finish: string | null = null) => [
    { index, delta, logprobs: null, finish_reason: finish },
  ];
  assert.deepEqual(
    events.map(({ choices }) => choices),
    [chunk(0, role), chunk(0, { content: "Hi" }), chunk(0, {}, "stop"), chunk(1, role), chunk(1, {}, "stop"), []],
  );
  assert.deepEqual(events.at(-1)?.usage, { prompt_tokens: 4, completion_tokens: 1, total_tokens: 5 });
});
