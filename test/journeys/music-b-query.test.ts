import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway } from "../support/gateway.ts";
import { uuid } from "../support/samples.ts";
import type { Envelope, EnvelopeError, GenerationTask, Song, TaskRecord } from "../support/wire.ts";

const gateway = await startGateway();
after(() => gateway.end());
const client = createClient(gateway.url, gateway.firstKey);
const path = "/musicB/submit/music";
type Answer = Envelope<GenerationTask>;

const songTypes: Record<string, string> = {
  id: "string",
  title: "string",
  artist: "string",
  lyrics: "string",
  prompt: "string",
  user_id: "string",
  generation_id: "string",
  duration: "number",
  finished: "boolean",
  song_path: "string",
  image_path: "string",
  created_at: "string",
  liked: "boolean",
  likes: "number",
  plays: "number",
};

async function query(id: string, at = "/musicB/fetch"): Promise<GenerationTask> {
  const { status, body, text } = await client.get<Answer>(`${at}/${id}`);
  assert.equal(status, 200, text);
  assert.deepEqual(Object.keys(body), ["code", "message", "data"]);
  assert.deepEqual([body.code, body.message, body.data.task_id], ["success", "", id]);
  assert.match(body.data.progress, /^\d{1,3}%$/);
  assert.deepEqual(body.data.songs, body.data.data.songs);
  assert.equal(body.data.songs.length, 2);
  for (const song of body.data.songs) {
    for (const [name, type] of Object.entries(songTypes)) assert.equal(typeof Reflect.get(song, name), type, name);
    assert.match(song.id, uuid);
    assert.equal(song.generation_id, id);
  }
  return body.data;
}

function firstOf({ songs: [song] }: GenerationTask): Song {
  assert.ok(song !== undefined);
  return song;
}

const wish = { prompt: "lofi, calm", lyrics: "[Verse]\nOne line", lyrics_type: "user", seed: 7, model_type: "udio32-v1.5" };
const id = (await client.post<Envelope<string>>(path, { gen_params: wish })).body.data;

test("songs stand in both places in every state, and end finished with sound and picture", async () => {
  const seen: GenerationTask[] = [];
  const done = await eventually(
    async () => {
      const task = await query(id);
      seen.push(task);
      assert.notEqual(task.status, "FAILURE", task.fail_reason);
      return task.status === "SUCCESS" && task;
    },
    { withinMs: 90_000, everyMs: 150 },
  );
  for (const task of seen.slice(0, -1))
    assert.ok(task.finish_time === 0 && task.songs.every(({ finished, song_path }) => !finished && song_path === ""));
  assert.deepEqual([done.progress, done.fail_reason], ["100%", ""]);
  assert.ok(done.finish_time >= done.start_time && done.start_time >= done.submit_time);
  for (const song of done.songs) {
    assert.ok(song.finished && song.duration > 1 && song.title !== "");
    assert.equal(song.lyrics, wish.lyrics);
    assert.equal((await fetch(song.song_path)).headers.get("content-type"), "audio/mpeg");
    assert.match((await fetch(song.image_path)).headers.get("content-type") ?? "", /^image\//);
  }
  const pair = await Promise.all(
    done.songs.map(async ({ song_path }) => Buffer.from(await (await fetch(song_path)).arrayBuffer()).toString("base64")),
  );
  assert.notEqual(pair[0], pair[1], "the two songs are not the same");
});

test("the alias and a request without a key find the same task", async () => {
  assert.equal((await query(id, "/udio/fetch")).task_id, id);
  const { status, body } = await client.get<Answer>(`/musicB/fetch/${id}`, { key: null });
  assert.deepEqual([status, body.data.task_id], [200, id]);
});

test("a finished song can be continued and preceded", async () => {
  const song = firstOf(await query(id));
  for (const mode of ["continuation", "precede"]) {
    const config = { mode, context_length: 130, source: { source_type: "song", song_id: song.id } };
    const { status, body, text } = await client.post<Envelope<string>>(path, { gen_params: { prompt: "lofi", config } });
    assert.equal(status, 200, text);
    await client.post<TaskRecord>(`/v1/tasks/${body.data}/cancel`);
    const task = await query(body.data);
    assert.deepEqual([task.status, Reflect.get(firstOf(task), "audio_conditioning_type")], ["FAILURE", mode]);
    assert.notEqual(task.fail_reason, "");
  }
});

test("what is not the caller's music of this group is not found", async () => {
  const other = client.as((await gateway.customer(1)).key);
  const lyrics = (await client.post<Envelope<string>>("/musicA/submit/lyrics", { prompt: "x" })).body.data;
  for (const reply of [
    await other.get<EnvelopeError>(`/musicB/fetch/${id}`),
    await client.get<EnvelopeError>(`/musicB/fetch/${lyrics}`),
    await client.get<EnvelopeError>("/musicB/fetch/01234567-89ab-7def-8123-456789abcdef"),
    await client.get<EnvelopeError>("/udio/fetch/..%2F..%2Fetc"),
  ])
    assert.deepEqual([reply.status, reply.body.code, reply.body.data], [404, "task_not_found", null], reply.text);
});

test("every reply of this journey keeps the contract", () => client.book.check());
