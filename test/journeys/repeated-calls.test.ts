import assert from "node:assert/strict";
import { after, test } from "node:test";
import { describeWholeConfiguration } from "../../lab/configuration.ts";
import { startCallGateway } from "../support/call-gateway.ts";
import { createClient } from "../support/client.ts";
import { startGateway } from "../support/gateway.ts";
import type { Balance, List } from "../support/wire.ts";

const plain = await startCallGateway();
const caching = await startCallGateway({ yaml: "calls: { cache: { ttl: 1h, megabytes: 1 } }\n" });
after(async () => {
  await plain.client.book?.check();
  await plain.end();
  await caching.end();
});

const path = "/v1/chat/completions";
const chat = (content: string, more: object = {}) => ({ model: "lab-chat", messages: [{ role: "user", content }], max_tokens: 3, ...more });
const under = (key: string) => ({ headers: { "idempotency-key": key } });
type Reply = { id: string; usage: { cost: number } };
const made = ({ lab }: typeof plain, prompt: string) => lab.calls().filter((call) => call.prompt === prompt).length;
const used = async ({ client }: Pick<typeof plain, "client">) => (await client.get<Balance>("/v1/balance")).body.used_usd;

const stranger = async () => plain.client.as((await plain.gateway.customer(1)).key);

test("the same call under the same Idempotency-Key gets the first reply again, free of charge", async () => {
  const first = await plain.client.post<Reply>(path, chat("once"), under("a"));
  const paid = await used(plain);
  const second = await plain.client.post<Reply>(path, chat("once"), under("a"));
  assert.deepEqual([second.status, second.body], [200, first.body]);
  assert.deepEqual([first.headers.get("idempotent-replayed"), second.headers.get("idempotent-replayed")], [null, "true"]);
  assert.equal(second.headers.get("x-genway-cost"), "0");
  assert.equal(await used(plain), paid);
  assert.equal(made(plain, "once"), 1);
});

test("another request under the key is refused, and another account's key is its own", async () => {
  const other = await plain.client.post<{ error: { code: string } }>(path, chat("twice"), under("a"));
  assert.deepEqual([other.status, other.body.error.code], [422, "idempotency_mismatch"]);
  const own = await (await stranger()).post<Reply>(path, chat("twice"), under("a"));
  assert.deepEqual([own.status, own.headers.get("idempotent-replayed")], [200, null]);
});

test("while the first is not answered, a second one is told to wait", async () => {
  const first = plain.client.post<Reply>(path, chat("slow [lab:delay=400]"), under("b"));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const second = await plain.client.post<{ error: { code: string } }>(path, chat("slow [lab:delay=400]"), under("b"));
  assert.deepEqual([second.status, second.body.error.code], [409, "idempotency_in_flight"]);
  assert.ok(second.headers.get("retry-after"));
  assert.equal((await first).status, 200);
});

test("a call that failed, and a stream, is made anew", async () => {
  const failed = await plain.client.post(path, chat("bad [lab:refuse=invalid x1]"), under("c"));
  assert.equal(failed.status, 400);
  assert.equal((await plain.client.post(path, chat("bad [lab:refuse=invalid x1]"), under("c"))).status, 200);
  for (const _ of [1, 2]) assert.equal((await plain.client.post(path, chat("streamed", { stream: true }), under("d"))).status, 200);
  assert.equal(made(plain, "streamed"), 2);
});

test("repeats that come together all get the reply, and what is being made is not made twice", async () => {
  const ask = () => plain.client.post<Reply>(path, chat("crowd [lab:delay=100]"), under("crowd"));
  const statuses = (await Promise.all([ask(), ask(), ask(), ask()])).map(({ status }) => status);
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [200, 409, 409, 409],
  );
  const again = await Promise.all([ask(), ask(), ask(), ask()]);
  assert.deepEqual(new Set(again.map(({ status, headers }) => `${status} ${headers.get("idempotent-replayed")}`)), new Set(["200 true"]));
  assert.equal(made(plain, "crowd [lab:delay=100]"), 1);
});

test("speech that was sent as sound is given again", async () => {
  const client = await stranger();
  const speak = (key: string, more: object = {}) =>
    client.post("/v1/audio/speech", { model: "lab-speech", voice: "alloy", input: "Say it once.", ...more }, under(key));
  const first = await speak("e");
  const paid = await used({ client });
  const second = await speak("e");
  assert.deepEqual([second.status, second.headers.get("idempotent-replayed"), second.text], [200, "true", first.text]);
  assert.equal(second.headers.get("content-type"), first.headers.get("content-type"));
  assert.deepEqual([made(plain, "Say it once."), await used({ client })], [1, paid]);
  for (const _ of [1, 2]) assert.equal((await speak("f", { stream_format: "sse" })).status, 200);
  assert.equal(made(plain, "Say it once."), 3);
});

