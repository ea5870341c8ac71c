import assert from "node:assert/strict";
import test from "node:test";
import { createClient } from "./client.ts";
import { readEvents } from "../client/event-stream.ts";
import { followTask } from "./follow.ts";
import { taskRecord, withServer } from "./shell.fixture.ts";

const done = taskRecord({ status: "SUCCESS", progress: 100 });
const frame = (task: object) => `id: 1\nevent: task\ndata: ${JSON.stringify(task)}\n\n`;

async function follow(url: string, silenceMs?: number): Promise<number[]> {
  const seen: number[] = [];
  const options = {
    signal: AbortSignal.timeout(5_000),
    pollMs: 1,
    patienceMs: 1_000,
    onChange: (task: { progress: number }) => void seen.push(task.progress),
  };
  await followTask(createClient(url, null), "task-1", silenceMs === undefined ? options : { ...options, silenceMs });
  return seen;
}

test("events are read across pieces, past comments, and with either line ending", async () => {
  const text = ': hello\n\nevent: task\ndata: {"é":1}\n\ndata: a\r\ndata: b\r\n\r\ndata: cut';
  const bytes = Buffer.from(text);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
  }
  assert.deepEqual(await Array.fromAsync(readEvents(pieces())), [
    { event: "task", data: '{"é":1}' },
    { event: "message", data: "a\nb" },
  ]);
});

test("a task is followed by its events alone while they come", async () => {
  const asked: string[] = [];
  await withServer(
    (request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(frame(taskRecord({ progress: 30 })) + frame(done));
    },
    async (url) => assert.deepEqual(await follow(url), [30, 100]),
  );
  assert.deepEqual(asked, ["/v1/tasks/task-1/events"]);
});

test("where the events break off, the task is asked for until its end", async () => {
  let polls = 0;
  await withServer(
    (request, response) => {
      if (request.url?.endsWith("/events") === true) {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(frame(taskRecord({ progress: 30 })), () => response.destroy());
        return;
      }
      response.end(JSON.stringify(++polls === 1 ? taskRecord({ progress: 60 }) : done));
    },
    async (url) => assert.deepEqual(await follow(url), [30, 60, 100]),
  );
});

test("a stream that stays silent is given up", async () => {
  await withServer(
    (request, response) => {
      if (request.url?.endsWith("/events") === true) response.writeHead(200).flushHeaders();
      else response.end(JSON.stringify(done));
    },
    async (url) => assert.deepEqual(await follow(url, 20), [100]),
  );
});

test("a service that is away for a moment is waited for, one that stays away is not", async () => {
  let requests = 0;
  await withServer(
    (_request, response) => {
      if (++requests < 4) response.writeHead(503).end(JSON.stringify({ error: { message: "stopping", code: "unavailable" } }));
      else response.end(JSON.stringify(done));
    },
    async (url) => assert.deepEqual(await follow(url), [100]),
  );
  const gone = await withServer(
    () => undefined,
    async (url) => url,
  );
  await assert.rejects(follow(gone), /does not answer at .*nothing listens there.* Task task-1 goes on when it is back/);
});

test("a task that is not ours is not asked for again", async () => {
  let requests = 0;
  await withServer(
    (_request, response) => {
      requests++;
      response.writeHead(404).end(JSON.stringify({ error: { message: "There is no such task.", code: "task_not_found" } }));
    },
    async (url) => assert.rejects(follow(url), /There is no such task\./),
  );
  assert.equal(requests, 1);
});
