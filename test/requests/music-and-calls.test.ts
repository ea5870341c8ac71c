import assert from "node:assert/strict";
import { test } from "node:test";
import { lyricsInput, LyricsRequest, musicInput, MusicRequest } from "../../src/http/music/music-a.ts";
import { generationInput, GenerationRequest } from "../../src/http/music/music-b.ts";
import { caller, comesBack, requestOf, services, uploaded } from "./comes-back.ts";

comesBack({
  "music A": {
    dialect: "music-a",
    path: "/musicA/submit/music",
    schema: MusicRequest,
    read: async (body) => ({ work: { kind: "music", input: await musicInput(body, caller, services.tasks) }, model: "chirp-v4" }),
    bodies: [
      { gpt_description_prompt: "rain", make_instrumental: true, negative_tags: "drums" },
      { prompt: "la la", title: "T", tags: "folk" },
      { tags: "folk", make_instrumental: true },
      { continue_clip_id: "clip 9", prompt: "on", task_id: "task 1" },
      { continue_clip_id: "clip 9", continue_at: 12.5 },
    ],
  },
  lyrics: {
    dialect: "music-a",
    path: "/musicA/submit/lyrics",
    schema: LyricsRequest,
    read: (body) => ({ work: { kind: "lyrics", input: lyricsInput(body) }, model: "lyrics" }),
    bodies: [{ prompt: "the sea" }],
  },
  "music B": {
    dialect: "music-b",
    path: "/musicB/submit/music",
    schema: GenerationRequest,
    async read({ gen_params: params }: { gen_params: never }) {
      return { work: { kind: "music", input: await generationInput(params, caller, services.tasks) }, model: "udio130-v1.5" };
    },
    bodies: [
      { gen_params: { prompt: "jazz", seed: 7, prompt_strength: 0.4, bypass_prompt_optimization: true } },
      { gen_params: { prompt: "jazz", lyrics: "la", lyrics_type: "user", negative_prompt: "x" } },
      { gen_params: { lyrics: "la", lyrics_type: "instrumental" } },
      { gen_params: { prompt: "jazz", config: { mode: "precede", source: { song_id: "clip 2" } } } },
      { gen_params: { prompt: "jazz", lyrics: "on", config: { mode: "continuation", source: { song_id: "clip 2" } } } },
    ],
  },
});

test("a call for which nobody waited is asked for as a task again; one with a file cannot be", () => {
  const input = { operation: "chat", body: { messages: [], max_tokens: 9 }, files: [] };
  assert.deepEqual(requestOf("call", "m", { kind: "chat", input }), {
    path: "/v1/chat/completions",
    body: { messages: [], max_tokens: 9, model: "m", async: true },
  });
  const files = [{ field: "file", name: "a.mp3", mime: "audio/mpeg", file: { from: "file", id: uploaded } as const }];
  assert.equal(requestOf("call", "m", { kind: "transcription", input: { operation: "transcription", body: {}, files } }), null);
});