test("a reply too large for the store is given again by the process that has it", async () => {
  const client = await stranger();
  const inputs = Array.from({ length: 30 }, (_, at) => `large ${at}`);
  const embed = () => client.post("/v1/embeddings", { model: "lab-embed", input: inputs, dimensions: 4_096 }, under("g"));
  const first = await embed();
  assert.ok(first.text.length > 1024 * 1024, `${first.text.length} characters`);
  const second = await embed();
  assert.deepEqual([second.status, second.headers.get("idempotent-replayed")], [200, "true"]);
  assert.ok(second.text === first.text);
});

test("replies outlive the process: after a restart the same call still gets the first reply, free of charge", async () => {
  const { lab } = plain;
  const yaml = describeWholeConfiguration(lab, "lab-key");
  const before = await startGateway({ yaml });
  const { key } = await before.customer(1);
  const first = await createClient(before.url, key).post<Reply>(path, chat("for good"), under("h"));
  assert.equal(first.status, 200);
  await before.close();
  const later = await startGateway({ yaml, dataDir: before.dataDir });
  try {
    const client = createClient(later.url, key);
    const second = await client.post<Reply>(path, chat("for good"), under("h"));
    assert.deepEqual([second.status, second.headers.get("idempotent-replayed"), second.body], [200, "true", first.body]);
    assert.equal((await client.post(path, chat("something else"), under("h"))).status, 422);
    assert.equal(made(plain, "for good"), 1);
    assert.equal((await client.get<Balance>("/v1/balance")).body.used_usd, first.body.usage.cost);
  } finally {
    await later.end();
  }
});

test("without a cache equal calls are made each time; with one they are made once for each account", async () => {
  for (const _ of [1, 2]) await plain.client.post(path, chat("equal"));
  assert.equal(made(plain, "equal"), 2);
  const first = await caching.client.post<Reply>(path, chat("equal"));
  const paid = await used(caching);
  const second = await caching.client.post<Reply>(path, chat("equal"));
  assert.deepEqual([first.headers.get("x-genway-cache"), second.headers.get("x-genway-cache")], [null, "hit"]);
  assert.deepEqual(second.body, first.body);
  assert.deepEqual([made(caching, "equal"), await used(caching)], [1, paid]);
  const { key } = await caching.gateway.customer(1);
  assert.equal((await caching.client.as(key).post(path, chat("equal"))).headers.get("x-genway-cache"), null);
  assert.equal((await caching.client.post(path, chat("equal", { temperature: 0.5 }))).headers.get("x-genway-cache"), null);
});

test("equal calls that come together share one reply", async () => {
  const replies = await Promise.all(Array.from({ length: 8 }, () => caching.client.post<Reply>(path, chat("together [lab:delay=200]"))));
  assert.equal(new Set(replies.map(({ body }) => body.id)).size, 1);
  assert.equal(made(caching, "together [lab:delay=200]"), 1);
});

test("a quote tells the most that a call can cost, and the operator sees what calls did cost", async () => {
  const quote = await plain.client.post<{ amount_usd: number; details: { unit: string }[] }>("/v1/quote", { path, body: chat("priced") });
  assert.equal(quote.status, 200);
  const { body } = await plain.client.post<Reply>(path, chat("priced"));
  assert.ok(quote.body.amount_usd >= body.usage.cost, `${quote.body.amount_usd} for what cost ${body.usage.cost}`);
  assert.deepEqual(
    quote.body.details.map(({ unit }) => unit),
    ["input_per_million", "output_per_million"],
  );
  const usage = await plain.gateway.admin("GET", `/admin/v1/usage/calls?account=${plain.account}`);
  const rows = (usage.body as unknown as List<{ operation: string; model: string; provider: string; calls: number; cost_usd: number }>)
    .data;
  assert.deepEqual(
    [...new Set(rows.map(({ operation, model, provider }) => `${operation} ${model} ${provider}`))],
    ["chat lab-chat openai"],
  );
  const total = rows.reduce((sum, { cost_usd: cost }) => sum + cost, 0);
  assert.ok(Math.abs(total - (await used(plain))) < 1e-9);
});
