import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createClient } from "../support/client.ts";
import { readEvents } from "../support/event-stream.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway } from "../support/gateway.ts";
import { startLabGateway } from "../support/lab-gateway.ts";
import { uuid } from "../support/samples.ts";
import type { Balance, CreatedClip, Envelope, EnvelopeError, List, TaskRecord, VideoTask } from "../support/wire.ts";

const upstream = await startLabGateway({ credit: 10 });
const { client, lab, clock, reach, sent } = upstream;
const local = await startGateway();
after(async () => {
  await upstream.end();
  await local.end();
});
const here = createClient(local.url, local.firstKey);
type Cancelled = TaskRecord & { charged: boolean };

const video = async (prompt: string, asking = client) =>
  (await asking.post<VideoTask>("/custom_video/model/gen4.5", { prompt, duration: 5 })).body.id;
const music = async (text: string) =>
  (await client.post<CreatedClip>("/musicA/submit/music", { gpt_description_prompt: text })).body.task_id;
const lyrics = async () => (await client.post<Envelope<string>>("/musicA/submit/lyrics", { prompt: "x" })).body.data;
const balance = async () => (await client.get<Balance>("/v1/balance")).body;
const ids = async (query: string) => (await client.get<List<TaskRecord>>(`/v1/tasks${query}`)).body.data.map(({ id }) => id);

const recordFields = [
  "id",
  "object",
  "kind",
  "model",
  "prompt",
  "title",
  "parent",
  "status",
  "progress",
  "created_at",
  "started_at",
  "finished_at",
  "cost_usd",
  "error",
  "assets",
  "result",
];

test("the record of a task has its fields, from the first to the last state", async () => {
  const id = await video("[lab:seconds=40]");
  const first = (await client.get<TaskRecord>(`/v1/tasks/${id}`)).body;
  assert.deepEqual(Object.keys(first).toSorted(), [...recordFields, "request"].toSorted());
  assert.deepEqual(
    [first.object, first.kind, first.model, first.progress, first.finished_at, first.result],
    ["task", "video", "gen4.5", 0, null, null],
  );
  assert.deepEqual([first.cost_usd, first.error, first.assets], [0, null, []]);
  assert.match(first.id, uuid);
  await reach(id, "SUCCESS");
  const last = (await client.get<TaskRecord>(`/v1/tasks/${id}`)).body;
  assert.deepEqual([last.status, last.progress, last.cost_usd], ["SUCCESS", 100, 0.6]);
  assert.ok(
    last.started_at !== null && last.finished_at !== null && last.created_at <= last.started_at && last.started_at <= last.finished_at,
  );
  const [asset] = last.assets;
  assert.ok(asset !== undefined && asset.url.includes(asset.id) && asset.bytes > 0 && asset.expires_at > last.finished_at);
  assert.deepEqual([asset.kind, asset.mime], ["video", "video/mp4"]);
});

test("tasks are listed newest first, page by page, each once", async () => {
  const made = [await video("a"), await music("b"), await lyrics(), await video("c"), await music("d")];
  const all = await ids("?limit=100");
  assert.deepEqual(all.slice(0, 5), made.toReversed());
  const paged: string[] = [];
  for (let place = "", more = true; more;) {
    const { body } = await client.get<List<TaskRecord>>(`/v1/tasks?limit=2${place}`);
    assert.equal(body.object, "list");
    assert.ok(body.data.length <= 2);
    paged.push(...body.data.map(({ id }) => id));
    place = `&after=${paged.at(-1)}`;
    more = body.has_more;
  }
  assert.deepEqual(paged, all);
  for (const query of ["?limit=0", "?limit=101", "?limit=x", "?limit=-1", "?limit=2&limit=3"]) {
    const { status, body } = await client.get<EnvelopeError>(`/v1/tasks${query}`);
    assert.deepEqual([status, body.error.code, body.error.param], [400, "invalid_request", "limit"], query);
  }
  for (const id of made) await reach(id, "SUCCESS");
});

