import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { createClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway } from "../support/gateway.ts";
import { startReceiver, type Received } from "../support/receiver.ts";
import { createTestClock } from "../support/test-clock.ts";
import type { Delivery, Envelope, List, Lyrics, MusicTask, PlainError, VideoTask, Webhook } from "../support/wire.ts";

const clock = createTestClock();
const receiver = await startReceiver();
const gateway = await startGateway({ clock: clock.now, env: { GENWAY_OUTBOUND_ALLOW: "127.0.0.0/8" } });
after(async () => {
  await gateway.end();
  await receiver.close();
});
const client = createClient(gateway.url, (await gateway.customer(10)).key);

async function subscribe(path: string, events?: string[]): Promise<Webhook> {
  const { status, body, text } = await client.post<Webhook>("/v1/webhooks", { url: receiver.url + path, ...(events && { events }) });
  assert.equal(status, 200, text);
  return body;
}

async function makeLyrics(more: object = {}): Promise<string> {
  const reply = await client.post<Envelope<MusicTask<Lyrics>>>(
    "/musicA/submit/lyrics",
    { prompt: "x", ...more },
    { headers: { prefer: "wait=30" } },
  );
  assert.equal(reply.body.data.status, "SUCCESS", reply.text);
  return reply.body.data.task_id;
}

/** Verifies a message as a receiver would; throws when the signature is not good. */
function verify(message: Received, secret: string): unknown {
  return new StandardWebhook(secret).verify(message.text, message.headers as Record<string, string>);
}

async function deliveries(id: string): Promise<Delivery[]> {
  return (await client.get<List<Delivery>>(`/v1/webhooks/${id}/deliveries`)).body.data;
}

function aboutTask(id: string) {
  return ({ text }: Received) => text.includes(id);
}

test("an endpoint gets signed events with the group's own record", async () => {
  const webhook = await subscribe("/plain");
  assert.match(webhook.id, /^wh_/);
  assert.deepEqual([webhook.object, webhook.disabled, webhook.events], ["webhook", false, ["task.succeeded", "task.failed"]]);
  assert.match(webhook.secret, /^whsec_/);
  const id = await makeLyrics();
  const message = await receiver.next("/plain", aboutTask(id));
  assert.deepEqual(verify(message, webhook.secret), message.body);
  assert.match(String(message.headers["webhook-id"]), /^msg_/);
  assert.match(message.headers["content-type"] ?? "", /^application\/json/);
  assert.ok(Buffer.byteLength(message.text) < 20_000);
  assert.deepEqual(Object.keys(message.body).sort(), ["data", "timestamp", "type"]);
  assert.equal(message.body["type"], "task.succeeded");
  assert.match(String(message.body["timestamp"]), /^\d{4}-.*Z$/);
  const queried = (await client.get<Envelope<object>>(`/musicA/fetch/${id}`)).body.data;
  assert.deepEqual(message.body["data"], queried);
  assert.throws(() => verify({ ...message, text: message.text.replace("SUCCESS", "FAILURE") }, webhook.secret));
  assert.equal(receiver.at("/plain").filter(aboutTask(id)).length, 1);
});

test("task.updated tells of the way, task.failed of a cancelled task", async () => {
  const webhook = await subscribe("/all", ["task.updated", "task.succeeded", "task.failed"]);
  const { id } = (await client.post<VideoTask>("/custom_video/model/x", { prompt: "x", duration: 20 })).body;
  const started = await receiver.next("/all", (message) => aboutTask(id)(message) && message.body["type"] === "task.updated");
  assert.equal(Reflect.get(Object(started.body["data"]), "status"), "IN_PROGRESS");
  await client.post(`/v1/tasks/${id}/cancel`);
  const failed = await receiver.next("/all", (message) => aboutTask(id)(message) && message.body["type"] === "task.failed");
  verify(failed, webhook.secret);
  assert.equal(Reflect.get(Object(failed.body["data"]), "status"), "FAILURE");
  assert.deepEqual(Object.keys(Object(failed.body["data"])).includes("video_url"), true, "a video in the words of the video group");
  await client.delete(`/v1/webhooks/${webhook.id}`);
});

