import assert from "node:assert/strict";
import { test } from "node:test";
import { creates, type MusicWish } from "./generation.ts";

const cases: [string, MusicWish, object][] = [
  ["a description leaves the words to the model", { prompt: "the sea", tags: "folk" }, { gpt_description_prompt: "the sea, folk" }],
  ["with lyrics the description is the style", { prompt: "slow", lyrics: "La", tags: "folk" }, { prompt: "La", tags: "folk, slow" }],
  ["tags and no words", { tags: "piano", instrumental: true }, { tags: "piano", make_instrumental: true }],
  ["a title makes it a song of one's own", { title: "Tide", lyrics: "La", model: "m" }, { title: "Tide", prompt: "La", mv: "m" }],
  [
    "going on from a clip",
    { continue_clip_id: "c", continue_at: 3, prompt: "slower" },
    { continue_clip_id: "c", continue_at: 3, tags: "slower" },
  ],
];
for (const [name, wish, body] of cases) test(name, () => assert.deepEqual(creates.music(wish), { path: "/musicA/submit/music", body }));
