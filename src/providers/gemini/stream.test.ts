import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, callOf, eventsIn, secret, serve, testMint, textOfStream } from "../call/call.fixture.ts";
import { gemini, geminiChat } from "./gemini.ts";

const chat = (body: Record<string, unknown>) =>
  callOf("chat", { messages: [{ role: "user", content: "hi" }], ...body }, { model: "gemini-2.5-flash" });

const usageMetadata = {
  promptTokenCount: 10,
  toolUsePromptTokenCount: 2,
  candidatesTokenCount: 5,
  thoughtsTokenCount: 7,
  cachedContentTokenCount: 4,
  totalTokenCount: 24,
};
const usage = {
  prompt_tokens: 12,
  completion_tokens: 12,
  total_tokens: 24,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 7 },
};

test("a streamed reply becomes chunks with usage before their end", async (context) => {
  const events = [
    { candidates: [{ content: { parts: [{ text: "hm", thought: true }] } }], usageMetadata: { promptTokenCount: 1 } },
    { candidates: [{ content: { parts: [{ text: "It" }] }, index: 0 }] },
    {
      candidates: [
        {
          content: {
            parts: [{ functionCall: { id: "x", name: "f", args: {} } }, { functionCall: { id: "y", name: "g", args: { a: 1 } } }],
          },
        },
      ],
    },
    { candidates: [{ content: { parts: [{ text: "" }] }, finishReason: "STOP" }], usageMetadata },
  ];
  const { url, sent } = await serve(context, () => ({
    mime: "text/event-stream",
    pieces: events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`),
  }));
  const answer = await ask(gemini, url, chat({ stream: true }));
  const found = eventsIn(await textOfStream(answer)) as { choices: { delta: unknown; finish_reason: unknown }[]; usage?: unknown }[];
  assert.equal(sent[0]?.url, "/models/gemini-2.5-flash:streamGenerateContent?alt=sse");
  assert.equal(sent[0]?.headers["x-goog-api-key"], secret);
  const tool = (index: number, id: string, name: string, text: string) => ({
    tool_calls: [{ index, id, type: "function", function: { name, arguments: text } }],
  });
  assert.deepEqual(
    found.slice(0, 6).map(({ choices }) => [choices[0]?.delta, choices[0]?.finish_reason]),
    [
      [{ role: "assistant", content: "" }, null],
      [{ reasoning_content: "hm" }, null],
      [{ content: "It" }, null],
      [tool(0, "x", "f", "{}"), null],
      [tool(1, "y", "g", '{"a":1}'), null],
      [{}, "tool_calls"],
    ],
  );
  assert.deepEqual([found[6]?.choices, found[6]?.usage], [[], usage]);
  assert.deepEqual(found.slice(7), ["[DONE]"]);
});

test("a stream that ends early or turns into an error breaks", () => {
  const stream = () => geminiChat(testMint()).stream?.(chat({ stream: true }));
  const cut = stream();
  cut?.event(null, '{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}');
  assert.throws(() => cut?.end(), { name: "BrokenReply" });
  assert.throws(() => stream()?.event(null, '{"error":{"code":503,"status":"UNAVAILABLE","message":"later"}}'), {
    name: "BrokenReply",
    refusal: { class: "transient", says: "The provider could not complete the request.", cause: "an error inside the stream: UNAVAILABLE" },
  });
  const blocked = stream();
  assert.equal(blocked?.event(null, '{"promptFeedback":{"blockReason":"OTHER"},"usageMetadata":{"promptTokenCount":3}}'), "");
  assert.match(blocked?.end() ?? "", /"finish_reason":"content_filter".*"prompt_tokens":3.*\[DONE\]/s);
});
