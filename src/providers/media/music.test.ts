import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { createStub } from "../../../lab/stub.ts";
import type { StubReply } from "../../../lab/stub.ts";
import type { MusicInput, SongSource } from "../../core/kinds.ts";
import type { Job, Polled, Started, Work } from "../../core/provider.ts";
import type { JobAdapter } from "../job/job.ts";
import { aceStep } from "./ace-step.ts";
import { elevenLabsMusic } from "./elevenlabs-music.ts";
import { gcuiSuno } from "./gcui-suno.ts";
import { minimaxMusic } from "./minimax-music.ts";
import { piapi } from "./piapi.ts";
import { stableAudio } from "./stable-audio.ts";
import { kie, sunoApi } from "./sunoapi.ts";
import { udioRelay } from "./udio-relay.ts";

const work: Work = {
  signal: new AbortController().signal,
  credential: { id: "1", secret: "secret-123" },
  report: () => {},
  load: () => Promise.reject(new Error("there is nothing to load")),
};

const source: SongSource = {
  taskId: "our-task",
  songId: "s",
  songIndex: 0,
  upstreamTaskId: "their-task",
  upstreamSongId: "their-song",
  atSeconds: 120,
  direction: "after",
  song: { title: "Rain", tags: "folk", lyrics: "", durationSeconds: 120.4, seed: null },
};
const wish: MusicInput = { mode: "inspiration", description: "rain", instrumental: false };

type Given = { reply?: StubReply; callback?: Job["callback"]; options?: Record<string, unknown> };

async function sent(adapter: JobAdapter, model: string, input: MusicInput, { reply = { body: {} }, callback, options = {} }: Given = {}) {
  const stub = await createStub(() => reply);
  const { tasks } = adapter.create({ name: "songs", baseUrl: stub.url, allowPrivateNetwork: true, options });
  const job = { kind: "music", taskId: "t", attempt: 1, idempotencyKey: "t-1", model, input, ...(callback && { callback }) } as const;
  const started = await tasks.start(job, work);
  await stub.close();
  const [request] = stub.requests;
  return { started, path: request?.url, body: request?.body };
}

async function polled(adapter: JobAdapter, body: unknown): Promise<Polled> {
  const stub = await createStub(() => ({ body }));
  const { tasks } = adapter.create({ name: "songs", baseUrl: stub.url, allowPrivateNetwork: true });
  const answer = await tasks.poll?.({ upstreamId: "1", keep: {}, kind: "music", model: "x" }, work);
  await stub.close();
  return answer ?? assert.fail("it cannot be asked");
}

const refusedAs = (started: Started) => (started.state === "refused" ? started.refusal.class : started.state);

test("sunoapi is told of an address that cannot be reached where we have none, and of ours where we have one", async () => {
  const { body } = await sent(sunoApi, "V4_5", wish);
  assert.deepEqual(body, {
    customMode: false,
    instrumental: false,
    model: "V4_5",
    prompt: "rain",
    callBackUrl: "https://callback.invalid/",
  });
  const told = await sent(sunoApi, "V4_5", wish, { callback: { url: "https://ours.example/c/1", secret: "s" } });
  assert.deepEqual(told.body, { ...Object(body), callBackUrl: "https://ours.example/c/1" });
});

test("sunoapi goes on from just before the end of a song, with style and title of the song where none are given", async () => {
  const { path, body } = await sent(sunoApi, "V5", { mode: "continuation", lyrics: "[Bridge]", instrumental: false, continues: source });
  assert.equal(path, "/api/v1/generate/extend");
  const own = { audioId: "their-song", model: "V5", callBackUrl: "https://callback.invalid/" };
  assert.deepEqual(body, { ...own, defaultParamFlag: true, prompt: "[Bridge]", style: "folk", title: "Rain", continueAt: 119 });
  const plain = await sent(sunoApi, "V5", { mode: "continuation", instrumental: false, continues: source });
  assert.deepEqual(plain.body, { ...own, defaultParamFlag: false });
});

test("code 429 is an empty account at sunoapi and too much haste at kie", async () => {
  const reply = { body: { code: 429, msg: "no", data: null } };
  assert.equal(refusedAs((await sent(sunoApi, "V5", wish, { reply })).started), "quota");
  assert.equal(refusedAs((await sent(kie, "V5", wish, { reply })).started), "rate_limit");
});

test("a message that sunoapi could not deliver does not fail the job: it is done with its songs, and goes on without", async () => {
  const record = (songs: object[]) => ({ code: 200, data: { taskId: "1", status: "CALLBACK_EXCEPTION", response: { sunoData: songs } } });
  const whole = { id: "a", audioUrl: "https://songs.example/a.mp3" };
  assert.equal((await polled(sunoApi, record([whole, { ...whole, id: "b" }]))).state, "done");
  assert.equal((await polled(sunoApi, record([whole, { id: "b", audioUrl: "" }]))).state, "running");
  assert.equal((await polled(sunoApi, record([]))).state, "running");
});

test("one broken song of two does not take the other away", async () => {
  const [good, bad] = [
    { id: "a", status: "complete", audio_url: "https://songs.example/a.mp3" },
    { id: "b", status: "error", audio_url: "", error_message: "generation failed" },
  ];
  const answer = await polled(gcuiSuno, [good, bad]);
  assert.equal(answer.state === "done" && answer.output.kind === "music" && answer.output.songs.length, 1);
  assert.equal((await polled(gcuiSuno, [bad, bad])).state, "failed");
  assert.equal((await polled(gcuiSuno, [good, { ...bad, status: "streaming" }])).state, "running");
});

