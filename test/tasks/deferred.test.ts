import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { createLab, type Lab } from "../../lab/lab.ts";
import { eventually } from "../support/eventually.ts";
import { openHouse, type Seen, type TaskHouse } from "./task-house.ts";

let lab: Lab;
let house: TaskHouse;

before(async () => {
  lab = await createLab();
  const openai = `{ type: openai-compatible, base_url: "${lab.baseUrl("openai/v1")}", keys: [lab-key], allow_private_network: true }`;
  house = await openHouse({
    yaml: `
providers:
  openai: ${openai}
models:
  lab-chat: { kinds: [chat], price: { input_per_million: 1000, output_per_million: 1000 }, routes: [{ provider: openai }] }
`,
  });
});
after(async () => {
  await house.end();
  await lab.close();
});
afterEach(() => house.checkBooks());

const ask = async (content: string, more: object = {}, headers: Record<string, string> = {}) => {
  const wish = { model: "lab-chat", async: true, max_tokens: 20, messages: [{ role: "user", content }], ...more };
  const { status, body } = await house.client.post<Seen>("/v1/chat/completions", wish, { headers });
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
};
const asked = (content: string) => lab.calls().filter(({ prompt }) => prompt.includes(content));

test("a call under way that is cancelled is cut off upstream, ends once and costs nothing", async () => {
  const id = await ask("[lab:delay=5000] cut off");
  await eventually(() => asked("cut off").length === 1);
  const replies = await Promise.all([house.cancel(id), house.cancel(id), house.cancel(id)]);
  assert.deepEqual(
    replies.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409, 409],
  );
  assert.equal(replies.find(({ status }) => status === 200)?.charged, false);
  await eventually(() => asked("cut off")[0]?.ended === "left");
  assert.equal(asked("cut off").length, 1, "it is not asked again");
});

test("cancels that meet the end of a call leave one end, paid exactly when it is a success", async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, (_, n) => ask(`[lab:delay=${n * 4}] race ${n}`)));
  await Promise.all(ids.map((id) => house.cancel(id)));
  for (const id of ids) {
    const task = await house.ended(id);
    assert.equal(task.status === "SUCCESS", task.cost_usd > 0, `${task.status} ${task.cost_usd}`);
  }
});

test("a call that fails for a while is asked again and paid once", async () => {
  const id = await ask("[lab:500 x2] stumbles");
  const task = await house.ended(id, 1_500);
  assert.equal(task.status, "SUCCESS", JSON.stringify(task.error));
  assert.ok(task.cost_usd > 0 && task.cost_usd < 0.1);
});

test("a call that never comes to an end is tried eight times at most and costs nothing", async () => {
  const id = await ask("[lab:truncated] never");
  const task = await house.ended(id, 20_000);
  assert.deepEqual([task.status, task.cost_usd], ["FAILURE", 0]);
  assert.ok(asked("never").length <= 24, `${asked("never").length} calls`);
});

test("a call that is asked for twice under one key is made and paid once", async () => {
  // After so many failures the upstream may rest, for two minutes at most.
  house.clock.advance(120_000);
  const headers = { "idempotency-key": "deferred-1" };
  const ids = await Promise.all(Array.from({ length: 6 }, () => ask("[lab:delay=50] once", {}, headers)));
  assert.equal(new Set(ids).size, 1);
  await house.ended(ids[0] ?? "");
  assert.equal(asked("once").length, 1);
});
