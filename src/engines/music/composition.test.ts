import assert from "node:assert/strict";
import { test } from "node:test";
import type { MusicJob } from "../job.ts";
import { compose } from "./composition.ts";
import { melodyScale, scales } from "./harmony.ts";
import { channel } from "./score.ts";
import { briefSong } from "./song-brief.ts";
import { genres } from "./tag-words.ts";

const job: MusicJob = { engine: "music", outDir: "unused", tags: "pop", instrumental: true, lengthSeconds: 30 };
const notesOf = (seed: number, tags = "pop"): ReturnType<typeof compose> => {
  const brief = briefSong({ ...job, tags }, seed, seed);
  return compose(brief.sections, brief.style, seed);
};

test("the same seed writes the same notes, another seed other ones", () => {
  assert.deepEqual(notesOf(5), notesOf(5));
  assert.notDeepEqual(notesOf(5), notesOf(6));
});

test("every genre has harmony, bass and melody, and its notes lie within the song and the keyboard", () => {
  for (const genre of new Set(genres.values())) {
    const { notes, bodySeconds } = notesOf(11, genre);
    const voices = new Set(notes.map((note) => note.channel));
    for (const voice of [channel.chords, channel.bass, channel.lead]) assert.ok(voices.has(voice), `${genre} has no voice ${voice}`);
    for (const note of notes) {
      assert.ok(note.startSeconds >= 0 && note.startSeconds < bodySeconds && note.endSeconds > note.startSeconds);
      assert.ok(note.pitch >= 20 && note.pitch <= 110 && Number.isInteger(note.pitch), `${genre} plays ${note.pitch}`);
      assert.ok(note.velocity >= 1 && note.velocity <= 127);
    }
  }
});

test("the melody stays in its scale", () => {
  const brief = briefSong({ ...job, tags: "folk" }, 9, 9);
  const scale = new Set([...melodyScale(brief.style.mode), ...scales[brief.style.mode]]);
  for (const note of compose(brief.sections, brief.style, 9).notes) {
    if (note.channel === channel.lead) assert.ok(scale.has((((note.pitch - brief.style.key) % 12) + 12) % 12));
  }
});

test("a continuation keeps key, tempo, instruments and the hook of its source, again and again", () => {
  const source = briefSong({ ...job, tags: "rock, guitar" }, 77, 77);
  const origin = {
    title: "First",
    tags: source.tags,
    lyrics: source.lyrics,
    durationSeconds: 30,
    atSeconds: 12,
    direction: "after" as const,
  };
  const next = briefSong({ ...job, tags: "", continues: { ...origin, seed: source.seed } }, 1, 1);
  const third = briefSong({ ...job, tags: "", continues: { ...origin, tags: next.tags, seed: next.seed } }, 2, 2);
  assert.deepEqual(next.style, source.style);
  assert.deepEqual(third.style, source.style);
  assert.equal(new Set([source.seed, next.seed, third.seed]).size, 3);
  assert.ok(next.sections.every((section) => section.kind !== "intro"));
});

test("a song made from a description gets title, tags and text; an instrumental says so", () => {
  const described = briefSong({ ...job, tags: undefined, description: "a happy jazz song about my dog", instrumental: false }, 3, 3);
  assert.ok(described.tags.startsWith("jazz"));
  assert.ok(described.lyrics.includes("my dog") && described.lyrics.includes("[Chorus]"));
  assert.notEqual(described.title, "");
  assert.equal(briefSong(job, 3, 3).lyrics, "[Instrumental]");
});
