import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import type { StubReply } from "../../../lab/stub.ts";
import type { Polled } from "../../core/provider.ts";
import { plainWork as work, provide, provideRaw, runningJob } from "./job.fixture.ts";
import type { JobSpec } from "./spec.ts";

async function polled(context: TestContext, change: Partial<JobSpec>, reply: StubReply): Promise<Polled | undefined> {
  const { provider } = await provide(context, change, () => reply);
  return provider.poll?.(runningJob("a.1", "video"), work);
}

const stateOf = async (context: TestContext, change: Partial<JobSpec>, reply: StubReply) => {
  const answer = await polled(context, change, reply);
  return answer?.state === "failed" ? answer.refusal.class : answer?.state;
};

test("each kind may have its own question, with a body whose places are filled", async (context) => {
  const poll: JobSpec["poll"] = {
    send: { video: "POST /video/ask", music: "POST /music/ask" },
    body: { id: "{id}", tier: "{keep.tier?}" },
  };
  const { provider, stub } = await provide(context, { poll }, () => ({ status: 202, body: { state: "going" } }));
  assert.deepEqual(await provider.poll?.(runningJob("1", "video"), work), { state: "running" });
  assert.deepEqual(await provider.poll?.(runningJob("1", "music", { tier: "pro" }), work), { state: "running" });
  assert.deepEqual(
    stub.requests.map(({ url, body }) => [url, body]),
    [
      ["/video/ask", { id: "1" }],
      ["/music/ask", { id: "1", tier: "pro" }],
    ],
  );
  assert.equal((await provider.poll?.(runningJob("1", "lyrics"), work))?.state, "trouble");
});

test("a record may lie under the job's own id, and what it means that it does not is the spec's to say", async (context) => {
  const poll: NonNullable<JobSpec["poll"]> = { send: "GET /history/{id}", task: "jobs.{id}" };
  assert.equal(await stateOf(context, { poll }, { body: { jobs: { "a.1": { state: "going" } } } }), "running");
  assert.equal(await stateOf(context, { poll }, { body: { jobs: {} } }), "missing");
  assert.equal(await stateOf(context, { poll: { ...poll, absent: "queued" } }, { body: {} }), "queued");
  assert.equal(await stateOf(context, { poll: { ...poll, absent: "queued" } }, { body: { jobs: { "a.1": 7 } } }), "trouble");
  assert.equal(await stateOf(context, { poll: { ...poll, absent: "queued" } }, {}), "trouble");
});

test("a job of several parts goes on until all have ended, and is done if any is", async (context) => {
  const status: JobSpec["status"] = { ...partWords, at: "[*].state" };
  const of = (...words: string[]) =>
    stateOf(context, { status, results: { video: { video: "[*].url" } } }, { body: words.map((state) => ({ state })) });
  assert.equal(await of("waiting", "waiting"), "queued");
  assert.equal(await of("waiting", "ready"), "running");
  assert.equal(await of("broken", "simmering"), "running");
  assert.equal(await of("broken", "blocked"), "transient");
  assert.equal(await of("blocked", "blocked"), "content_policy");
  const done = { state: "ready", url: "https://a.example/v.mp4" };
  const results: JobSpec["results"] = { video: { video: "[1].url" } };
  assert.equal(await stateOf(context, { status, results }, { body: [{ state: "broken" }, done] }), "done");
});
const partWords: JobSpec["status"] = { words: { waiting: "queued", ready: "done", broken: "failed", blocked: "content_policy" } };

test("the status of a reply may say what others say with a word", async (context) => {
  const status: JobSpec["status"] = {
    words: {},
    rules: [
      { when: [{ at: "@http", is: 202 }], means: "queued" },
      { when: [{ at: "@http", is: 422 }], means: "failed" },
      { when: [{ at: "@http", is: 200 }], means: "done" },
    ],
  };
  assert.equal(await stateOf(context, { status }, { status: 202 }), "queued");
  assert.equal(await stateOf(context, { status }, { status: 422, body: { error: "unsafe" } }), "content_policy");
  assert.equal(await stateOf(context, { status }, { status: 500, body: {} }), "trouble");
  const poll: JobSpec["poll"] = { send: "GET /jobs/{id}", task: "data", ok: [{ at: "fine", is: true }] };
  assert.equal(await stateOf(context, { status, poll }, { status: 202, body: { fine: true } }), "queued");
  assert.equal(await stateOf(context, { status, poll }, { status: 202, body: { fine: false } }), "trouble");
  assert.equal(await stateOf(context, { status }, { body: { url: "https://a.example/v" } }), "done");
  const { provider } = await provideRaw(context, { status, results: { video: { video: { body: true } } } }, ({ url }) =>
    url.endsWith("1") ? { type: "video/mp4", body: Buffer.from([9]) } : { type: "text/html", body: "<p>" },
  );
  assert.deepEqual(await provider.poll?.(runningJob("1"), work), {
    state: "done",
    output: { kind: "video", video: { from: "bytes", bytes: Buffer.from([9]) } },
  });
  assert.equal((await provider.poll?.(runningJob("2"), work))?.state, "trouble");
});

