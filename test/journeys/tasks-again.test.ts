import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createClient } from "../support/client.ts";
import { startLabGateway } from "../support/lab-gateway.ts";
import type { Balance, CreatedClip, EnvelopeError, List, TaskRecord, VideoTask, WholeTask } from "../support/wire.ts";

const upstream = await startLabGateway({ credit: 20, types: ["runway", "suno-relay", "luma", "openai-videos"] });
const { client, gateway, account, reach } = upstream;
after(() => upstream.end());

type Story = WholeTask & {
  account: string;
  account_name: string;
  key: string | null;
  queue_wait_s: number;
  attempts: Record<string, unknown>[];
  money: { at: number; kind: string; amount_usd: number }[];
  deliveries: unknown[];
};

const video = async (prompt: string, more: object = {}) =>
  (await client.post<VideoTask>("/custom_video/model/gen4.5", { prompt, duration: 5, ...more })).body.id;
const whole = async (id: string) => (await client.get<WholeTask>(`/v1/tasks/${id}`)).body;
const found = async (query: string) => (await client.get<List<TaskRecord>>(`/v1/tasks?${query}`)).body.data.map(({ id }) => id);
const spent = async () => (await client.get<Balance>("/v1/balance")).body.used_usd;

test("a task tells what was asked, and the request that asks the same again", async () => {
  const id = await video("A tall ship, 100% ☃", { aspect_ratio: "1280:720" });
  const task = await whole(id);
  assert.deepEqual([task.prompt, task.title, task.parent], ["A tall ship, 100% ☃", "", null]);
  assert.deepEqual(task.request, {
    path: "/custom_video/model/gen4.5",
    body: { prompt: "A tall ship, 100% ☃", duration: 5, aspect_ratio: "16:9" },
  });
  const again = await client.post<VideoTask>(task.request?.path ?? "", task.request?.body);
  assert.equal(again.status, 200);
  assert.deepEqual((await whole(again.body.id)).request, task.request);
  for (const made of [id, again.body.id]) await reach(made, "SUCCESS");
  assert.deepEqual(await found("q=TALL%20SHIP"), [again.body.id, id]);
  assert.deepEqual(await found("q=100%25"), [again.body.id, id]);
  assert.deepEqual(await found("q=1_0%25"), []);
  assert.deepEqual(await found("q=tall&status=FAILURE"), []);
  assert.equal((await found("q=%20")).length, 2, "spaces alone look for nothing");
  assert.equal((await client.get(`/v1/tasks?q=${"x".repeat(201)}`)).status, 400);
});

test("a song and what goes on from it are one family, seen from either", async () => {
  const first = (await client.post<CreatedClip>("/musicA/submit/music", { gpt_description_prompt: "rain" })).body.task_id;
  await reach(first, "SUCCESS");
  const songs = (await whole(first)).result?.["songs"] as { id: string; title: string }[];
  const continued = await client.post<CreatedClip>("/musicA/submit/music", { continue_clip_id: songs[0]?.id, prompt: "and sun" });
  const next = continued.body.task_id;
  const task = await whole(next);
  assert.deepEqual(task.parent, { task: first, relation: "continuation" });
  assert.equal(task.request?.body["continue_clip_id"], songs[0]?.id);
  assert.equal((await whole(first)).title, songs[0]?.title);
  for (const id of [first, next]) {
    const { body } = await client.get<List<TaskRecord>>(`/v1/tasks/${id}/lineage`);
    assert.deepEqual(
      body.data.map((member) => member.id),
      [first, next],
    );
    assert.equal(body.has_more, false);
  }
  assert.deepEqual(await found(`parent=${first}`), [next]);
  assert.deepEqual(await found(`parent=${next}`), []);
  const stranger = client.as((await gateway.customer(1)).key);
  for (const [method, path] of [
    ["GET", `/v1/tasks/${first}/lineage`],
    ["POST", `/v1/tasks/${first}/retry`],
  ] as const) {
    const { status, body } = await stranger.call<EnvelopeError>(method, path);
    assert.deepEqual([status, body.error.code], [404, "task_not_found"], path);
  }
  await reach(next, "SUCCESS");
});

