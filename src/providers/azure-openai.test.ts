import assert from "node:assert/strict";
import { test } from "node:test";
import { azureOpenAi } from "./azure-openai.ts";
import { ask, callOf, secret, serve } from "./call/call.fixture.ts";

test("Azure is asked at the address of a deployment", async (context) => {
  const { url, sent } = await serve(context, () => ({ pieces: ['{"choices":[]}'] }));
  await ask(azureOpenAi, `${url}/`, callOf("chat", {}, { model: "my gpt/4" }));
  assert.equal(sent[0]?.url, "/openai/deployments/my%20gpt%2F4/chat/completions?api-version=2024-10-21");
  assert.equal(sent[0]?.headers["api-key"], secret);
  assert.equal(azureOpenAi.defaultBaseUrl, undefined);
});

test("Azure's filter of content is told from a wrong request", async (context) => {
  const error = { code: "content_filter", message: "The response was filtered due to the prompt triggering a policy." };
  const { url } = await serve(context, () => ({ status: 400, pieces: [JSON.stringify({ error })] }));
  const answer = await ask(azureOpenAi, url, callOf("chat", {}));
  assert.equal(answer.state === "refused" && answer.refusal.class, "content_policy");
});
