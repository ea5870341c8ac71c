import assert from "node:assert/strict";
import { test } from "node:test";
import { createStub } from "../../../lab/stub.ts";
import type { MusicInput, SongSource } from "../../core/kinds.ts";
import type { Work } from "../../core/provider.ts";
import { sunoRelay } from "./suno-relay.ts";

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
  upstreamSongId: "their-clip",
  atSeconds: 61.5,
  direction: "after",
  song: { title: "Rain", tags: "folk", lyrics: "", durationSeconds: 120, seed: null },
};

async function sent(input: MusicInput) {
  const stub = await createStub(() => ({ body: { code: "success", message: "", data: "1" } }));
  const provider = sunoRelay.create({ name: "songs", baseUrl: stub.url, allowPrivateNetwork: true }).tasks;
  const started = await provider.start({ kind: "music", taskId: "t", attempt: 1, idempotencyKey: "t-1", model: "chirp-v4", input }, work);
  await stub.close();
  return { started, body: stub.requests[0]?.body };
}

test("an inspiration sends its description alone", async () => {
  const { body } = await sent({ mode: "inspiration", description: "rain", instrumental: true, extras: { notify_hook: "http://x" } });
  assert.deepEqual(body, { mv: "chirp-v4", make_instrumental: true, gpt_description_prompt: "rain" });
});

test("a custom song sends lyrics, title and tags", async () => {
  const { body } = await sent({
    mode: "custom",
    lyrics: "[Verse]",
    title: "Rain",
    tags: "folk",
    instrumental: false,
    extras: { negative_tags: "metal" },
  });
  assert.deepEqual(body, {
    mv: "chirp-v4",
    make_instrumental: false,
    prompt: "[Verse]",
    title: "Rain",
    tags: "folk",
    negative_tags: "metal",
  });
});

test("a continuation names the relay's own task and clip, not ours", async () => {
  const { body } = await sent({ mode: "continuation", lyrics: "[Bridge]", instrumental: false, continues: source });
  assert.deepEqual(body, {
    mv: "chirp-v4",
    make_instrumental: false,
    prompt: "[Bridge]",
    task_id: "their-task",
    continue_clip_id: "their-clip",
    continue_at: 61.5,
  });
});

test("a song of another provider, or music before a song, cannot be continued here", async () => {
  for (const continues of [
    { ...source, upstreamSongId: null },
    { ...source, direction: "before" as const },
  ]) {
    const { started, body } = await sent({ mode: "continuation", lyrics: "x", instrumental: false, continues });
    assert.equal(started.state === "refused" && started.refusal.class, "unsupported");
    assert.equal(body, undefined);
  }
});

test("a relay without a channel for the model has refused, whatever its status", async () => {
  const stub = await createStub(() => ({ status: 503, body: { code: "model_not_found", message: "no channel", data: null } }));
  const provider = sunoRelay.create({ name: "songs", baseUrl: stub.url, allowPrivateNetwork: true }).tasks;
  const started = await provider.start(
    { kind: "lyrics", taskId: "t", attempt: 1, idempotencyKey: "t-1", model: "lyrics", input: { prompt: "rain" } },
    work,
  );
  await stub.close();
  assert.equal(started.state === "refused" && started.refusal.class, "not_found");
});
