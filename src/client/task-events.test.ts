import assert from "node:assert/strict";
import { test } from "node:test";
import { GenwayError, TaskFailure } from "./genway-error.ts";
import { taskEvents } from "./task-events.ts";
import type { TaskRecord } from "./task-record.ts";
import { waitForTask } from "./wait.ts";

const record = (status: string, progress: number, more: Partial<TaskRecord> = {}) =>
  ({ id: "t", status, progress, error: null, ...more }) as TaskRecord;
const event = (version: number, task: TaskRecord) => `id: ${version}\nevent: task\ndata: ${JSON.stringify(task)}\n\n`;
const stream = (...parts: string[]) => new Response(parts.join(""), { headers: { "content-type": "text/event-stream" } });
const json = (task: TaskRecord, status = 200) => new Response(JSON.stringify(task), { status });
const refusal = (status: number) => new Response(JSON.stringify({ error: { message: "No.", code: "not_found" } }), { status });

/** A service that answers one request after the other; what was asked is kept. */
function service(answers: (() => Response)[]) {
  const asked: string[] = [];
  return {
    asked,
    async send({ url, headers }: Request) {
      asked.push(`${new URL(url).pathname} ${headers.get("last-event-id") ?? ""}`.trim());
      const answer = answers[asked.length - 1];
      if (answer === undefined) throw new TypeError("nothing more is scripted");
      return answer();
    },
  };
}

const fast = { pollMs: 1 };

async function statesOf(send: (request: Request) => Promise<Response>): Promise<string[]> {
  const states: string[] = [];
  for await (const { status, progress } of taskEvents(send, "http://x", "t", fast)) states.push(`${status} ${progress}`);
  return states;
}

test("each change comes once, up to the end", async () => {
  const { send } = service([
    () => stream(": hello\n\n", event(1, record("QUEUED", 0)), event(2, record("QUEUED", 0)), event(3, record("SUCCESS", 100))),
  ]);
  assert.deepEqual(await statesOf(send), ["QUEUED 0", "SUCCESS 100"]);
});

test("a stream that breaks is taken up after the last event", async () => {
  const { send, asked } = service([
    () => stream(event(4, record("IN_PROGRESS", 20)), "id: 5\nevent: ta"),
    () => stream(event(6, record("SUCCESS", 100))),
  ]);
  assert.deepEqual(await statesOf(send), ["IN_PROGRESS 20", "SUCCESS 100"]);
  assert.deepEqual(asked, ["/v1/tasks/t/events", "/v1/tasks/t/events 4"]);
});

test("where no stream comes through, the task is asked for", async () => {
  const { send, asked } = service([
    () => refusal(502),
    () => stream(),
    () => json(record("QUEUED", 0)),
    () => json(record("QUEUED", 0)),
    () => json(record("SUCCESS", 100)),
  ]);
  assert.deepEqual(await statesOf(send), ["QUEUED 0", "SUCCESS 100"]);
  assert.deepEqual(asked.slice(2), ["/v1/tasks/t", "/v1/tasks/t", "/v1/tasks/t"]);
});

test("a stream that falls silent is taken up anew", async () => {
  const silent = () =>
    new Response(
      new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(event(1, record("QUEUED", 0)))) }),
    );
  let tries = 0;
  const send = async ({ signal }: Request) => {
    tries += 1;
    if (tries > 1) return stream(event(2, record("SUCCESS", 100)));
    const { body } = silent();
    const abortable = body?.pipeThrough(new TransformStream(), { signal });
    return new Response(abortable ?? null);
  };
  const states: string[] = [];
  for await (const { status } of taskEvents(send, "http://x", "t", { ...fast, silenceMs: 30 })) states.push(status);
  assert.deepEqual(states, ["QUEUED", "SUCCESS"]);
});

test("a task that is not there is not waited for", async () => {
  const { send, asked } = service([() => refusal(404)]);
  await assert.rejects(statesOf(send), (error) => error instanceof GenwayError && error.status === 404 && error.message === "No.");
  assert.equal(asked.length, 1);
});

test("a service that stays away is given up in the end", async () => {
  const send = async () => {
    throw new TypeError("fetch failed");
  };
  const wait = waitForTask(send, "http://x", "t", { ...fast, patienceMs: 5 });
  await assert.rejects(
    wait,
    (error) => error instanceof GenwayError && error.code === "unreachable" && /Task t goes on/.test(error.message),
  );
});

test("waiting tells the progress and gives the finished task", async () => {
  const { send } = service([() => stream(event(1, record("IN_PROGRESS", 50)), event(2, record("SUCCESS", 100)))]);
  const seen: number[] = [];
  const task = await waitForTask(send, "http://x", "t", { onProgress: ({ progress }) => seen.push(progress) });
  assert.equal(task.status, "SUCCESS");
  assert.deepEqual(seen, [50, 100]);
});

test("a task that fails is an error with its code and the task itself", async () => {
  const error = { message: "It was refused.", code: "content_policy", type: "invalid_request_error", param: null };
  const { send } = service([() => stream(event(1, record("FAILURE", 30, { error })))]);
  await assert.rejects(
    waitForTask(send, "http://x", "t"),
    (thrown) => thrown instanceof TaskFailure && thrown.code === "content_policy" && thrown.task.progress === 30,
  );
});

test("time that is up is an error of its own", async () => {
  const send = ({ signal }: Request) =>
    new Promise<Response>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  await assert.rejects(
    waitForTask(send, "http://x", "t", { timeoutMs: 20 }),
    (error) => error instanceof GenwayError && error.code === "timeout",
  );
});

test("whoever stops waiting gets the reason they gave", async () => {
  const stop = new AbortController();
  const reason = new Error("enough");
  const send = ({ signal }: Request) =>
    new Promise<Response>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const wait = waitForTask(send, "http://x", "t", { signal: stop.signal, timeoutMs: 60_000 });
  stop.abort(reason);
  await assert.rejects(wait, reason);
});
