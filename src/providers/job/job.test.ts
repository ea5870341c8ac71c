import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { createStub } from "../../../lab/stub.ts";
import type { StubReply, StubRequest } from "../../../lab/stub.ts";
import { Failure } from "../../core/errors.ts";
import type { Job, UpstreamJob, Work } from "../../core/provider.ts";
import { createJob } from "./job.ts";
import type { JobSpec } from "./spec.ts";

const spec: JobSpec = {
  type: "example",
  about: { title: "Example", summary: "An upstream of these tests.", examples: [] },
  pollEveryMs: 1_000,
  models: { video: { "fast-*": { durations: [5] }, "*": {} }, music: { "*": {} } },
  start: [
    {
      kind: "video",
      when: [{ at: "input.image", exists: true }],
      send: "POST /from-image/{+model}",
      body: { image: { from: "input.image", as: "data-uri" } },
    },
    { kind: "video", when: [{ at: "input.durationSeconds", is: 5 }], send: "POST /jobs", body: { text: "input.prompt" } },
  ],
  accepted: { id: "job.id", keep: { statusUrl: "job.url" } },
  poll: { send: "GET /jobs/{id}", many: { send: "GET /jobs?ids={ids}", max: 10, list: "jobs", id: "id" } },
  status: { at: "state", words: { 0: "running", 1: "done", true: "done", moderated: "content_policy", gone: "missing", broken: "failed" } },
  results: {
    video: { video: ["hd", "sd"], cover: "cover", durationSeconds: "seconds" },
    music: { songs: "songs", ready: [{ at: "ready", is: true }], audio: "audio", tags: "tags", durationSeconds: "seconds" },
  },
  errors: { code: "error", message: "message", codes: { NO_ROOM: "transient", "QUOTA*": "quota" }, definite: ["NO_ROOM"] },
};

const job: Job = {
  kind: "video",
  taskId: "t",
  attempt: 1,
  idempotencyKey: "t-1",
  model: "fast-1",
  input: { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } },
};
const work: Work = {
  signal: new AbortController().signal,
  credential: { id: "1", secret: "secret-123" },
  report: () => {},
  load: () => Promise.reject(new Failure("input_unreachable", { says: "The picture is gone." })),
};

const running = (upstreamId: string, keep = {}, kind: "video" | "music" = "video"): UpstreamJob => ({
  upstreamId,
  keep,
  kind,
  model: "fast-1",
});

async function providerFor(context: TestContext, answer: (request: StubRequest) => StubReply, change: Partial<JobSpec> = {}) {
  const stub = await createStub(answer);
  context.after(() => stub.close());
  return { stub, provider: createJob({ ...spec, ...change }).create({ name: "x", baseUrl: stub.url, allowPrivateNetwork: true }).tasks };
}

async function pollOf(context: TestContext, body: unknown, kind: "video" | "music" = "video") {
  const { provider } = await providerFor(context, () => ({ body }));
  return provider.poll?.(running("1", {}, kind), work);
}

test("limits are found by name and by the beginning of a name", async (context) => {
  const { provider } = await providerFor(context, () => ({}));
  assert.deepEqual(provider.serves.video?.("fast-9"), { durations: [5] });
  assert.deepEqual(provider.serves.video?.("other"), {});
  assert.equal(provider.serves.lyrics, undefined);
});

test("an adapter without an address refuses to be made", () => {
  assert.throws(() => createJob(spec).create({ name: "x", allowPrivateNetwork: false }).tasks, Failure);
});

test("what an adapter has no way to send is refused, and nothing is sent", async (context) => {
  const { provider, stub } = await providerFor(context, () => ({}));
  assert.ok(job.kind === "video");
  const started = await provider.start({ ...job, input: { ...job.input, durationSeconds: 6 } }, work);
  assert.equal(started.state === "refused" && started.refusal.class, "unsupported");
  assert.equal(stub.requests.length, 0);
});