test("a finished task is made again as a new one, and paid for again", async () => {
  const id = await video("[lab:fail=policy] no");
  const early = await client.post<EnvelopeError>(`/v1/tasks/${id}/retry`);
  assert.deepEqual([early.status, early.body.error.code], [409, "task_not_ready"]);
  await reach(id, "FAILURE");
  const good = await video("yes");
  await reach(good, "SUCCESS");
  const before = await spent();
  const named = { headers: { "idempotency-key": "again" } };
  const { status, body } = await client.post<TaskRecord>(`/v1/tasks/${good}/retry`, undefined, named);
  assert.deepEqual([status, body.status, body.prompt, body.model, body.kind], [200, "SUBMITTED", "yes", "gen4.5", "video"]);
  assert.notEqual(body.id, good);
  const replayed = await client.post<TaskRecord>(`/v1/tasks/${good}/retry`, undefined, named);
  assert.deepEqual([replayed.body.id, replayed.headers.get("idempotent-replayed")], [body.id, "true"]);
  const other = await client.post<EnvelopeError>(`/v1/tasks/${id}/retry`, undefined, named);
  assert.equal(other.body.error.code, "idempotency_mismatch");
  await reach(body.id, "SUCCESS");
  assert.equal(Math.round(((await spent()) - before) * 1e9), 600_000_000);
  assert.deepEqual((await whole(body.id)).request, (await whole(good)).request);
});

test("a key that may look at tasks may not for that reason make them again", async () => {
  const id = await video("mine");
  await reach(id, "SUCCESS");
  const make = async (limits: object) => {
    const { body } = await gateway.admin("POST", "/admin/v1/keys", { account, name: "limited", ...limits });
    return createClient(client.url, String(body["key"]), client.book);
  };
  const looker = await make({ scopes: ["tasks"] });
  assert.equal((await looker.get(`/v1/tasks/${id}`)).status, 200);
  assert.equal((await looker.post(`/v1/tasks/${id}/retry`)).status, 403);
  assert.equal((await (await make({ models: ["other"] })).post(`/v1/tasks/${id}/retry`)).status, 403);
  const maker = await make({ scopes: ["tasks", "video"] });
  const made = await maker.post<TaskRecord>(`/v1/tasks/${id}/retry`);
  assert.equal(made.status, 200);
  await reach(made.body.id, "SUCCESS");
});

test("an uploaded file that is gone is told before anything is paid", async () => {
  const form = new FormData();
  const pixel = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
  form.append("file", new Blob([pixel], { type: "image/png" }), "a.png");
  form.append("purpose", "input");
  const file = (await client.post<{ id: string }>("/v1/files", undefined, { raw: form })).body.id;
  const id = await video("from a picture", { image: file });
  assert.equal((await whole(id)).request?.body["image"], file);
  await reach(id, "SUCCESS", "FAILURE");
  await client.delete(`/v1/files/${file}`);
  const { status, body } = await client.post<EnvelopeError>(`/v1/tasks/${id}/retry`);
  assert.deepEqual([status, body.error.code], [400, "input_unreachable"]);
});

test("operators see when what happened, by whom and for how much, and may ask again for the account", async () => {
  const id = await video("the whole story");
  await reach(id, "SUCCESS");
  const { body } = await gateway.admin("GET", `/admin/v1/tasks/${id}`);
  const story = body as unknown as Story;
  assert.deepEqual([story.account, story.key !== null, story.request?.path], [account, true, "/custom_video/model/gen4.5"]);
  assert.match(story.account_name, /^customer/);
  assert.ok(story.queue_wait_s >= 0);
  const [attempt] = story.attempts;
  assert.equal(attempt?.["provider"], "runway");
  const { created_at, accepted_at, ended_at } = attempt as { created_at: number; accepted_at: number; ended_at: number };
  assert.ok(created_at <= accepted_at && accepted_at <= ended_at && ended_at < 1e11, "seconds, in order");
  assert.ok(!JSON.stringify(story).includes("lab-key"));
  assert.deepEqual(
    story.money.map(({ kind, amount_usd }) => [kind, amount_usd]),
    [
      ["hold", 0.6],
      ["settle", 0.6],
    ],
  );
  const before = await spent();
  const again = await gateway.admin("POST", `/admin/v1/tasks/${id}/retry`);
  assert.equal(again.status, 200);
  const made = await reach(String(again.body["id"]), "SUCCESS");
  assert.equal((made as unknown as Story).key, null);
  assert.equal(Math.round(((await spent()) - before) * 1e9), 600_000_000);
  const audit = await gateway.admin("GET", "/admin/v1/audit?limit=1");
  assert.deepEqual(
    (audit.body["data"] as Record<string, unknown>[]).map(({ act, subject, detail }) => [act, subject, detail]),
    [["task.retry", id, { task: again.body["id"] }]],
  );
  assert.equal((await gateway.admin("POST", "/admin/v1/tasks/none/retry")).status, 404);
});

test("every reply of this journey keeps the contract", () => client.book.check());