test("an address given with a create gets the plain record of its dialect, signed with the account's secret", async () => {
  const { secret } = (await client.post<{ secret: string }>("/v1/webhooks/secret")).body;
  const id = await makeLyrics({ notify_hook: `${receiver.url}/inline` });
  const message = await receiver.next("/inline", aboutTask(id));
  verify(message, secret);
  assert.deepEqual(message.body, (await client.get<Envelope<object>>(`/musicA/fetch/${id}`)).body.data);
  assert.equal(receiver.at("/inline").length, 1, "the final state alone");
  const rotated = (await client.post<{ secret: string }>("/v1/webhooks/secret")).body.secret;
  assert.notEqual(rotated, secret);
  const next = await makeLyrics({ notify_hook: `${receiver.url}/inline` });
  const second = await receiver.next("/inline", aboutTask(next));
  verify(second, rotated);
  assert.throws(() => verify(second, secret));
  // What a receiver has is written down as delivered a moment later.
  const log = await eventually(async () => {
    const listed = await deliveries("inline");
    return listed.every(({ state }) => state === "delivered") && listed;
  });
  assert.deepEqual(
    log.map(({ webhook, url }) => [webhook, url]),
    [
      [null, `${receiver.url}/inline`],
      [null, `${receiver.url}/inline`],
    ],
  );
});

test("`notifyHook` tells of every change, `callback_url` and `webhook_url` send a typed event at the end", async () => {
  const { id } = (await client.post<VideoTask>("/custom_video/model/x", { prompt: "x", duration: 1, notifyHook: `${receiver.url}/every` }))
    .body;
  const end = await receiver.next("/every", ({ body }) => body["status"] === "SUCCESS");
  assert.equal(end.body["id"], id);
  const states = await eventually(() => {
    const seen = receiver.at("/every").map(({ body }) => body["status"]);
    return seen.includes("IN_PROGRESS") && seen;
  });
  assert.ok(states.length >= 2);
  for (const name of ["callback_url", "webhook_url"]) {
    const task = await makeLyrics({ [name]: `${receiver.url}/${name}` });
    const { body } = await receiver.next(`/${name}`);
    assert.equal(body["type"], "task.succeeded");
    assert.equal(Reflect.get(Object(body["data"]), "task_id"), task);
    assert.equal(receiver.at(`/${name}`).length, 1);
  }
});

test("a failed delivery is tried again under the same id, and the log tells it", async () => {
  const webhook = await subscribe("/flaky");
  receiver.answer("/flaky", 500, 301);
  const id = await makeLyrics();
  const first = await receiver.next("/flaky", aboutTask(id));
  await eventually(async () => (await deliveries(webhook.id)).some(({ attempts }) => attempts === 1));
  const [failed] = await deliveries(webhook.id);
  assert.deepEqual([failed?.state, failed?.last_status, failed?.task, failed?.type], ["pending", 500, id, "task.succeeded"]);
  assert.ok(failed !== undefined && failed.last_error !== null && failed.delivered_at === null);
  clock.advance(6_000);
  await eventually(() => receiver.at("/flaky").length === 2);
  await eventually(async () => (await deliveries(webhook.id))[0]?.last_status === 301);
  assert.equal((await deliveries(webhook.id))[0]?.state, "pending", "a redirect is not a delivery");
  // Five minutes more or less; longer would be more than a receiver takes as fresh.
  clock.advance(5 * 60_000 + 31_000);
  await eventually(async () => (await deliveries(webhook.id))[0]?.state === "delivered");
  const ids = receiver.at("/flaky").map(({ headers }) => headers["webhook-id"]);
  assert.deepEqual(ids, [first.headers["webhook-id"], first.headers["webhook-id"], first.headers["webhook-id"]]);
  const [done] = await deliveries(webhook.id);
  assert.deepEqual([done?.attempts, done?.last_status], [3, 200]);
  await client.delete(`/v1/webhooks/${webhook.id}`);
});