test("a file that cannot be read refuses the job in the sentence of whoever read it", async (context) => {
  const { provider, stub } = await providerFor(context, () => ({}));
  assert.ok(job.kind === "video");
  const started = await provider.start({ ...job, input: { ...job.input, image: { from: "file", id: "1" } } }, work);
  assert.deepEqual(started.state === "refused" && [started.refusal.class, started.refusal.says], [
    "input_unreachable",
    "The picture is gone.",
  ]);
  assert.equal(stub.requests.length, 0);
});

test("work that is stopped while a file is read may be tried again", async (context) => {
  const { provider } = await providerFor(context, () => ({}));
  assert.ok(job.kind === "video");
  const stopped = { ...work, signal: AbortSignal.abort() };
  const started = await provider.start({ ...job, input: { ...job.input, image: { from: "file", id: "1" } } }, stopped);
  assert.equal(started.state === "refused" && started.refusal.class, "transient");
});

test("an accepted job carries what its polls need", async (context) => {
  const { provider, stub } = await providerFor(context, () => ({ status: 201, body: { job: { id: 77, url: "https://a.example/77" } } }));
  assert.deepEqual(await provider.start(job, work), { state: "accepted", upstreamId: "77", keep: { statusUrl: "https://a.example/77" } });
  assert.deepEqual([stub.requests[0]?.body, stub.requests[0]?.headers.authorization], [{ text: "waves" }, "Bearer secret-123"]);
});

test("a kept address is asked only where the credential may go", async (context) => {
  const stranger = await createStub(() => ({ body: { state: "1" } }));
  context.after(() => stranger.close());
  const { provider, stub } = await providerFor(context, () => ({ body: { state: 0 } }), { poll: { send: "GET {keep.statusUrl}" } });
  assert.deepEqual(await provider.poll?.(running("1", { statusUrl: `${stub.url}/where/1` }), work), { state: "running" });
  assert.equal(stub.requests[0]?.url, "/where/1");
  assert.equal((await provider.poll?.(running("1", { statusUrl: `${stranger.url}/1` }), work))?.state, "trouble");
  assert.equal(stranger.requests.length, 0);
});

const replies: readonly [string, StubReply, string][] = [
  ["a 409", { status: 409, body: {} }, "unknown"],
  ["a 408", { status: 408, body: {} }, "unknown"],
  ["a 425", { status: 425, body: {} }, "unknown"],
  ["a 303", { status: 303, body: {} }, "unknown"],
  ["a 500 with a code that is a definite no", { status: 500, body: { error: "NO_ROOM" } }, "transient"],
  ["a 500 with another code", { status: 500, body: { error: "QUOTA" } }, "unknown"],
  ["a 400 with a code that has a class", { status: 400, body: { error: "QUOTA_GONE" } }, "quota"],
  ["a 413", { status: 413, body: [] }, "invalid"],
  ["a 2xx without an id", { body: { job: {} } }, "unknown"],
  ["a 2xx with an endless id", { body: { job: { id: "x".repeat(600) } } }, "unknown"],
];
for (const [name, reply, expected] of replies) {
  test(`${name} in answer to a start means ${expected}`, async (context) => {
    const { provider } = await providerFor(context, () => reply);
    const started = await provider.start(job, work);
    assert.equal(started.state === "refused" ? started.refusal.class : started.state, expected);
  });
}

test("words may be numbers or truths, and some name the failure themselves", async (context) => {
  assert.equal((await pollOf(context, { state: 0 }))?.state, "running");
  assert.equal((await pollOf(context, { state: true, sd: "/v.mp4" }))?.state, "done");
  assert.equal((await pollOf(context, { state: "GONE" }))?.state, "missing");
  const moderated = await pollOf(context, { state: "Moderated" });
  assert.equal(moderated?.state === "failed" && moderated.refusal.class, "content_policy");
  const broken = await pollOf(context, { state: "broken", error: "QUOTA_X" });
  assert.equal(broken?.state === "failed" && broken.refusal.class, "quota");
});