test("filters keep what they name", async () => {
  const failed = await video("[lab:fail=policy]");
  await reach(failed, "FAILURE");
  assert.deepEqual(await ids("?status=FAILURE"), [failed]);
  assert.equal((await ids("?status=SUCCESS")).length, 6);
  assert.deepEqual(await ids("?status=SUBMITTED"), []);
  assert.equal((await ids("?kind=music")).length, 2);
  assert.equal((await ids("?kind=lyrics")).length, 1);
  assert.equal((await ids("?kind=video&status=SUCCESS&model=gen4.5")).length, 3);
  assert.deepEqual(await ids("?model=unknown"), []);
  const { created_at } = (await client.get<TaskRecord>(`/v1/tasks/${failed}`)).body;
  assert.ok((await ids(`?created_after=${created_at}`)).includes(failed));
  assert.ok(!(await ids(`?created_before=${created_at}`)).includes(failed));
  assert.deepEqual(await ids(`?created_after=${created_at + 1}`), []);
  for (const query of ["?status=DONE", "?kind=opera", "?created_after=yesterday", "?created_before=1e9"])
    assert.equal((await client.get(`/v1/tasks${query}`)).status, 400, query);
});

test("a waiting task is cancelled free of charge", async () => {
  const before = (await here.get<Balance>("/v1/balance")).body;
  const running = await video("long", here);
  const waiting = (await here.post<VideoTask>("/custom_video/model/x", { prompt: "waits", duration: 20 })).body.id;
  const { status, body } = await here.post<Cancelled>(`/v1/tasks/${waiting}/cancel`);
  assert.deepEqual([status, body.status, body.error?.code, body.charged, body.cost_usd], [200, "FAILURE", "cancelled", false, 0]);
  assert.notEqual(body.finished_at, null);
  await eventually(async () => (await here.get<TaskRecord>(`/v1/tasks/${running}`)).body.status === "IN_PROGRESS");
  const stopped = (await here.post<Cancelled>(`/v1/tasks/${running}/cancel`)).body;
  assert.deepEqual([stopped.status, stopped.error?.code, stopped.charged], ["FAILURE", "cancelled", false], "nor does one that runs here");
  assert.deepEqual((await here.get<Balance>("/v1/balance")).body, before);
  const next = (
    await here.post<{ status: string }>("/custom_video/model/x", { prompt: "next", duration: 1 }, { headers: { prefer: "wait=30" } })
  ).body;
  assert.equal(next.status, "SUCCESS", "its place is free again");
});

test("an upstream that confirms makes a cancelled task free", async () => {
  const before = await balance();
  const id = await video("[lab:seconds=600]");
  await sent(id);
  const { body } = await client.post<Cancelled>(`/v1/tasks/${id}/cancel`);
  assert.deepEqual([body.status, body.error?.code, body.charged, body.cost_usd], ["FAILURE", "cancelled", false, 0]);
  assert.equal(lab.jobs().find(({ prompt }) => prompt === "[lab:seconds=600]")?.state, "cancelled");
  assert.deepEqual(await balance(), before);
});

test("an upstream that cannot confirm is paid in full, and the reply says so", async () => {
  const before = await balance();
  const id = await music("[lab:seconds=600] song");
  await sent(id);
  const { body } = await client.post<Cancelled>(`/v1/tasks/${id}/cancel`);
  assert.deepEqual([body.status, body.error?.code, body.charged, body.cost_usd], ["FAILURE", "cancelled", true, 0.1]);
  assert.match(body.error?.message ?? "", /charged/);
  const now = await balance();
  assert.deepEqual([Math.round((now.used_usd - before.used_usd) * 1e9), now.held_usd], [100_000_000, before.held_usd]);
});

test("of many cancels at once one counts, and money moves once", async () => {
  const before = await balance();
  const id = await music("[lab:seconds=600] contested");
  await sent(id);
  const replies = await Promise.all(Array.from({ length: 20 }, () => client.post<Cancelled & EnvelopeError>(`/v1/tasks/${id}/cancel`)));
  assert.deepEqual(
    replies.map(({ status }) => status).filter((status) => status !== 409),
    [200],
  );
  const now = await balance();
  assert.equal(Math.round((now.used_usd - before.used_usd) * 1e9), 100_000_000);
  assert.equal(now.held_usd, before.held_usd);
});