test("progress may be the last number before a per cent sign", async (context) => {
  const change: Partial<JobSpec> = { progress: { at: "logs", of: 100, last: true } };
  assert.deepEqual(await polled(context, change, { body: { state: "going", logs: " 10%|#\n 55.6%|#####" } }), {
    state: "running",
    progress: 56,
  });
  assert.deepEqual(await polled(context, change, { body: { state: "going", logs: "warming up" } }), { state: "running" });
});

const resolving: Partial<JobSpec> = {
  resolve: [
    { name: "file", send: "GET /files/{record.file_id}", refused: "failed", ok: [{ at: "odd", exists: false }] },
    { name: "link", send: "GET {record.file.next}", refused: "wait" },
  ],
  results: { video: { video: "link.url" } },
};

async function resolved(context: TestContext, file: StubReply, link: StubReply): Promise<string | undefined> {
  const { provider, stub } = await provide(context, resolving, ({ url }) => {
    if (url === "/files/f1") return file.body === true ? { body: { next: `${stub.url}/next` } } : file;
    return url === "/next" ? link : { body: { state: "ready", file_id: "f1" } };
  });
  const answer = await provider.poll?.(runningJob("1"), work);
  return answer?.state === "failed" ? answer.refusal.class : answer?.state;
}

test("further questions about a finished job lead to its result, wait, or say that it failed", async (context) => {
  const here = { body: { url: "https://a.example/v.mp4" } };
  assert.equal(await resolved(context, { body: true }, here), "done");
  assert.equal(await resolved(context, { body: true }, { status: 404, body: {} }), "running");
  assert.equal(await resolved(context, { body: true }, { status: 503, body: {} }), "trouble");
  assert.equal(await resolved(context, { status: 422, body: { error: "unsafe" } }, here), "content_policy");
  assert.equal(await resolved(context, { status: 500, body: { error: "UNSAFE" } }, here), "transient");
  assert.equal(await resolved(context, { body: { odd: 1, error: "unsafe" } }, here), "content_policy");
  assert.equal(await resolved(context, { status: 401, body: {} }, here), "trouble");
  assert.equal(await resolved(context, { status: 429, body: {} }, here), "trouble");
  assert.equal(await resolved(context, { body: "text" }, here), "trouble");
});

test("many ids may be repeated fields of a query, and what is left out means what the spec says", async (context) => {
  const poll: JobSpec["poll"] = {
    send: "GET /jobs/{id}",
    absent: "queued",
    many: { send: "GET /jobs", repeat: "ids", max: 10, list: "", id: "id" },
  };
  const { provider, stub } = await provide(context, { poll }, () => ({
    body: stub.requests.length > 1 ? [] : [{ id: "1", state: "going" }],
  }));
  const jobs = [runningJob("1"), runningJob("2")];
  assert.deepEqual(Object.fromEntries((await provider.pollMany?.run(jobs, work)) ?? []), {
    1: { state: "running" },
    2: { state: "queued" },
  });
  assert.equal(stub.requests[0]?.url, "/jobs?ids=1&ids=2");
  assert.deepEqual(
    new Set(Array.from((await provider.pollMany?.run(jobs, work))?.values() ?? [], ({ state }) => state)),
    new Set(["queued"]),
  );
});

test("a cancel sends its body, and counts when the upstream says so", async (context) => {
  const cancel: JobSpec["cancel"] = { send: "POST /stop", body: { id: "{id}" }, from: ["queued"], ok: [{ at: "stopped", is: true }] };
  let stopped = true;
  const { provider, stub } = await provide(context, { cancel }, ({ url }) => ({
    body: url === "/stop" ? { stopped } : { state: "waiting" },
  }));
  assert.equal(await provider.cancel?.(runningJob("1"), work), true);
  assert.deepEqual(stub.requests[1]?.body, { id: "1" });
  stopped = false;
  assert.equal(await provider.cancel?.(runningJob("1"), work), false);
});

test("callbacks are judged with the operator's secret and options, and what cannot be judged is forged", async (context) => {
  const message = { method: "POST", path: "/c", query: "", headers: {}, body: new Uint8Array(), now: 0 };
  const hears: JobSpec["hears"] = (_message, { job, webhook, options }) =>
    job === "bad" ? assert.fail("no") : { state: "challenge", reply: { webhook, options } };
  const { provider } = await provide(context, { hears, usualLimits: { concurrent: 3 } }, () => ({}), {
    webhookSecret: "w",
    options: { a: 1 },
  });
  assert.deepEqual(await provider.hear?.(message, { job: "j", credential: "c" }), {
    state: "challenge",
    reply: { webhook: "w", options: { a: 1 } },
  });
  assert.equal((await provider.hear?.(message, { job: "bad", credential: "c" }))?.state, "forged");
  assert.deepEqual(provider.usualLimits, { concurrent: 3 });
});
