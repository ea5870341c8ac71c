import assert from "node:assert/strict";
import { test } from "node:test";
import { acceptedTask, type Task } from "../core/task.ts";
import type { Tasks } from "../core/tasks.ts";
import { awaitTask } from "./await-task.ts";

const task = acceptedTask({
  id: "t-1",
  account: "a",
  kind: "image",
  input: { act: "generate", prompt: "x", images: [], count: 1, grid: false },
  dialect: "image-b",
  model: "V_2",
  price: {},
  holdNanos: 0,
  songIds: [],
  createdAt: 0,
  deadlineAt: 1,
});

/** What the client gets of a task that is in this state when the wait is over. */
function seenAs(change: Partial<Task>, closing = new AbortController()): Promise<Task> {
  const waits: number[] = [];
  const tasks = {
    wait: async (asked: Task, ms: number) => {
      waits.push(ms);
      return { ...asked, ...change } as Task;
    },
  } as unknown as Tasks;
  const needs = { tasks, closing: closing.signal };
  return awaitTask(needs, task, { mostMs: 120_000, left: new AbortController().signal }).finally(() => assert.deepEqual(waits, [120_000]));
}

test("a task that ends in time is handed over", async () => {
  assert.equal((await seenAs({ status: "SUCCESS" })).status, "SUCCESS");
});

test("a task that takes longer is a timeout which names it", async () => {
  await assert.rejects(seenAs({ status: "IN_PROGRESS" }), { code: "upstream_timeout", status: 504, message: /t-1.*GET \/v1\/tasks\/t-1/ });
});

test("a service that stops says so, and names the task", async () => {
  const closing = new AbortController();
  closing.abort();
  await assert.rejects(seenAs({ status: "QUEUED" }, closing), { code: "unavailable", message: /t-1/ });
});

test("a failed task is its own error", async () => {
  const refused = { status: "FAILURE", failCode: "content_policy", failReason: "Not this." } as const;
  await assert.rejects(seenAs(refused), { code: "content_policy", status: 400, message: "Not this." });
  await assert.rejects(seenAs({ status: "FAILURE", failCode: null, failReason: null }), { code: "upstream_error" });
});
