import assert from "node:assert/strict";
import { after, test } from "node:test";
import { checkClip } from "../support/clip-shape.ts";
import { createClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway } from "../support/gateway.ts";
import { startLabGateway } from "../support/lab-gateway.ts";
import { imageSize, loudness } from "../support/media-probe.ts";
import { uuid } from "../support/samples.ts";
import type { Balance, Clip, CreatedClip, EnvelopeError, Envelope, MusicTask, Quote, TaskRecord } from "../support/wire.ts";

const gateway = await startGateway();
const upstream = await startLabGateway();
after(async () => {
  await gateway.end();
  await upstream.end();
});
const { account, key } = await gateway.customer(10);
const client = createClient(gateway.url, key);
const path = "/musicA/submit/music";

async function finished(id: string): Promise<MusicTask> {
  return eventually(
    async () => {
      const { body } = await client.get<Envelope<MusicTask>>(`/musicA/fetch/${id}`);
      assert.notEqual(body.data.status, "FAILURE", body.data.fail_reason);
      return body.data.status === "SUCCESS" && body.data;
    },
    { withinMs: 90_000 },
  );
}

function firstOf({ data }: MusicTask): Clip {
  const [clip] = data;
  assert.ok(clip !== undefined);
  return clip;
}

async function cancelled(body: object): Promise<CreatedClip> {
  const reply = await client.post<CreatedClip>(path, body);
  assert.equal(reply.status, 200, reply.text);
  await client.post(`/v1/tasks/${reply.body.task_id}/cancel`);
  return reply.body;
}

const inspiration = await client.post<CreatedClip>(path, {
  gpt_description_prompt: "a calm piano piece about rain",
  make_instrumental: false,
  mv: "chirp-v3-5",
});

test("inspiration mode answers the record of the first clip: 22 fields, 12 of metadata, and the four keys of the relays", () => {
  const { status, body } = inspiration;
  assert.equal(status, 200, inspiration.text);
  checkClip(body, ["code", "message", "data", "task_id"]);
  assert.deepEqual([body.code, body.message, body.status], ["success", "", "submitted"]);
  assert.match(body.task_id, uuid);
  assert.equal(body.data, body.task_id);
  assert.notEqual(body.id, body.task_id);
  assert.equal(body.user_id, account);
  assert.equal(body.handle, body.display_name);
  assert.match(body.handle, /^customer /);
  assert.equal(body.model_name, "chirp-v3-5");
  assert.equal(body.metadata.duration, 0);
  assert.equal(body.metadata.gpt_description_prompt, "a calm piano piece about rain");
  assert.deepEqual([body.audio_url, body.image_url, body.video_url, body.image_large_url, body.title], ["", "", "", "", ""]);
  assert.equal(inspiration.headers.get("x-genway-provider"), "local");
});

test("inspiration mode makes lyrics, title, tags and two songs that can be heard", async () => {
  const task = await finished(inspiration.body.task_id);
  assert.equal(task.data.length, 2);
  assert.equal(firstOf(task).id, inspiration.body.id);
  for (const clip of task.data) {
    checkClip(clip);
    assert.equal(clip.status, "complete");
    assert.notEqual(clip.title, "");
    assert.notEqual(clip.metadata.tags, "");
    assert.match(clip.metadata.prompt, /\n/);
    assert.ok(clip.metadata.duration > 5);
  }
  const audio = await fetch(firstOf(task).audio_url);
  assert.equal(audio.headers.get("content-type"), "audio/mpeg");
  const { seconds, peak } = await loudness(Buffer.from(await audio.arrayBuffer()));
  assert.ok(Math.abs(seconds - firstOf(task).metadata.duration) < 0.5, `${seconds} s of sound`);
  assert.ok(peak > 0.05 && peak <= 1.5, `its loudest moment is ${peak}`);
  const cover = Buffer.from(await (await fetch(firstOf(task).image_large_url)).arrayBuffer());
  const { width, height } = await imageSize(cover);
  assert.ok(width >= 256 && height >= 256, `${width} × ${height}`);
});

test("custom mode keeps the lyrics, title and tags it was given", async () => {
  const wish = {
    prompt: "[Verse]\nOne line\n\n[Chorus]\nAnother 🌧",
    title: "Regen über Köln",
    tags: "folk, slow",
    make_instrumental: false,
    mv: "chirp-v4",
  };
  const clip = await cancelled(wish);
  checkClip(clip, ["code", "message", "data", "task_id"]);
  assert.deepEqual([clip.title, clip.metadata.tags, clip.metadata.prompt], [wish.title, wish.tags, wish.prompt]);
  assert.equal(clip.metadata.gpt_description_prompt, null);

  const { body } = await upstream.client.post<CreatedClip>(path, wish);
  await upstream.reach(body.task_id, "SUCCESS");
  const [job] = upstream.lab.jobs();
  assert.deepEqual([job?.model, job?.prompt], ["chirp-v4", wish.prompt]);
});