test("a record without a status that can be read is trouble", async (context) => {
  for (const body of [{}, [{}], { state: 99 }, { state: {} }, { state: null }, 7, null]) {
    assert.equal((await pollOf(context, body))?.state, "trouble", JSON.stringify(body));
  }
});

test("a record under an envelope that says no is not believed", async (context) => {
  const poll: JobSpec["poll"] = { send: "GET /jobs/{id}", ok: [{ at: "code", is: 0 }] };
  const { provider } = await providerFor(context, ({ url }) => ({ body: { code: url.endsWith("1") ? 0 : 5, state: 0 } }), { poll });
  assert.equal((await provider.poll?.(running("1"), work))?.state, "running");
  assert.equal((await provider.poll?.(running("2"), work))?.state, "trouble");
});

test("links are made whole, the first that is there counts, and what is no link is left out", async (context) => {
  const done = await pollOf(context, { state: 1, hd: "", sd: "/files/v.mp4", cover: "javascript:alert(1)", seconds: "5.5" });
  assert.ok(done?.state === "done" && done.output.kind === "video" && done.output.video.from === "url");
  assert.match(done.output.video.url, /^http:\/\/127\.0\.0\.1:\d+\/files\/v\.mp4$/);
  assert.equal(done.output.cover, undefined);
  assert.equal(done.output.durationSeconds, 5.5);
});

test("songs come when all are ready, and those without sound are left out", async (context) => {
  const song = { ready: true, audio: "https://a.example/1.mp3", tags: ["folk", "slow", 7], seconds: -1 };
  assert.equal((await pollOf(context, { state: 1, songs: [song, { ...song, ready: false }] }, "music"))?.state, "running");
  assert.equal((await pollOf(context, { state: 1, songs: [{ ready: true }] }, "music"))?.state, "running");
  const done = await pollOf(context, { state: 1, songs: [song, { ready: true }, null].slice(0, 2) }, "music");
  assert.ok(done?.state === "done" && done.output.kind === "music");
  assert.deepEqual(
    done.output.songs.map(({ tags, durationSeconds }) => [tags, durationSeconds]),
    [["folk, slow", 0]],
  );
});

test("many jobs are asked for in one address", async (context) => {
  const { provider, stub } = await providerFor(context, () => ({ body: { jobs: [{ id: 2, state: 0 }, { id: 1, state: 0 }, null] } }));
  const answers = await provider.pollMany?.run([running("1"), running("2")], work);
  assert.deepEqual(Object.fromEntries(answers ?? []), { 1: { state: "running" }, 2: { state: "running" } });
  assert.deepEqual(
    stub.requests.map(({ url }) => url),
    ["/jobs?ids=1%2C2"],
  );
});

test("a job that a list leaves out is asked for by itself before it is missing", async (context) => {
  const { provider, stub } = await providerFor(context, ({ url }) => {
    if (url.startsWith("/jobs?")) return { body: { jobs: [{ id: 2, state: 0 }] } };
    return url.includes("3") ? { body: { state: 0 } } : { status: 404 };
  });
  const answers = await provider.pollMany?.run([running("1"), running("2"), running("3")], work);
  assert.deepEqual(Object.fromEntries(answers ?? []), { 1: { state: "missing" }, 2: { state: "running" }, 3: { state: "running" } });
  assert.equal(stub.requests.length, 3);
});

test("an upstream that has no question for many is asked one by one", async (context) => {
  const { provider, stub } = await providerFor(context, ({ url }) => (url.startsWith("/jobs?") ? { status: 405 } : { body: { state: 0 } }));
  const jobs = ["1", "2", "3", "4", "5", "6"].map((id) => running(id));
  const answers = await provider.pollMany?.run(jobs, work);
  assert.deepEqual(new Set(Array.from(answers?.values() ?? [], ({ state }) => state)), new Set(["running"]));
  assert.equal(stub.requests.length, 7);
});
