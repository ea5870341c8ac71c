import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createClient, type Client } from "../support/client.ts";
import { startGateway } from "../support/gateway.ts";
import { startLabGateway } from "../support/lab-gateway.ts";
import type { Balance, EnvelopeError, PlainError, Quote, TaskRecord, VideoTask } from "../support/wire.ts";

const { client, gateway, lab, reach, end } = await startLabGateway({ credit: 1 });
const local = await startGateway();
after(async () => {
  await end();
  await local.end();
});
const path = "/custom_video/model/gen4.5";
const pointsPerUsd = 500_000;

type Usage = { success: boolean; data: { balance: number; used: number; cache_used: number } };
type Subscription = Record<"soft_limit_usd" | "hard_limit_usd" | "system_hard_limit_usd" | "access_until", number> & { object: string };
type TokenUsage = { code: boolean; message: string; data: Record<string, unknown> };

/** Asks every address for the money of an account, checks that they agree, and answers what they say. */
async function money(asking: Client): Promise<Balance> {
  const { body: balance } = await asking.get<Balance>("/v1/balance");
  const { available_usd: available, held_usd: held, used_usd: used } = balance;
  assert.deepEqual([balance.object, balance.currency], ["balance", "usd"]);
  assert.deepEqual(Object.keys(balance), ["object", "currency", "available_usd", "held_usd", "used_usd"]);

  const points = (await asking.get<Usage>("/v1/billing/usage")).body;
  assert.deepEqual(points, {
    success: true,
    data: { balance: Math.round(available * pointsPerUsd), used: Math.round(used * pointsPerUsd), cache_used: 0 },
  });
  const dollars = (await asking.get<Usage>("/v1/billing/usage?type=token&unit=usd")).body;
  assert.deepEqual(dollars.data, { balance: available, used, cache_used: 0 });

  for (const prefix of ["/v1", ""]) {
    const limit = (await asking.get<Subscription>(`${prefix}/dashboard/billing/subscription`)).body;
    assert.equal(limit.object, "billing_subscription");
    assert.equal(limit.access_until, 0);
    const { body: usage } = await asking.get<{ object: string; total_usage: number }>(
      `${prefix}/dashboard/billing/usage?start_date=2026-01-01&end_date=2026-12-31`,
    );
    assert.equal(usage.object, "list");
    assert.equal(usage.total_usage, cents(used + held));
    // What the clients of these two addresses show as the rest.
    assert.equal(cents(limit.hard_limit_usd) - usage.total_usage, cents(available));
    assert.deepEqual([limit.soft_limit_usd, limit.system_hard_limit_usd], [limit.hard_limit_usd, limit.hard_limit_usd]);
  }
  for (const address of ["/api/usage/token/", "/api/usage/token"]) {
    const { body: token } = await asking.get<TokenUsage>(address);
    assert.deepEqual([token.code, token.message], [true, "ok"]);
    assert.equal(token.data["total_available"], Math.round(available * pointsPerUsd));
    assert.equal(token.data["total_used"], Math.round((used + held) * pointsPerUsd));
    assert.equal(token.data["total_granted"], Math.round((available + used + held) * pointsPerUsd));
  }
  return balance;
}

function cents(usd: number): number {
  return Math.round(usd * 1e9) / 1e7;
}

test("every address tells the same about credit, holds and use, before, during and after a task", async () => {
  assert.deepEqual(await money(client), { object: "balance", currency: "usd", available_usd: 1, held_usd: 0, used_usd: 0 });
  const quote = (await client.post<Quote>("/v1/quote", { path, body: { prompt: "x", duration: 7 } })).body;
  assert.equal(quote.amount_usd, 0.84);
  assert.equal((await money(client)).held_usd, 0, "a quote costs nothing");
  const { id } = (await client.post<VideoTask>(path, { prompt: "x", duration: 7 })).body;
  assert.deepEqual(await money(client), { object: "balance", currency: "usd", available_usd: 0.16, held_usd: 0.84, used_usd: 0 });
  await reach(id, "SUCCESS");
  assert.deepEqual(await money(client), { object: "balance", currency: "usd", available_usd: 0.16, held_usd: 0, used_usd: 0.84 });
});

