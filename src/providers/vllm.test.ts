import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, callOf, serve, workOf } from "./call/call.fixture.ts";
import { vllm } from "./vllm.ts";

test("vLLM is not sent what it would pass over, and takes the rest in the client's bytes and without a key", async (context) => {
  const { url, sent } = await serve(context, () => ({ pieces: ['{"choices":[]}'] }));
  for (const field of [{ best_of: 2 }, { suffix: "x" }]) {
    const refused = await ask(vllm, url, callOf("completion", { prompt: "a", ...field }));
    assert.deepEqual(refused.state === "refused" && [refused.refusal.class, refused.refusal.param], ["unsupported", Object.keys(field)[0]]);
  }
  const idle = { prompt: "a", best_of: 1, suffix: null, min_p: 0.1 };
  const json = Buffer.from(` ${JSON.stringify(idle)}`);
  await ask(vllm, url, callOf("completion", idle, { json }), workOf({ credential: { id: "none", secret: "" } }));
  assert.deepEqual(
    sent.map(({ text }) => text),
    [json.toString()],
  );
  assert.equal(vllm.needsKey, false);
});
