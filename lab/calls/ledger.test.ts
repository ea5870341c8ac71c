import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, askJson, chat, labFor, pick, until } from "./ask.fixture.ts";
import { createLedger } from "./ledger.ts";
import type { NewCall } from "./ledger.ts";

const call: NewCall = {
  id: "1",
  upstream: "openai",
  operation: "chat",
  model: "lab-chat",
  key: "sk-secret-1234",
  prompt: "x",
  promptTokens: 8,
  units: 0,
  stream: false,
  at: 0,
};

test("a call is listed with what was asked and what was delivered", async (context) => {
  const lab = await labFor(context, { now: () => 1_700_000_000_000 });
  const reply = await askJson(lab, "openai/v1/chat/completions", chat("waves"));
  const [seen] = lab.calls();
  assert.equal(pick(reply, "id"), `chatcmpl-${seen?.id}`);
  assert.deepEqual(seen, {
    id: seen?.id,
    upstream: "openai",
    operation: "chat",
    model: "lab-chat",
    key: "-key",
    prompt: "waves",
    promptTokens: 8,
    completionTokens: 12,
    units: 0,
    stream: false,
    ended: "complete",
    status: 200,
    at: 1_700_000_000_000,
  });
  assert.deepEqual(await (await fetch(`${lab.url}/lab/calls?prompt=wav`)).json(), [seen]);
  assert.deepEqual(await (await fetch(`${lab.url}/lab/calls?prompt=none`)).json(), []);
});

test("sums are kept by model and by how calls ended", async (context) => {
  const lab = await labFor(context);
  const place = "openai/v1/chat/completions";
  await askJson(lab, place, chat("waves"));
  await (await ask(lab, place, chat("waves", { stream: true, max_tokens: 5 }))).text();
  await (await ask(lab, place, chat("[lab:500]"))).text();
  await (await ask(lab, place, chat("[lab:cut=3]", { stream: true }))).text().catch(() => "");
  const totals = lab.totals()["lab-chat"];
  assert.deepEqual(totals?.complete, { calls: 2, promptTokens: 16, completionTokens: 17, units: 0 });
  assert.deepEqual([totals?.refused.calls, totals?.refused.completionTokens], [1, 0]);
  assert.deepEqual([totals?.cut.calls, totals?.cut.completionTokens, totals?.left.calls], [1, 3, 0]);
  assert.deepEqual(await (await fetch(`${lab.url}/lab/totals`)).json(), lab.totals());
});

test("a client that goes away while it waits has left with nothing", async (context) => {
  const lab = await labFor(context);
  const leaving = AbortSignal.timeout(30);
  const body = JSON.stringify(chat("[lab:delay=20000]"));
  const asked = fetch(`${lab.url}/openai/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer lab-key" },
    body,
    signal: leaving,
  });
  await assert.rejects(asked);
  await until(() => lab.calls()[0]?.ended === "left");
  assert.deepEqual([lab.calls()[0]?.status, lab.calls()[0]?.completionTokens], [0, 0]);
});

test("only the last calls are kept, but the sums are of all", () => {
  const ledger = createLedger();
  for (let count = 0; count < 50_010; count++) ledger.end(ledger.open({ ...call, id: String(count) }), "complete");
  const list = ledger.list();
  assert.deepEqual([list.length, list[0]?.id, list.at(-1)?.id], [50_000, "10", "50009"]);
  assert.equal(ledger.totals()["lab-chat"]?.complete.promptTokens, 50_010 * 8);
});

test("an entry ends once, and shows little of key and prompt", () => {
  const ledger = createLedger();
  const entry = ledger.open({ ...call, prompt: "é".repeat(1_000) });
  ledger.end(entry, "cut");
  ledger.end(entry, "complete");
  assert.deepEqual([entry.ended, entry.key, entry.prompt], ["cut", "1234", "é".repeat(200)]);
  assert.equal(ledger.totals()["lab-chat"]?.complete.calls, 0);
});
