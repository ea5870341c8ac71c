import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createClient } from "../support/client.ts";
import { startGateway } from "../support/gateway.ts";
import { startLabGateway } from "../support/lab-gateway.ts";
import { uuid } from "../support/samples.ts";
import type { Balance, Envelope, EnvelopeError, Lyrics, MusicTask, Quote } from "../support/wire.ts";

const gateway = await startGateway();
const upstream = await startLabGateway();
after(async () => {
  await gateway.end();
  await upstream.end();
});
const client = createClient(gateway.url, (await gateway.customer(1)).key);
const path = "/musicA/submit/lyrics";
type Answer = Envelope<MusicTask<Lyrics>>;

function checkLyrics({ data: task }: Answer): void {
  assert.equal(task.action, "LYRICS");
  assert.deepEqual(Object.keys(task.data).sort(), ["error_message", "id", "status", "tags", "text", "title"]);
  assert.ok(
    [task.data.id, task.data.title, task.data.text, task.data.status, task.data.error_message].every((text) => typeof text === "string"),
  );
  assert.ok(Array.isArray(task.data.tags) && task.data.tags.every((tag) => typeof tag === "string"));
}

test("the reply to a create is exactly code, message and the id of the task", async () => {
  const { status, body } = await client.post<Envelope<string>>(path, { prompt: "a train at night" });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ["code", "message", "data"]);
  assert.deepEqual([body.code, body.message], ["success", ""]);
  assert.match(body.data, uuid);
});

test("the lyrics have a title, lines with section markers, and tags; the alias and waiting work", async () => {
  const reply = await client.post<Answer>("/suno/submit/lyrics", { prompt: "a train at night" }, { headers: { prefer: "wait=30" } });
  assert.equal(reply.headers.get("preference-applied"), "wait=30");
  checkLyrics(reply.body);
  const { data: lyrics, ...task } = reply.body.data;
  assert.deepEqual([task.status, task.progress, task.fail_reason, lyrics.status], ["SUCCESS", "100%", "", "complete"]);
  assert.notEqual(lyrics.title, "");
  assert.match(lyrics.text, /^\[Verse/m);
  assert.match(lyrics.text, /train/i);
  const again = (await client.get<Answer>(`/musicA/fetch/${task.task_id}`)).body;
  assert.deepEqual(again, reply.body);
});

test("a prompt is needed, of 1 to 5000 characters, and in any script", async () => {
  for (const body of [
    {},
    { prompt: "" },
    { prompt: "   " },
    { prompt: null },
    { prompt: 5 },
    { prompt: ["x"] },
    { prompt: "x".repeat(5001) },
  ]) {
    const reply = await client.post<EnvelopeError>(path, body);
    assert.equal(reply.status, 400, JSON.stringify(body).slice(0, 60));
    assert.deepEqual([reply.body.code, reply.body.error.param], ["invalid_request", "prompt"]);
  }
  for (const prompt of ["雨の歌", "أغنية عن المطر", "🌧️🎵", "e\u0301tude", "x".repeat(5000)]) {
    const reply = await client.post<Answer>(path, { prompt }, { headers: { prefer: "wait=30" } });
    assert.equal(reply.body.data.status, "SUCCESS", reply.text.slice(0, 300));
    assert.notEqual(reply.body.data.data.text, "");
  }
});

test("nobody waits longer than a minute", async () => {
  const { headers } = await client.post(path, { prompt: "x" }, { headers: { prefer: "wait=600" } });
  assert.equal(headers.get("preference-applied"), "wait=60");
});

test("a quote is what is charged", async () => {
  const quote = (await client.post<Quote>("/v1/quote", { path, body: { prompt: "x" } })).body;
  assert.equal(quote.amount_usd, 0.005);
  const before = (await client.get<Balance>("/v1/balance")).body;
  await client.post(path, { prompt: "x" }, { headers: { prefer: "wait=30" } });
  const now = (await client.get<Balance>("/v1/balance")).body;
  assert.equal(Math.round((now.used_usd - before.used_usd) * 1e9), Math.round(quote.amount_usd * 1e9));
  const wrong = await client.post("/v1/quote", { path, body: {} });
  assert.equal(wrong.status, 400, "a create that would be refused has no price");
});

test("lyrics of an upstream come back in the same shape, and its words about a failure do not", async () => {
  const { client: customer, reach } = upstream;
  const { data: id } = (await customer.post<Envelope<string>>(path, { prompt: "rain" })).body;
  await reach(id, "SUCCESS");
  const { body } = await customer.get<Answer>(`/musicA/fetch/${id}`);
  checkLyrics(body);
  assert.deepEqual([body.data.data.title, body.data.data.tags], ["Rain again", ["folk", "slow"]]);
  const { data: bad } = (await customer.post<Envelope<string>>(path, { prompt: "[lab:fail=policy]" })).body;
  await reach(bad, "FAILURE");
  const failed = (await customer.get<Answer>(`/musicA/fetch/${bad}`)).body;
  checkLyrics(failed);
  assert.deepEqual([failed.code, failed.data.status, failed.data.data.status], ["success", "FAILURE", "error"]);
  assert.notEqual(failed.data.fail_reason, "");
  assert.doesNotMatch(JSON.stringify(failed), /moderation failure|lab-key|127\.0\.0\.1/);
  assert.equal((await customer.get<Balance>("/v1/balance")).body.used_usd, 0.01);
});

test("every reply of this journey keeps the contract", async () => {
  await client.book.check();
  await upstream.client.book.check();
});
