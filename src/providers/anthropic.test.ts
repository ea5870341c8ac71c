import assert from "node:assert/strict";
import { test } from "node:test";
import { anthropic } from "./anthropic.ts";
import { ask, callOf, secret, serve } from "./call/call.fixture.ts";

test("Anthropic is asked in its own dialect, with its key, its version and the client's beta", async (context) => {
  const { url, sent } = await serve(context, () => ({ pieces: ['{"type":"message","content":[]}'] }));
  const answer = await ask(anthropic, url, callOf("messages", { max_tokens: 1 }, { headers: { "anthropic-beta": "x-1" } }));
  assert.equal(answer.state, "whole");
  const [only] = sent;
  assert.ok(only);
  const { headers } = only;
  assert.equal(only.url, "/messages");
  assert.deepEqual([headers["x-api-key"], headers["anthropic-version"], headers["anthropic-beta"]], [secret, "2023-06-01", "x-1"]);
  assert.equal(headers["authorization"], undefined);
});