test("a continuation goes to the upstream's own song and account", async () => {
  const { client: customer, lab, reach } = upstream;
  const source = (await customer.post<CreatedClip>(path, { gpt_description_prompt: "the first half", mv: "chirp-v4" })).body;
  await reach(source.task_id, "SUCCESS");
  const { status, body, text } = await customer.post<CreatedClip>(path, { continue_clip_id: source.id, prompt: "the second half" });
  assert.equal(status, 200, text);
  const ended = await reach(body.task_id, "SUCCESS", "FAILURE");
  assert.equal(ended.status, "SUCCESS", JSON.stringify(ended.error));
  assert.equal(lab.jobs().filter(({ prompt }) => prompt === "the second half").length, 1);
});

test("continuation mode goes on from a finished clip, whether its task is named by the task's id, a clip's, or not at all", async () => {
  const { id, task_id } = inspiration.body;
  const source = firstOf(await finished(task_id));
  const { body } = await client.post<CreatedClip>(path, {
    continue_clip_id: id,
    task_id,
    continue_at: 4.5,
    prompt: "[Bridge]\nAnd on",
    mv: "chirp-v3-5",
  });
  checkClip(body, ["code", "message", "data", "task_id"]);
  assert.ok(body.metadata.history !== null);
  const clip = firstOf(await finished(body.task_id));
  checkClip(clip);
  assert.equal(clip.status, "complete");
  assert.notEqual(clip.audio_url, source.audio_url);
  await cancelled({ continue_clip_id: id, task_id: id });
  await cancelled({ continue_clip_id: id, task_id: null, continue_at: 0, gpt_description_prompt: "counts less than the clip" });
});

test("the order of the modes: continuation, then inspiration, then custom; empty counts as absent", async () => {
  const both = await cancelled({ gpt_description_prompt: "about trees", prompt: "la la", title: "T", tags: "rock" });
  assert.equal(both.metadata.gpt_description_prompt, "about trees");
  const emptied = await cancelled({
    continue_clip_id: "",
    continue_at: 0,
    gpt_description_prompt: "",
    task_id: "",
    prompt: "la la",
    title: "T",
    tags: "rock",
    mv: "",
  });
  assert.equal(emptied.metadata.gpt_description_prompt, null);
  assert.equal(emptied.model_name, "chirp-v3-0");
  await cancelled({ make_instrumental: true, tags: "ambient" });
  await cancelled({ make_instrumental: true, title: "Only a title" });
  for (const body of [
    {},
    { tags: "rock" },
    { title: "T", make_instrumental: false },
    { prompt: "", gpt_description_prompt: null },
    { continue_at: 3 },
  ]) {
    const reply = await client.post<EnvelopeError>(path, body);
    assert.equal(reply.status, 400, JSON.stringify(body));
    assert.equal(reply.body.code, "invalid_request");
  }
});

test("a clip that is not there, not the caller's or not finished cannot be continued", async () => {
  const other = client.as((await gateway.customer(1)).key);
  const foreign = await other.post<EnvelopeError>(path, { continue_clip_id: inspiration.body.id });
  assert.deepEqual([foreign.status, foreign.body.code], [404, "task_not_found"]);
  const unknown = await client.post<EnvelopeError>(path, { continue_clip_id: "01234567-89ab-7def-8123-456789abcdef" });
  assert.equal(unknown.status, 404);
  const early = (await client.post<CreatedClip>(path, { gpt_description_prompt: "x" })).body;
  const unready = await client.post<EnvelopeError>(path, { continue_clip_id: early.id });
  assert.deepEqual([unready.status, unready.body.code], [409, "task_not_ready"]);
  await client.post(`/v1/tasks/${early.task_id}/cancel`);
  const mixed = await client.post<EnvelopeError>(path, { continue_clip_id: inspiration.body.id, task_id: early.task_id });
  assert.deepEqual([mixed.status, mixed.body.error.param], [400, "task_id"]);
  const beyond = await client.post<EnvelopeError>(path, { continue_clip_id: inspiration.body.id, continue_at: 35_000 });
  assert.deepEqual([beyond.status, beyond.body.error.param], [400, "continue_at"]);
});

test("a quote is what is charged, a cancelled song costs nothing, and the alias reaches the same operation", async () => {
  const balance = async () => (await client.get<Balance>("/v1/balance")).body;
  const quote = (await client.post<Quote>("/v1/quote", { path: "/suno/submit/music", body: { gpt_description_prompt: "x" } })).body;
  assert.deepEqual([quote.amount_usd, quote.unit], [0.05, "per_call"]);
  const before = await balance();
  // Two songs were made above, everything else was cancelled.
  assert.deepEqual([before.used_usd, before.held_usd, before.available_usd], [0.1, 0, 9.9]);
  const { body } = await client.post<CreatedClip>("/suno/submit/music", { gpt_description_prompt: "x" });
  checkClip(body, ["code", "message", "data", "task_id"]);
  assert.equal((await balance()).held_usd, quote.amount_usd);
  const ended = (await client.post<TaskRecord & { charged: boolean }>(`/v1/tasks/${body.task_id}/cancel`)).body;
  assert.deepEqual([ended.status, ended.charged, ended.cost_usd], ["FAILURE", false, 0]);
  assert.deepEqual(await balance(), before);
});

test("every reply of this journey keeps the contract", async () => {
  await client.book.check();
  await upstream.client.book.check();
});
