import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { openBank, priced, type Bank } from "./bank.ts";
import { createTeller, type Teller } from "./teller.ts";
import { chat, completion, message, wires } from "./wires.ts";

const nano = 1e-9;
const perOutput = 600;
const perInput = 150;

describe("the money of calls", () => {
  let bank: Bank;
  before(async () => {
    bank = await openBank({ tasks: true });
  });
  after(() => bank.end());

  const callsWith = (prompt: string) => bank.lab.calls().filter((call) => call.prompt.includes(prompt));

  for (const wire of wires) {
    test(`${wire.name}: what a reply says it cost is what the account paid`, async () => {
      const customer = await bank.customer(1);
      const reply = await customer.ask(wire.path, wire.request(`price of ${wire.name} [lab:tokens=33]`));
      const cost = Math.round(Number(reply.headers["x-genway-cost"]) / nano);
      const { usage } = reply.body as { usage: { cost: number } };
      assert.equal(Math.round(usage.cost / nano), cost);
      assert.equal(await customer.used(), cost);
      assert.equal(cost, priced(callsWith(`price of ${wire.name}`)));
      assert.equal(await customer.left(), 1e9 - cost);
    });
  }

  for (const wire of [chat, completion, message]) {
    test(`${wire.name}: an account with little credit gets a shorter reply, and below 16 tokens none`, async () => {
      const name = `little ${wire.name}`;
      const body = wire.request(`${name} [lab:tokens=500]`, { max_tokens: 500 });
      // As much as the prompt can come to at most, and 40 tokens of reply.
      const nanos = Buffer.byteLength(JSON.stringify(body)) * perInput + 40 * perOutput;
      const customer = await bank.customer(nanos * nano);
      const reply = await customer.ask(wire.path, body);
      assert.equal(reply.status, 200, reply.text);
      const [call] = callsWith(name);
      assert.equal(call?.completionTokens, 40);
      assert.equal(await customer.used(), priced(callsWith(name)));
      const poor = await bank.customer((nanos - 25 * perOutput) * nano);
      const refused = await poor.ask(wire.path, body);
      assert.equal(refused.status, 402, refused.text);
      assert.equal(callsWith(name).length, 1, "nothing was asked");
      assert.equal(await poor.used(), 0);
    });
  }

  test("an account without credit pays nothing and gets nothing", async () => {
    const customer = await bank.customer(0);
    for (const stream of [false, true]) {
      const reply = await customer.ask(chat.path, chat.request("for free", { stream }));
      assert.equal(reply.status, 402);
    }
    assert.equal(callsWith("for free").length, 0);
  });

  for (const stream of [false, true]) {
    test(`200 ${stream ? "streams" : "calls"} at once on credit for 50 never go below zero, and what was delivered is paid`, async () => {
      const name = `crowd ${stream}`;
      const body = chat.request(`${name} [lab:tokens=20] [lab:delay=300]`, { stream, max_tokens: 20 });
      const each = Buffer.byteLength(JSON.stringify(body)) * perInput + 20 * perOutput;
      const customer = await bank.customer(50 * each * nano);
      const replies = await Promise.all(Array.from({ length: 200 }, () => customer.ask(chat.path, body)));
      const good = replies.filter(({ status }) => status === 200).length;
      assert.ok(replies.every(({ status }) => status === 200 || status === 402));
      assert.ok(good >= 50 && good < 150, `${good} were answered`);
      assert.equal(callsWith(name).length, good);
      assert.equal(await customer.used(), priced(callsWith(name)));
      assert.equal(await customer.left(), 50 * each - priced(callsWith(name)));
    });
  }

  test("the spend cap of a key stops its calls, whatever the account has", async () => {
    const name = "capped";
    const body = chat.request(`${name} [lab:tokens=20] [lab:delay=200]`, { max_tokens: 20 });
    const each = Buffer.byteLength(JSON.stringify(body)) * perInput + 20 * perOutput;
    const customer = await bank.customer(5, { spend_cap_usd: 10 * each * nano });
    const replies = await Promise.all(Array.from({ length: 40 }, () => customer.ask(chat.path, body)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 10);
    assert.equal(replies.filter(({ status }) => status === 402).length, 30);
    for (let n = 0; n < 40; n++) await customer.ask(chat.path, body);
    assert.ok((await customer.used()) <= 10 * each);
    assert.equal((await customer.ask(chat.path, body)).status, 402);
    assert.equal(await customer.used(), priced(callsWith(name)));
  });

  test("calls and tasks together never take more than there is", async () => {
    const name = "mixed";
    const customer = await bank.customer(1);
    // Each call may cost a quarter of a dollar though it will not, each video costs more than half of one.
    const body = chat.request(`${name} [lab:tokens=50] [lab:delay=200]`, { max_tokens: 400_000 });
    const video = { prompt: "a fox [lab:seconds=1]", duration: 5 };
    const ask = (n: number) => (n % 3 === 1 ? customer.ask("/custom_video/model/gen4.5", video) : customer.ask(chat.path, body));
    const replies = await Promise.all(Array.from({ length: 60 }, (_none, n) => ask(n)));
    const statuses = new Set(replies.map(({ status }) => status));
    assert.deepEqual(
      [...statuses].toSorted((a, b) => a - b),
      [200, 402],
    );
    await eventually(() => callsWith(name).every(({ ended }) => ended === "complete"));
    const [left, held, used] = [await customer.left(), await customer.held(), await customer.used()];
    assert.ok(left >= 0 && held >= 0, `${left} left, ${held} held`);
    assert.equal(left + held + used, 1e9, "nothing was made, nothing is missing");
    if (held > 0) assert.equal(used, priced(callsWith(name)), "every call is paid in full");
  });

  test("the books agree after all of this", async () => {
    const ready = await fetch(`${bank.gateway.url}/ready`);
    const text = await ready.text();
    assert.match(text, /"books":"ok"/, text);
  });
});

describe("the starter account", () => {
  let gateway: TestGateway;
  let owner: Teller;
  before(async () => {
    gateway = await startGateway();
    owner = createTeller(gateway.url, gateway.firstKey ?? "");
  });
  after(() => gateway.end());

  test("gets no credit because one of its keys is at its cap", async () => {
    const { body } = await gateway.admin("POST", "/admin/v1/keys", { account: "local", name: "capped", spend_cap_usd: 0.000001 });
    const capped = createTeller(gateway.url, String(body["key"]));
    const left = await owner.left();
    for (let n = 0; n < 3; n++) assert.equal((await capped.ask(chat.path, chat.request("too dear"))).status, 402);
    assert.equal(await owner.left(), left);
  });

  test("is topped up when a call finds it empty", { timeout: 60_000 }, async () => {
    await gateway.admin("POST", "/admin/v1/credits", { account: "local", amount_usd: -((await owner.left()) * nano), note: "spent" });
    assert.equal(await owner.left(), 0);
    const reply = await owner.ask("/v1/embeddings", { model: "any", input: "a red fox" });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(await owner.left(), 100e9 - Math.round(Number(reply.headers["x-genway-cost"]) / nano));
  });
});
