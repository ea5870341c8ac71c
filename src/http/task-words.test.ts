import assert from "node:assert/strict";
import { test } from "node:test";
import { acceptedTask, type Task } from "../core/task.ts";
import type { TaskInput } from "../core/kinds.ts";
import { promptOf, titleOf } from "./task-words.ts";

function taskOf(work: TaskInput): Task {
  return acceptedTask({
    ...work,
    id: "t",
    account: "a",
    dialect: "video",
    model: "m",
    price: {},
    holdNanos: 0,
    songIds: [],
    createdAt: 1,
    deadlineAt: 2,
  });
}

const call = (body: Record<string, unknown>): TaskInput => ({ kind: "chat", input: { operation: "chat", body, files: [] } });
const song = { upstreamId: null, tags: "", lyrics: "", durationSeconds: 1, seed: null, audio: "x", image: null, video: null };

test("a song is known by what was asked of it: its description, its lyrics, or its tags", () => {
  const music = (input: object): TaskInput => ({ kind: "music", input: { mode: "custom", instrumental: false, ...input } });
  assert.equal(promptOf(music({ description: " rain " })), "rain");
  assert.equal(promptOf(music({ lyrics: "la", tags: "folk" })), "la");
  assert.equal(promptOf(music({ tags: "folk" })), "folk");
  assert.equal(promptOf(music({})), "");
});

test("a call is known by its last words, whether they are text or parts", () => {
  assert.equal(promptOf(call({ messages: [{ content: "first" }, { content: "last" }] })), "last");
  assert.equal(promptOf(call({ messages: [{ content: [{ type: "text", text: "a" }, { type: "image_url" }, { text: "b" }] }] })), "a b");
  assert.equal(promptOf(call({ input: "read me" })), "read me");
  for (const odd of [{}, { messages: [] }, { messages: [7] }, { messages: "x" }]) assert.equal(promptOf(call(odd)), "");
});

test("what is long is cut between characters", () => {
  const prompt = promptOf({ kind: "lyrics", input: { prompt: `${"x".repeat(498)}🦊🦊🦊` } });
  assert.equal(prompt, `${"x".repeat(498)}…`);
  assert.equal(promptOf({ kind: "lyrics", input: { prompt: "y".repeat(500) } }).length, 500);
});

test("the title is the one that was asked for, else the one that was made", () => {
  const asked = taskOf({ kind: "music", input: { mode: "custom", instrumental: false, title: "Mine", lyrics: "la" } });
  const result = { kind: "music" as const, songs: [{ ...song, title: "Theirs" }] };
  assert.equal(titleOf({ ...asked, result }), "Mine");
  const open = taskOf({ kind: "music", input: { mode: "inspiration", instrumental: false, description: "x" } });
  assert.deepEqual([titleOf(open), titleOf({ ...open, result })], ["", "Theirs"]);
  const lyrics = taskOf({ kind: "lyrics", input: { prompt: "x" } });
  assert.equal(titleOf({ ...lyrics, result: { kind: "lyrics", title: "Words", text: "", tags: [] } }), "Words");
});
