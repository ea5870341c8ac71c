import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createLab } from "../../lab/lab.ts";
import { createClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway } from "../support/gateway.ts";
import { createTestClock } from "../support/test-clock.ts";
import type { Balance, Clip, Envelope, GenerationTask, Lyrics, MusicTask, Song } from "../support/wire.ts";

const clock = createTestClock();
const lab = await createLab({ now: clock.now, script: { minSeconds: 20, maxSeconds: 40, queueSeconds: 5 } });
const provider = (type: string) =>
  `  ${type}: { type: ${type}, base_url: "${lab.baseUrl(type)}", keys: ["lab-key"], allow_private_network: true }`;
const song = (name: string, type: string, model: string) =>
  `  ${name}: { kinds: [music], routes: [{ provider: ${type}, model: ${model} }], price: { per_call: 0.10 } }`;
const yaml = [
  "providers:",
  ...["suno-relay", "sunoapi", "udio-relay"].map(provider),
  "models:",
  song("chirp-relay", "suno-relay", "chirp-v4"),
  song("chirp-org", "sunoapi", "V4_5"),
  song("udio-relay", "udio-relay", "udio32-v1.5"),
  "  lyrics: { kinds: [lyrics], routes: [{ provider: sunoapi }], price: { per_call: 0.01 } }",
  "",
].join("\n");
const gateway = await startGateway({ yaml, clock: clock.now });
after(async () => {
  await gateway.end();
  await lab.close();
});
const { key } = await gateway.customer(100);
const client = createClient(gateway.url, key);

const models = ["chirp-relay", "chirp-org", "udio-relay"] as const;
const order = ["NOT_START", "SUBMITTED", "QUEUED", "IN_PROGRESS", "SUCCESS", "FAILURE"];

/** Asks every five seconds and at most fifty times, as the clients of both families do; time passes only once an upstream has the task. */
async function follow<T extends { status: string; progress: string }>(look: () => Promise<T>): Promise<T> {
  let before = "NOT_START";
  const watched = async () => {
    const task = await look();
    assert.ok(order.indexOf(before) <= order.indexOf(task.status), `${before} is not followed by ${task.status}`);
    assert.match(task.progress, /^\d{1,3}%$/);
    before = task.status;
    return task;
  };
  await eventually(async () => (await watched()).status !== "SUBMITTED", { everyMs: 20, what: "that the task is sent" });
  for (let tries = 0; tries < 50; tries++) {
    const task = await watched();
    if (task.status === "SUCCESS" || task.status === "FAILURE") return task;
    // Longer each time: work that takes its time, as collecting does, is to end before the client gives up.
    await sleep(Math.min(40 * 1.1 ** tries, 1_000));
    clock.advance(5_000);
  }
  return assert.fail(`no end in sight: it is ${before}`);
}

/** What a Suno client takes for the task's id: the envelope's data, of whatever else the reply holds. */
async function submitSuno(body: object, kind = "music"): Promise<string> {
  const reply = await client.post<Envelope<unknown>>(`/suno/submit/${kind}`, body);
  assert.deepEqual([reply.status, reply.body.code, typeof reply.body.data], [200, "success", "string"], reply.text);
  return String(reply.body.data);
}

async function fetchSuno<D = Clip[]>(id: string): Promise<MusicTask<D>> {
  const { body, status, text } = await client.post<Envelope<MusicTask<D>[]>>("/suno/fetch", { ids: [id] });
  assert.deepEqual([status, body.code, body.data.length], [200, "success", 1], text);
  return body.data[0] ?? assert.fail();
}

async function submitUdio(params: object): Promise<string> {
  const { status, body, text } = await client.post<Envelope<string>>("/udio/submit/music", { gen_params: params });
  assert.deepEqual([status, body.code, typeof body.data], [200, "success", "string"], text);
  return body.data;
}

async function fetchUdio(id: string): Promise<GenerationTask> {
  const { status, body, text } = await client.get<Envelope<GenerationTask>>(`/udio/fetch/${id}`);
  assert.deepEqual([status, body.code], [200, "success"], text);
  return body.data;
}

async function typeOf(url: string): Promise<string> {
  assert.ok(url.startsWith(`${gateway.url}/assets/`), url);
  const reply = await fetch(url);
  await reply.bytes();
  return `${reply.status} ${reply.headers.get("content-type")}`;
}

const clips = new Map<string, { task: string; clip: Clip }>();
const songs = new Map<string, Song>();