test("the wishes of music B reach a Udio relay by their own names, and zero is a wish", async () => {
  const extras = { prompt_strength: 0, generation_quality: 0.75, negative_prompt: "metal", bypass_prompt_optimization: false };
  const { body } = await sent(udioRelay, "udio32-v1.5", {
    mode: "custom",
    lyrics: "[Verse]",
    tags: "folk",
    instrumental: false,
    seed: 0,
    extras,
  });
  const params = {
    prompt: "folk",
    lyrics: "[Verse]",
    lyrics_type: "user",
    seed: 0,
    model_type: "udio32-v1.5",
    config: { mode: "regular" },
  };
  assert.deepEqual(body, { gen_params: { ...params, ...extras } });
});

test("a Udio relay makes music before a song as well, but not from another provider's song", async () => {
  const before: MusicInput = { ...wish, mode: "continuation", continues: { ...source, direction: "before" } };
  const { body } = await sent(udioRelay, "udio32-v1.5", before);
  const config = { mode: "precede", context_length: 130, source: { source_type: "song", song_id: "their-song" } };
  assert.deepEqual(body, { gen_params: { prompt: "rain", lyrics_type: "generate", seed: -1, model_type: "udio32-v1.5", config } });
  const foreign = await sent(udioRelay, "udio32-v1.5", { ...before, continues: { ...source, upstreamSongId: null } });
  assert.deepEqual([refusedAs(foreign.started), foreign.body], ["unsupported", undefined]);
});

test("songs of a Udio relay are found in both places where relays put them", async () => {
  const songs = [{ id: "a", finished: true, song_path: "https://songs.example/a.mp3" }];
  for (const place of [{ songs }, { data: { songs } }])
    assert.equal((await polled(udioRelay, { code: "success", data: { status: "SUCCESS", ...place } })).state, "done");
});

test("PiAPI gets address and secret for its messages, and no config without them", async () => {
  const plain = {
    model: "music-u",
    task_type: "generate_music",
    input: { gpt_description_prompt: "rain", lyrics_type: "generate", seed: -1 },
  };
  assert.deepEqual((await sent(piapi, "music-u", wish)).body, plain);
  const { body } = await sent(piapi, "music-u", wish, { callback: { url: "https://ours.example/c/1", secret: "s" } });
  assert.deepEqual(body, { ...plain, config: { webhook_config: { endpoint: "https://ours.example/c/1", secret: "s" } } });
});

test("ElevenLabs is given style, title and lyrics as one prompt, and the length that the operator set", async () => {
  const input: MusicInput = { mode: "custom", lyrics: "[Verse]\nRain", title: "Rain", tags: "folk", instrumental: false, seed: 7 };
  const { path, body } = await sent(elevenLabsMusic, "music_v1", input, { options: { length_seconds: 1 } });
  assert.equal(path, "/music?output_format=mp3_44100_128");
  const prompt = "Style: folk\nTitle: Rain\nLyrics:\n[Verse]\nRain";
  assert.deepEqual(body, { prompt, model_id: "music_v1", force_instrumental: false, music_length_ms: 3_000 });
});

test("a seed is used by ACE-Step, and an instrumental has no lyrics", async () => {
  const { body } = await sent(aceStep, "turbo", { mode: "custom", lyrics: "[Verse]", tags: "folk", instrumental: true, seed: 0 });
  const common = { prompt: "folk", model: "turbo", task_type: "text2music", audio_format: "mp3", batch_size: 2 };
  assert.deepEqual(body, { ...common, lyrics: "[Instrumental]", seed: 0, use_random_seed: false });
});

test("a code of ACE-Step under HTTP 200 means what the status of that number means", async () => {
  const classes: unknown[] = [];
  for (const code of [400, 402, 429, 503])
    classes.push(refusedAs((await sent(aceStep, "turbo", wish, { reply: { body: { data: null, code, error: "no" } } })).started));
  assert.deepEqual(classes, ["invalid", "quota", "rate_limit", "transient"]);
});

test("Stable Audio does not sing, and music that was filtered is a matter of content", async (context) => {
  const song: MusicInput = { mode: "custom", lyrics: "[Verse]", tags: "folk", instrumental: false };
  assert.equal(refusedAs((await sent(stableAudio, "stable-audio-2.5", song)).started), "unsupported");
  const reply = JSON.stringify({ audio: "AAAA", finish_reason: "CONTENT_FILTERED", seed: 1 });
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(200, { "content-type": "application/json" }).end(reply));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => server.close());
  const address = server.address();
  const baseUrl = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const { tasks } = stableAudio.create({ name: "songs", baseUrl, allowPrivateNetwork: true });
  const job = { kind: "music", taskId: "t", attempt: 1, idempotencyKey: "t-1", model: "stable-audio-2.5", input: wish } as const;
  assert.equal(refusedAs(await tasks.start(job, work)), "content_policy");
});

test("MiniMax writes lyrics where none are given and the song is to be sung; that it is closed means that it is not offered", async () => {
  const { body } = await sent(minimaxMusic, "music-2.6", wish);
  assert.deepEqual([Reflect.get(Object(body), "lyrics_optimizer"), Reflect.get(Object(body), "prompt")], [true, "rain"]);
  const reply = { status: 410, body: { base_resp: { status_code: 2153, status_msg: "closed" } } };
  assert.equal(refusedAs((await sent(minimaxMusic, "music-2.6", wish, { reply })).started), "not_found");
});