test("what cannot be paid is not started, and the reply says so in the words of its group", async () => {
  const jobs = lab.jobs().length;
  const before = await money(client);
  const refused = await client.post<EnvelopeError>(path, { prompt: "x", duration: 2 });
  assert.deepEqual([refused.status, refused.body.code], [402, "insufficient_balance"]);
  assert.deepEqual(await money(client), before);
  assert.equal(lab.jobs().length, jobs);
  assert.equal((await client.get<{ data: unknown[] }>("/v1/tasks")).body.data.length, 1);
});

test("a failed task gives its hold back", async () => {
  const { account, key } = await gateway.customer(1);
  const customer = client.as(key);
  const { id } = (await customer.post<VideoTask>(path, { prompt: "[lab:fail=INTERNAL]", duration: 5 })).body;
  assert.equal((await money(customer)).held_usd, 0.6);
  await reach(id, "FAILURE");
  assert.deepEqual(await money(customer), { object: "balance", currency: "usd", available_usd: 1, held_usd: 0, used_usd: 0 });
  await gateway.admin("POST", "/admin/v1/credits", { account, amount_usd: 0.123456789, note: "more" });
  assert.equal((await money(customer)).available_usd, 1.123456789);
  const tooMuch = await gateway.admin("POST", "/admin/v1/credits", { account, amount_usd: -2, note: "less" });
  assert.equal(tooMuch.status, 402);
  assert.equal((await money(customer)).available_usd, 1.123456789);
});

test("of 500 creates at once on the credit for 100, exactly 100 are accepted", async () => {
  const { key } = await gateway.customer(24);
  const customer = client.as(key);
  const replies = await Promise.all(
    Array.from({ length: 500 }, () => customer.post<VideoTask>(path, { prompt: "[lab:seconds=3600]", duration: 2 })),
  );
  const accepted = replies.filter(({ status }) => status === 200);
  assert.equal(accepted.length, 100);
  assert.ok(replies.every(({ status }) => status === 200 || status === 402));
  assert.equal(new Set(accepted.map(({ body }) => body.id)).size, 100);
  assert.deepEqual(await money(customer), { object: "balance", currency: "usd", available_usd: 0, held_usd: 24, used_usd: 0 });
});

test("the account of local mode has 100 dollars, spends them, and needs no key on this machine", async () => {
  const anonymous = createClient(local.url, null);
  assert.deepEqual(await money(anonymous), { object: "balance", currency: "usd", available_usd: 100, held_usd: 0, used_usd: 0 });
  const reply = await anonymous.post<{ data: TaskRecord }>("/musicA/submit/lyrics", { prompt: "x" }, { headers: { prefer: "wait=30" } });
  assert.equal(reply.body.data.status, "SUCCESS");
  assert.equal((await money(anonymous)).used_usd, 0.005);
  assert.deepEqual(await money(anonymous), await money(anonymous.as(local.firstKey)));
  await anonymous.book.check();
});

test("the account of local mode is topped up when it runs low", async () => {
  const anonymous = createClient(local.url, null);
  await local.admin("POST", "/admin/v1/credits", { account: "local", amount_usd: -95, note: "to see it run low" });
  await anonymous.post("/musicA/submit/lyrics", { prompt: "x" }, { headers: { prefer: "wait=30" } });
  assert.ok((await money(anonymous)).available_usd > 99);
});

test("in configured mode nobody is told without a key", async () => {
  for (const address of [
    "/v1/balance",
    "/v1/billing/usage",
    "/v1/dashboard/billing/subscription",
    "/dashboard/billing/usage",
    "/api/usage/token/",
  ]) {
    const { status, body } = await client.get<PlainError>(address, { key: null });
    assert.deepEqual([status, body.error.code], [401, "invalid_key"], address);
  }
});

test("every reply of this journey keeps the contract", () => client.book.check());