for (const mv of models) {
  test(`a Suno client that asks in batches hears both clips of ${mv}`, async () => {
    const id = await submitSuno({ gpt_description_prompt: "a song about rain", make_instrumental: false, mv });
    const task = await follow(() => fetchSuno(id));
    assert.deepEqual([task.status, task.fail_reason, task.progress, task.action], ["SUCCESS", "", "100%", "MUSIC"]);
    assert.equal(task.data.length, 2);
    for (const clip of task.data) {
      assert.deepEqual([clip.status, clip.title !== "", clip.metadata.duration > 0], ["complete", true, true]);
      assert.equal(await typeOf(clip.audio_url), "200 audio/mpeg");
      assert.equal(await typeOf(clip.image_url), "200 image/png");
    }
    clips.set(mv, { task: id, clip: task.data[1] ?? assert.fail() });
  });

  test(`a Suno client goes on from the second clip of ${mv}, naming task, clip and second`, async () => {
    const { task: source, clip } = clips.get(mv) ?? assert.fail("there is nothing to go on from");
    const wish = {
      prompt: "[Bridge]\nSun",
      tags: "folk",
      title: "Rain II",
      mv,
      task_id: source,
      continue_clip_id: clip.id,
      continue_at: 1.5,
    };
    const id = await submitSuno(wish);
    const task = await follow(() => fetchSuno(id));
    assert.deepEqual([task.status, task.fail_reason, task.data.length], ["SUCCESS", "", 2]);
  });

  test(`a Udio client finds two finished songs of ${mv} in either place`, async () => {
    const strengths = {
      song_section_start: 0.4,
      prompt_strength: 0.5,
      clarity_strength: 0.25,
      lyrics_strength: 0.5,
      generation_quality: 0.75,
    };
    const wish = {
      prompt: "lofi, calm",
      lyrics: "",
      lyrics_type: "generate",
      bypass_prompt_optimization: false,
      seed: -1,
      negative_prompt: "",
    };
    const id = await submitUdio({ ...wish, ...strengths, model_type: mv, config: { mode: "regular" } });
    const task = await follow(() => fetchUdio(id));
    assert.deepEqual([task.status, task.action], ["SUCCESS", "udio-generate"]);
    for (const place of [task.songs, task.data.songs]) assert.deepEqual([place.length, place.every(({ finished }) => finished)], [2, true]);
    for (const { song_path, image_path } of task.songs)
      assert.deepEqual([await typeOf(song_path), await typeOf(image_path)], ["200 audio/mpeg", "200 image/png"]);
    songs.set(mv, task.songs[0] ?? assert.fail());
  });

  test(`a task of ${mv} that fails over its content ends with a reason and costs nothing, whichever client asks`, async () => {
    const balance = async () => (await client.get<Balance>("/v1/balance")).body;
    const before = await balance();
    const suno = await submitSuno({ prompt: "[Verse]\n[lab:fail=policy]", tags: "folk", title: "No", mv });
    const udio = await submitUdio({ prompt: "lofi", lyrics: "[lab:fail=policy]", lyrics_type: "user", model_type: mv });
    for (const task of [await follow(() => fetchSuno(suno)), await follow(() => fetchUdio(udio))]) {
      assert.equal(task.status, "FAILURE");
      assert.match(task.fail_reason, /\w/);
      assert.doesNotMatch(task.fail_reason, /lab|moderation/i);
    }
    assert.deepEqual(await balance(), before);
  });
}

test("a Udio client goes on after and before a song where the upstream can", async () => {
  const { id: song_id } = songs.get("udio-relay") ?? assert.fail("there is nothing to go on from");
  for (const mode of ["continuation", "precede"]) {
    const config = { mode, context_length: 130, source: { source_type: "song", song_id } };
    const id = await submitUdio({ prompt: "lofi", lyrics_type: "instrumental", model_type: "udio-relay", config });
    assert.equal((await follow(() => fetchUdio(id))).status, "SUCCESS", mode);
  }
});

test("a Suno client gets lyrics, also with the question for one task", async () => {
  const id = await submitSuno({ prompt: "rain" }, "lyrics");
  const task = await follow(() => fetchSuno<Lyrics>(id));
  assert.deepEqual([task.status, task.action, task.data.status], ["SUCCESS", "LYRICS", "complete"]);
  assert.match(task.data.text, /\[Verse\]/);
  const { body } = await client.get<Envelope<MusicTask<Lyrics>>>(`/suno/fetch/${id}`);
  assert.deepEqual(body.data, task);
});

test("nothing was asked of the upstreams that they do not have", () => {
  assert.deepEqual(lab.strays(), []);
});

test("every reply of this journey keeps the contract", () => client.book.check());
