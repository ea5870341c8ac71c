import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { anthropic } from "../../lab/calls/anthropic.ts";
import { openai } from "../../lab/calls/openai.ts";
import { loadTokens } from "../../lab/calls/tokens.ts";
import type { CallUpstream } from "../../lab/calls/upstream.ts";
import { countChat, countInput, countMessages, countResponses } from "../../src/dialects/meters/prompt-tokens.ts";
import { countTokens } from "../../src/kit/token-count.ts";

const texts = ["hello", "", "naïve café 東京 😀 ❤️", "<|endoftext|> is a word here", 'a\n\n  b\t{"json": [1, 2.5]}', "word ".repeat(2_000)];

/** What the lab says that a request has. */
function labCount(upstream: CallUpstream, path: string, body: object): number {
  const intent = upstream.read({
    method: "POST",
    path,
    query: new URLSearchParams(),
    headers: { "anthropic-version": "x" },
    body,
    files: [],
  });
  assert.ok(intent?.do === "call", JSON.stringify(intent));
  return intent.order.promptTokens;
}

describe("the tokens of a prompt, counted by us and by the lab", () => {
  before(loadTokens);

  test("agree for chats", async () => {
    for (const text of texts) {
      const chats: object[] = [
        { messages: [{ role: "user", content: text }] },
        {
          messages: [
            { role: "system", content: "be brief" },
            { role: "user", content: text },
            { role: "assistant", content: "ok" },
            { role: "user", content: "on" },
          ],
        },
        { messages: [{ role: "user", name: "Ada", content: text }] },
        {
          messages: [
            {
              role: "user",
              content: [
                { type: "text", text },
                { type: "text", text: "more" },
              ],
            },
          ],
        },
      ];
      for (const chat of chats) {
        const body = { model: "m", ...chat };
        assert.equal(await countChat(body), labCount(openai, "/v1/chat/completions", body), JSON.stringify(body).slice(0, 200));
      }
    }
  });

  test("agree for completions", async () => {
    for (const prompt of [...texts, texts, [1, 2, 3], [[1, 2], [3]]]) {
      assert.equal(
        await countInput(prompt),
        labCount(openai, "/v1/completions", { model: "m", prompt }),
        JSON.stringify(prompt).slice(0, 200),
      );
    }
  });

  test("agree for messages, with and without a system prompt", async () => {
    for (const text of texts) {
      for (const more of [{}, { system: "be brief" }, { system: [{ type: "text", text: "be brief" }] }]) {
        const body = {
          model: "m",
          max_tokens: 9,
          messages: [
            { role: "user", content: text },
            { role: "assistant", content: [{ type: "text", text: "ok" }] },
          ],
          ...more,
        };
        assert.equal(await countMessages(body), labCount(anthropic, "/v1/messages", body), JSON.stringify(body).slice(0, 200));
      }
    }
  });

  test("agree for responses, with and without instructions", async () => {
    for (const text of texts) {
      for (const more of [{}, { instructions: "be brief" }]) {
        const body = { model: "m", input: text, ...more };
        assert.equal(await countResponses(body), labCount(openai, "/v1/responses", body), JSON.stringify(body).slice(0, 200));
      }
    }
  });
});

// Ten times the length would take a hundred times as long, minutes, if the time grew with the square.
test("a long text without a space is counted in time", { timeout: 30_000 }, async () => {
  assert.ok((await countTokens(["a".repeat(400_000)])) > 1_000);
});
