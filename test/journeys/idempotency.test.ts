import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { startLabGateway } from "../support/lab-gateway.ts";
import { png } from "../support/samples.ts";
import type { Balance, CreatedClip, Envelope, EnvelopeError, List, TaskRecord, VideoRecord, VideoTask } from "../support/wire.ts";

const { client, gateway, lab, clock, account, reach, sent, end } = await startLabGateway();
after(end);
const path = "/custom_video/model/gen4.5";
const once = (key: string, more: Record<string, string> = {}) => ({ headers: { "idempotency-key": key, ...more } });
const jobs = (prompt: string) => lab.jobs().filter((job) => job.prompt === prompt).length;

test("the same request under the same key gets the first reply again, and runs once", async () => {
  const body = { prompt: "once", duration: 5, aspect_ratio: "16:9" };
  const first = await client.post<VideoTask>(path, body, once("k1"));
  const second = await client.post<VideoTask>(path, { aspect_ratio: "16:9", duration: 5, prompt: "once" }, once("k1"));
  assert.deepEqual([second.status, second.body], [200, first.body]);
  assert.equal(first.headers.get("idempotent-replayed"), null);
  assert.equal(second.headers.get("idempotent-replayed"), "true");
  await reach(first.body.id, "SUCCESS");
  const third = await client.post<VideoTask>(path, body, once("k1"));
  assert.deepEqual(third.body, first.body, "also when the task has ended");
  assert.equal(jobs("once"), 1);
  assert.equal((await client.get<Balance>("/v1/balance")).body.used_usd, 0.6);
});

test("music replays its record, and waiting on a replay answers the task as it is", async () => {
  const body = { gpt_description_prompt: "a replayed song" };
  const first = await client.post<CreatedClip>("/musicA/submit/music", body, once("m1"));
  await reach(first.body.task_id, "SUCCESS");
  assert.deepEqual((await client.post<CreatedClip>("/musicA/submit/music", body, once("m1"))).body, first.body);
  const waited = await client.post<Envelope<{ status: string; task_id: string }>>(
    "/musicA/submit/music",
    body,
    once("m1", { prefer: "wait=5" }),
  );
  assert.deepEqual([waited.body.data.task_id, waited.body.data.status], [first.body.task_id, "SUCCESS"]);
  assert.equal(jobs("a replayed song"), 1);
});

test("another request under the same key is refused", async () => {
  await client.post(path, { prompt: "a" }, once("k2"));
  for (const reply of [
    await client.post<EnvelopeError>(path, { prompt: "b" }, once("k2")),
    await client.post<EnvelopeError>(path, { prompt: "a", duration: 6 }, once("k2")),
  ])
    assert.deepEqual([reply.status, reply.body.code], [422, "idempotency_mismatch"]);
  assert.equal(jobs("b"), 0);
});

test("a key belongs to an account", async () => {
  const mine = (await client.post<VideoTask>(path, { prompt: "shared" }, once("k3"))).body;
  const other = client.as((await gateway.customer(1)).key);
  const theirs = (await other.post<VideoTask>(path, { prompt: "shared" }, once("k3"))).body;
  assert.notEqual(mine.id, theirs.id);
  assert.equal((await other.post(path, { prompt: "else" }, once("k3"))).status, 422);
});

test("of a hundred requests at once one runs, and all are told the same", async () => {
  const replies = await Promise.all(Array.from({ length: 100 }, () => client.post<VideoTask>(path, { prompt: "crowd" }, once("k4"))));
  assert.ok(replies.every(({ status }) => status === 200 || status === 409));
  const answered = replies.filter(({ status }) => status === 200);
  assert.equal(new Set(answered.map(({ body }) => body.id)).size, 1);
  assert.equal(answered.filter(({ headers }) => headers.get("idempotent-replayed") === null).length, 1);
  const id = answered[0]?.body.id ?? "";
  await sent(id);
  assert.equal(jobs("crowd"), 1);
  const { data } = (await client.get<List<TaskRecord>>("/v1/tasks?limit=100")).body;
  assert.equal(data.filter((task) => task.id === id).length, 1);
});

test("a form with the same content counts as the same request", async () => {
  const form = (colour: number) => {
    const parts = new FormData();
    parts.append("prompt", "from a form");
    parts.append("image", new Blob([png(colour, 4)], { type: "image/png" }), "a.png");
    return parts;
  };
  const send = (colour: number) => client.call<VideoTask>("POST", path, undefined, { raw: form(colour), ...once("k5") });
  const [first, second, other] = [await send(4), await send(4), await send(5)];
  assert.equal(first.status, 200, first.text);
  assert.deepEqual([second.status, second.body], [200, first.body], second.text);
  assert.equal(other.status, 422);
});

test("a refused request leaves its key free", async () => {
  const poor = await gateway.customer(0.1);
  const customer = client.as(poor.key);
  assert.equal((await customer.post(path, { prompt: "later" }, once("k6"))).status, 402);
  assert.equal((await customer.post(path, { prompt: 1 }, once("k6"))).status, 400);
  await gateway.admin("POST", "/admin/v1/credits", { account: poor.account, amount_usd: 5, note: "" });
  const paid = await customer.post<VideoTask>(path, { prompt: "later" }, once("k6"));
  assert.deepEqual([paid.status, paid.headers.get("idempotent-replayed")], [200, null]);
});

test("a key has 1 to 255 characters, with or without quotes", async () => {
  const first = (await client.post<VideoTask>(path, { prompt: "quoted" }, once(`"k7"`))).body;
  assert.deepEqual((await client.post<VideoTask>(path, { prompt: "quoted" }, once("k7"))).body, first);
  assert.equal((await client.post(path, { prompt: "long" }, once("x".repeat(255)))).status, 200);
  const long = await client.post<EnvelopeError>(path, { prompt: "long" }, once("x".repeat(256)));
  assert.deepEqual([long.status, long.body.error.param], [400, "Idempotency-Key"]);
});

test("after a day a key is forgotten", async () => {
  const body = { prompt: "daily" };
  const first = (await client.post<VideoTask>(path, body, once("k8"))).body;
  await reach(first.id, "SUCCESS");
  clock.advance(23 * 3_600_000);
  assert.equal((await client.post<VideoTask>(path, body, once("k8"))).body.id, first.id);
  clock.advance(3_600_000 + 61_000);
  const later = await eventually(async () => {
    const reply = await client.post<VideoRecord>(path, body, once("k8"));
    return reply.headers.get("idempotent-replayed") === null && reply.body;
  });
  assert.notEqual(later.id, first.id);
  assert.notEqual(account, "");
});

test("every reply of this journey keeps the contract", () => client.book.check());
