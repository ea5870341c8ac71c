import assert from "node:assert/strict";
import { after, test } from "node:test";
import { checkClip } from "../support/clip-shape.ts";
import { startLabGateway } from "../support/lab-gateway.ts";
import type { CreatedClip, Envelope, EnvelopeError, MusicTask } from "../support/wire.ts";

const { client, gateway, lab, clock, account, reach, sent, end } = await startLabGateway();
after(end);

const taskFields = {
  task_id: "string",
  action: "string",
  status: "string",
  fail_reason: "string",
  submit_time: "number",
  start_time: "number",
  finish_time: "number",
  progress: "string",
  data: "object",
};
const clipWords: Record<string, string> = {
  SUBMITTED: "submitted",
  QUEUED: "queued",
  IN_PROGRESS: "streaming",
  SUCCESS: "complete",
  FAILURE: "error",
};

async function query(id: string, path = "/musicA/fetch"): Promise<MusicTask> {
  const { status, body, text } = await client.get<Envelope<MusicTask>>(`${path}/${id}`);
  assert.equal(status, 200, text);
  assert.deepEqual([body.code, body.message], ["success", ""]);
  for (const [name, type] of Object.entries(taskFields)) assert.equal(typeof Reflect.get(body.data, name), type, name);
  assert.match(body.data.progress, /^\d{1,3}%$/);
  assert.equal(body.data.action, "MUSIC");
  assert.equal(body.data.data.length, 2);
  for (const clip of body.data.data) {
    checkClip(clip);
    assert.equal(clip.status, clipWords[body.data.status]);
    assert.equal(clip.user_id, account);
  }
  return body.data;
}

async function submit(text: string): Promise<CreatedClip> {
  return (await client.post<CreatedClip>("/musicA/submit/music", { gpt_description_prompt: text, mv: "chirp-v4" })).body;
}

const created = await submit("a song [lab:queue=20] [lab:seconds=40]");

test("a task is found by its id and by the ids of both clips, at either address", async () => {
  const task = await query(created.task_id);
  assert.equal(task.task_id, created.task_id);
  assert.ok(task.data.some(({ id }) => id === created.id));
  for (const { id } of task.data) assert.equal((await query(id, "/suno/fetch")).task_id, created.task_id);
});

test("the record is complete in every state on the way", async () => {
  await sent(created.task_id);
  const waiting = await query(created.task_id);
  assert.deepEqual([waiting.status, waiting.start_time, waiting.finish_time], ["QUEUED", 0, 0]);
  await reach(created.task_id, "IN_PROGRESS");
  const running = await query(created.task_id);
  assert.equal(running.status, "IN_PROGRESS");
  assert.ok(running.start_time > 0 && running.finish_time === 0 && running.data.every(({ audio_url }) => audio_url === ""));
  clock.advance(20_000);
  await reach(created.task_id, "SUCCESS");
  const done = await query(created.task_id);
  assert.deepEqual([done.status, done.progress, done.fail_reason], ["SUCCESS", "100%", ""]);
  assert.ok(done.finish_time >= done.start_time && done.start_time >= done.submit_time);
  for (const clip of done.data) {
    assert.deepEqual([clip.title, clip.metadata.tags, clip.model_name], ["Rain again", "folk, slow", "chirp-v4"]);
    assert.ok(clip.metadata.duration > 2);
    for (const url of [clip.audio_url, clip.image_url, clip.image_large_url, clip.video_url])
      assert.ok(url.startsWith(`${gateway.url}/assets/`), url);
    assert.equal((await fetch(clip.audio_url)).status, 200);
  }
});

test("no word of the upstream reaches the client", async () => {
  const { text } = await client.get(`/musicA/fetch/${created.task_id}`);
  const job = lab.jobs().find(({ prompt }) => prompt.startsWith("a song"));
  assert.ok(job !== undefined);
  assert.ok(!text.includes(job.id) && !text.includes(lab.url) && !text.includes("lab-key") && !text.includes(`"lab"`), text);
});

test("a failed task says why in its own words, costs nothing, and its clips say error", async () => {
  const { task_id } = await submit("[lab:fail=policy]");
  await reach(task_id, "FAILURE");
  const task = await query(task_id);
  assert.notEqual(task.fail_reason, "");
  assert.equal(task.data[0]?.metadata.error_type, "content_policy");
  assert.equal(task.data[0]?.metadata.error_message, task.fail_reason);
  assert.equal(task.data[0]?.metadata.refund_credits, true);
});

test("what is not the caller's music is not found", async () => {
  const other = client.as((await gateway.customer(1)).key);
  const video = (await client.post<{ id: string }>("/custom_video/model/gen4.5", { prompt: "x" })).body.id;
  for (const reply of [
    await other.get<EnvelopeError>(`/musicA/fetch/${created.task_id}`),
    await other.get<EnvelopeError>(`/musicA/fetch/${created.id}`),
    await client.get<EnvelopeError>(`/musicA/fetch/${video}`),
    await client.get<EnvelopeError>("/musicA/fetch/01234567-89ab-7def-8123-456789abcdef"),
    await client.get<EnvelopeError>("/suno/fetch/%F0%9F%8E%B5"),
  ])
    assert.deepEqual([reply.status, reply.body.code, reply.body.data], [404, "task_not_found", null], reply.text);
});

test("every reply of this journey keeps the contract", () => client.book.check());
