import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { startLabGateway } from "../support/lab-gateway.ts";
import { startReceiver } from "../support/receiver.ts";
import { png } from "../support/samples.ts";
import type {
  CreatedClip,
  Delivery,
  Envelope,
  EnvelopeError,
  FileRecord,
  List,
  PlainError,
  TaskRecord,
  VideoTask,
  Webhook,
} from "../support/wire.ts";

const receiver = await startReceiver();
const { client: owner, gateway, reach, end } = await startLabGateway({ env: { GENWAY_OUTBOUND_ALLOW: "127.0.0.0/8" } });
after(async () => {
  await end();
  await receiver.close();
});
const stranger = owner.as((await gateway.customer(10)).key);

const webhook = (await owner.post<Webhook>("/v1/webhooks", { url: `${receiver.url}/mine` })).body;
const video = (await owner.post<VideoTask>("/custom_video/model/gen4.5", { prompt: "mine" })).body.id;
const music = (await owner.post<CreatedClip>("/musicA/submit/music", { gpt_description_prompt: "mine" })).body;
const lyrics = (await owner.post<Envelope<string>>("/musicA/submit/lyrics", { prompt: "mine" })).body.data;
for (const id of [video, music.task_id, lyrics]) await reach(id, "SUCCESS");
const form = new FormData();
form.append("file", new Blob([png(8, 8)]), "mine.png");
const file = (await owner.call<FileRecord>("POST", "/v1/files", undefined, { raw: form })).body.id;
const delivery = await eventually(async () => {
  const { body } = await owner.get<List<Delivery>>(`/v1/webhooks/${webhook.id}/deliveries`);
  return body.data.filter(({ state }) => state === "delivered").length === 3 && body.data[0]?.id;
});

/** Every operation that takes the id of something: what it answers its owner, and never a stranger. */
const operations: [string, string, unknown?][] = [
  ["GET", `/custom_video/fetch/${video}`],
  ["GET", `/custom_video/${video}`],
  ["GET", `/custom_video/tasks/${video}`],
  ["GET", `/custom_video/model/gen4.5/${video}`],
  ["GET", `/musicA/fetch/${music.task_id}`],
  ["GET", `/musicA/fetch/${music.id}`],
  ["GET", `/suno/fetch/${lyrics}`],
  ["GET", `/musicB/fetch/${music.task_id}`],
  ["GET", `/udio/fetch/${music.id}`],
  ["POST", "/musicA/submit/music", { continue_clip_id: music.id }],
  ["GET", `/v1/tasks/${video}`],
  ["GET", `/v1/tasks/${video}/events`],
  ["POST", `/v1/tasks/${video}/cancel`],
  ["DELETE", `/v1/tasks/${video}`],
  ["GET", `/v1/files/${file}`],
  ["DELETE", `/v1/files/${file}`],
  ["GET", `/v1/webhooks/${webhook.id}`],
  ["POST", `/v1/webhooks/${webhook.id}/rotate`],
  ["POST", `/v1/webhooks/${webhook.id}/test`],
  ["GET", `/v1/webhooks/${webhook.id}/deliveries`],
  ["POST", `/v1/webhooks/deliveries/${delivery}/resend`],
  ["DELETE", `/v1/webhooks/${webhook.id}`],
];

test("a stranger gets 404 from every operation that names something of another account", async () => {
  const before = receiver.received.length;
  for (const [method, path, body] of operations) {
    const reply = await stranger.call<PlainError>(method, path, body);
    assert.equal(reply.status, 404, `${method} ${path} → ${reply.text}`);
    assert.match(reply.body.error.code, /^(task_)?not_found$/);
    const twin = path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, "01234567-89ab-7def-8123-456789abcdef");
    const unknown = await stranger.call<PlainError>(
      method,
      twin,
      body === undefined ? undefined : { continue_clip_id: "01234567-89ab-7def-8123-456789abcdef" },
    );
    assert.deepEqual(reply.body, unknown.body, "what is another's looks like what is not there");
  }
  assert.equal(receiver.received.length, before, "nothing was sent in the owner's name");
});

test("lists show a stranger nothing, and a foreign upload cannot be used", async () => {
  for (const path of ["/v1/tasks", "/v1/files", "/v1/webhooks", "/v1/webhooks/inline/deliveries"]) {
    const { status, body } = await stranger.get<List<unknown>>(path);
    assert.deepEqual([status, body], [200, { object: "list", data: [], has_more: false }], path);
  }
  for (const last of [video, music.task_id]) assert.deepEqual((await stranger.get<List<unknown>>(`/v1/tasks?after=${last}`)).body.data, []);
  assert.deepEqual((await stranger.post<Envelope<unknown[]>>("/musicA/fetch", { ids: [music.task_id, music.id, lyrics] })).body.data, []);
  const used = await stranger.post<EnvelopeError>("/custom_video/model/gen4.5", { prompt: "x", image: file });
  assert.deepEqual([used.status, used.body.error.param], [400, "image"]);
});

test("an owner's key of the same account sees all of it", async () => {
  const { body: account } = await gateway.admin("GET", `/admin/v1/tasks/${video}`);
  const { body } = await gateway.admin("POST", "/admin/v1/keys", { account: account["account"], name: "second" });
  const second = owner.as(String(body["key"]));
  assert.equal((await second.get<List<TaskRecord>>("/v1/tasks")).body.data.length, 3);
  assert.equal((await second.get(`/v1/files/${file}`)).status, 200);
});

test("after all that the owner still has everything", async () => {
  assert.equal((await owner.get<TaskRecord>(`/v1/tasks/${video}`)).body.status, "SUCCESS");
  assert.equal((await owner.get(`/v1/files/${file}`)).status, 200);
  assert.equal((await owner.get<Webhook>(`/v1/webhooks/${webhook.id}`)).body.disabled, false);
  const ids = (await owner.get<List<TaskRecord>>("/v1/tasks")).body.data.map(({ id }) => id);
  assert.deepEqual(ids.toSorted(), [video, music.task_id, lyrics].toSorted());
});

test("every reply of this journey keeps the contract", () => owner.book.check());