test("a delivery can be sent again", async () => {
  const webhook = await subscribe("/again");
  const id = await makeLyrics();
  await receiver.next("/again", aboutTask(id));
  const delivery = await eventually(async () => (await deliveries(webhook.id)).find(({ state }) => state === "delivered"));
  const { status, body } = await client.post<Delivery>(`/v1/webhooks/deliveries/${delivery.id}/resend`);
  assert.deepEqual([status, body.id, body.state], [200, delivery.id, "pending"]);
  await eventually(() => receiver.at("/again").length === 2);
  const [first, second] = receiver.at("/again");
  assert.deepEqual(second?.body, first?.body);
  assert.equal(second?.headers["webhook-id"], delivery.id);
  await client.delete(`/v1/webhooks/${webhook.id}`);
});

test("410 disables an endpoint; a new secret switches it on again", async () => {
  const webhook = await subscribe("/gone");
  receiver.answer("/gone", 410);
  await makeLyrics();
  await eventually(async () => (await client.get<Webhook>(`/v1/webhooks/${webhook.id}`)).body.disabled);
  assert.deepEqual(
    (await deliveries(webhook.id)).map(({ state, last_status }) => [state, last_status]),
    [["failed", 410]],
  );
  await makeLyrics();
  assert.equal((await deliveries(webhook.id)).length, 1, "nothing more is planned for it");
  const { body: rotated } = await client.post<Webhook>(`/v1/webhooks/${webhook.id}/rotate`);
  assert.equal(rotated.disabled, false);
  assert.notEqual(rotated.secret, webhook.secret);
  const id = await makeLyrics();
  await receiver.next("/gone", aboutTask(id));
  await client.delete(`/v1/webhooks/${webhook.id}`);
});

test("a record that is too long for a message is announced without its content", async () => {
  const prompt = `[Verse]\n${"la ".repeat(6_600)}`;
  const { task_id } = (await client.post<{ task_id: string }>("/musicA/submit/music", { prompt, notify_hook: `${receiver.url}/long` }))
    .body;
  await client.post(`/v1/tasks/${task_id}/cancel`);
  const { text, body } = await receiver.next("/long");
  assert.ok(Buffer.byteLength(text) < 20_000);
  assert.deepEqual([body["task_id"], body["status"]], [task_id, "FAILURE"]);
});

test("a test event arrives, signed", async () => {
  const webhook = await subscribe("/test", ["task.failed"]);
  const { status, body } = await client.post<Delivery>(`/v1/webhooks/${webhook.id}/test`);
  assert.deepEqual([status, body.state, body.type], [200, "pending", "webhook.test"]);
  const message = await receiver.next("/test");
  assert.equal(message.body["type"], "webhook.test");
  assert.equal(message.headers["webhook-id"], body.id);
});

test("endpoints are listed without their secrets, deleted ones are gone, and addresses are checked", async () => {
  const { body } = await client.get<List<Webhook>>("/v1/webhooks");
  assert.ok(body.data.length >= 2 && body.data.every((webhook) => !Object.hasOwn(webhook, "secret")));
  const webhook = await subscribe("/short");
  assert.deepEqual((await client.delete(`/v1/webhooks/${webhook.id}`)).body, { id: webhook.id, object: "webhook.deleted", deleted: true });
  assert.equal((await client.get(`/v1/webhooks/${webhook.id}`)).status, 404);
  const id = await makeLyrics();
  await receiver.next("/plain", aboutTask(id));
  assert.deepEqual(receiver.at("/short"), []);
  for (const wrong of [
    {},
    { url: 1 },
    { url: "nonsense" },
    { url: "ftp://example.org" },
    { url: "http://10.0.0.1/" },
    { url: receiver.url, events: [] },
    { url: receiver.url, events: ["task.dreamt"] },
  ]) {
    const reply = await client.post<PlainError>("/v1/webhooks", wrong);
    assert.deepEqual([reply.status, reply.body.error.code], [400, "invalid_request"], JSON.stringify(wrong));
  }
});

test("every reply of this journey keeps the contract", () => client.book.check());
