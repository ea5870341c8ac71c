import assert from "node:assert/strict";
import test from "node:test";
import { UsageError } from "./complaint.ts";
import { musicRequest, videoRequest, type MusicWishes } from "./generation-request.ts";

test("a video asks for what was typed and leaves the rest to the service", () => {
  assert.deepEqual(videoRequest({ prompt: "sea", model: "a/b" }), { path: "/custom_video/model/a%2Fb", body: { prompt: "sea" } });
  const { body } = videoRequest({ model: "m", image: "file_1", duration: "10s", aspect: "1:1" });
  assert.deepEqual(body, { image: "file_1", duration: 10, aspect_ratio: "1:1" });
});

test("a prompt alone is what the song is about, with the style words behind it", () => {
  assert.deepEqual(musicRequest({ prompt: "sea", tags: "folk", instrumental: true }), {
    path: "/musicA/submit/music",
    body: { make_instrumental: true, tags: "folk, sea" },
  });
  assert.deepEqual(musicRequest({ prompt: "sea", tags: "folk" }).body, { gpt_description_prompt: "sea, folk" });
  assert.deepEqual(musicRequest({ prompt: "sea", instrumental: true }).body, { gpt_description_prompt: "sea", make_instrumental: true });
});

test("beside lyrics the prompt is style", () => {
  const { path, body } = musicRequest({ prompt: "slow", tags: "folk", title: "Sea", lyrics: "la la", model: "chirp-v4" });
  assert.equal(path, "/musicA/submit/music");
  assert.deepEqual(body, { mv: "chirp-v4", prompt: "la la", tags: "folk, slow", title: "Sea" });
});

test("a seed or a udio model leads to music B", () => {
  const seeded = musicRequest({ prompt: "sea", seed: "7" });
  assert.deepEqual(seeded, { path: "/musicB/submit/music", body: { gen_params: { prompt: "sea", lyrics_type: "generate", seed: 7 } } });
  const named = musicRequest({ prompt: "sea", tags: "folk", lyrics: "la", model: "udio32-v1.5" });
  assert.deepEqual(named.body, { gen_params: { prompt: "sea, folk", lyrics: "la", lyrics_type: "user", model_type: "udio32-v1.5" } });
});

test("wishes that contradict each other or say nothing are refused before anything is sent", () => {
  const wrong: MusicWishes[] = [
    {},
    { tags: "folk" },
    { lyrics: "la", instrumental: true },
    { prompt: "sea", title: "Sea" },
    { prompt: "sea", title: "Sea", seed: "1" },
    { prompt: "sea", seed: "1.5" },
    { prompt: "sea", seed: "" },
  ];
  for (const wishes of wrong) assert.throws(() => musicRequest(wishes), UsageError, JSON.stringify(wishes));
  assert.throws(() => videoRequest({ prompt: "x", model: "m", duration: "99" }), /--duration must be a whole number from 1 to 60/);
});