test("what has ended can be deleted with its assets, but not cancelled; what runs the other way round", async () => {
  const id = await video("short");
  const early = await client.delete<EnvelopeError>(`/v1/tasks/${id}`);
  assert.deepEqual([early.status, early.body.error.code], [409, "task_not_ready"]);
  await reach(id, "SUCCESS");
  const late = await client.post<EnvelopeError>(`/v1/tasks/${id}/cancel`);
  assert.deepEqual([late.status, late.body.error.code], [409, "task_finished"]);
  const { assets } = (await client.get<TaskRecord>(`/v1/tasks/${id}`)).body;
  const before = await balance();
  const gone = await client.delete(`/v1/tasks/${id}`);
  assert.deepEqual([gone.status, gone.body], [200, { id, object: "task.deleted", deleted: true }]);
  assert.equal((await client.get(`/v1/tasks/${id}`)).status, 404);
  assert.equal((await client.get(`/custom_video/fetch/${id}`)).status, 404);
  assert.equal((await client.delete(`/v1/tasks/${id}`)).status, 404);
  assert.equal((await fetch(assets[0]?.url ?? "")).status, 404);
  assert.deepEqual(await balance(), before, "what was spent stays spent");
});

test("the stream of a task tells its state at once, then each change, and ends with it", async () => {
  const id = await video("[lab:queue=20] [lab:seconds=40] streamed");
  await sent(id);
  const at = `${client.url}/v1/tasks/${id}/events`;
  const headers = { authorization: `Bearer ${client.key}` };
  const first = await readEvents(at, { headers, enough: (events) => events.length === 1 });
  assert.equal(first.status, 200);
  assert.match(first.headers.get("content-type") ?? "", /^text\/event-stream/);
  assert.notEqual(first.headers.get("x-request-id"), null);
  assert.deepEqual([first.events[0]?.event, first.events[0]?.data["status"], first.events[0]?.data["object"]], ["task", "QUEUED", "task"]);
  const whole = readEvents(at, { headers });
  clock.advance(31_000);
  await reach(id, "SUCCESS");
  const { events, ended } = await whole;
  assert.ok(ended);
  assert.deepEqual(Object.keys(events.at(-1)?.data ?? {}).toSorted(), recordFields.toSorted());
  const numbers = events.map(({ id: number }) => Number(number));
  assert.deepEqual(
    numbers,
    [...new Set(numbers)].toSorted((a, b) => a - b),
  );
  const [, second] = events;
  assert.ok(second !== undefined);
  const resumed = await readEvents(at, { headers: { ...headers, "last-event-id": String(events[0]?.id) } });
  assert.deepEqual(
    resumed.events.map(({ data }) => data["status"]),
    ["SUCCESS"],
    "a late one gets what it has missed",
  );
  const nothing = await readEvents(at, { headers: { ...headers, "last-event-id": String(events.at(-1)?.id) } });
  assert.deepEqual([nothing.events, nothing.ended], [[], true]);
});

test("a caller that goes away does not disturb the task", async () => {
  const id = await video("[lab:seconds=40] abandoned");
  await readEvents(`${client.url}/v1/tasks/${id}/events`, {
    headers: { authorization: `Bearer ${client.key}` },
    enough: (events) => events.length > 0,
  });
  const leaving = new AbortController();
  const waiting = fetch(`${client.url}/custom_video/model/gen4.5`, {
    method: "POST",
    headers: { authorization: `Bearer ${client.key}`, "content-type": "application/json", prefer: "wait=60" },
    body: JSON.stringify({ prompt: "left alone" }),
    signal: leaving.signal,
  });
  const left = await eventually(
    async () => (await client.get<List<TaskRecord>>("/v1/tasks?limit=1")).body.data.find((task) => task.id !== id)?.id,
  );
  leaving.abort();
  await assert.rejects(waiting);
  for (const task of [id, left]) assert.equal((await reach(task, "SUCCESS", "FAILURE")).status, "SUCCESS");
});

test("every reply of this journey keeps the contract", async () => {
  await client.book.check();
  await here.book.check();
});
