import assert from "node:assert/strict";
import { createServer } from "node:net";
import { after, before, describe, test } from "node:test";
import type { Dialect } from "../../lab/dialect.ts";
import { dialects } from "../../lab/dialects/index.ts";
import { createLab } from "../../lab/lab.ts";
import type { Lab } from "../../lab/lab.ts";
import type { Adapter, Provider, TaskProvider } from "../../src/core/provider.ts";
import type { FailureClass } from "../../src/core/refusal.ts";
import { adapters } from "../../src/providers/index.ts";
import { accepted, assertDiscreet, checkOutput, closedPort, jobOf, mediaOf, poll, refusedClass, secret, workOf } from "./provider-probe.ts";

function hasJobs(adapter: Adapter): boolean {
  return adapter.create({ name: "x", baseUrl: "https://upstream.example", allowPrivateNetwork: false }).tasks !== undefined;
}

let clock = 1_750_000_000_000;
let lab: Lab;
before(async () => {
  lab = await createLab({ keys: [secret], now: () => clock, script: { minSeconds: 100, maxSeconds: 100, queueSeconds: 10 } });
});
after(() => lab.close());

test("every adapter with jobs has a lab script", () => {
  const scripted = dialects.map(({ type }) => type);
  assert.deepEqual(
    adapters
      .filter(hasJobs)
      .map(({ type }) => type)
      .filter((type) => !scripted.includes(type)),
    [],
  );
});

for (const dialect of dialects) {
  const adapter = adapters.find(({ type }) => type === dialect.type);
  if (adapter) describe(dialect.type, () => conforms(adapter, dialect));
  else test(`${dialect.type} has an adapter`, () => assert.fail(`the lab speaks ${dialect.type}, but no adapter of that type is listed`));
}

function tasksOf({ tasks }: Provider): TaskProvider {
  assert.ok(tasks);
  return tasks;
}

function conforms(adapter: Adapter, dialect: Dialect): void {
  const [sample] = dialect.samples;
  if (!sample) throw new Error(`${dialect.type} has no samples`);
  const provider = () => tasksOf(adapter.create({ name: "lab", baseUrl: lab.baseUrl(dialect.type), allowPrivateNetwork: true }));
  const start = (mark: string, work = workOf()) => provider().start(jobOf(sample, mark), work);
  const begin = async (mark: string) => accepted(await start(mark), sample);
  const jobsWith = (mark: string) => lab.jobs().filter(({ type, prompt }) => type === dialect.type && prompt.includes(mark));

  for (const [index, each] of dialect.samples.entries()) {
    test(`${each.kind} ${index} is started, goes from queued to running to done, and leaves media that can be fetched`, async () => {
      const one = provider();
      const job = accepted(await one.start(jobOf(each, `happy ${index}`), workOf()), each);
      assert.equal((await poll(one, job)).state, "queued");
      clock += 60_000;
      assert.deepEqual(await poll(one, job), { state: "running", progress: 50 });
      clock += 60_000;
      const done = await poll(one, job);
      assert.equal(done.state, "done");
      if (done.state === "done") await checkOutput(done.output, each);
    });
  }

  test("serves every kind it has samples for", () => {
    const { serves } = provider();
    for (const { kind, model } of dialect.samples) assert.equal(typeof serves[kind]?.(model), "object", kind);
  });

  test("a wrong key is a refusal of class auth that quotes no key", async () => {
    const wrong = "another-key-987654";
    const started = await start("auth", workOf({ secret: wrong }));
    assert.equal(refusedClass(started), "auth");
    assert.ok(!JSON.stringify(started).includes(wrong));
  });

  test("429 is a refusal of class rate_limit with the wait that was asked for", async () => {
    const started = await start("[lab:429=7]");
    assert.equal(refusedClass(started), "rate_limit");
    assert.equal(started.state === "refused" && started.refusal.retryAfterMs, 7_000);
    assert.equal(jobsWith("[lab:429=7]").length, 0);
  });

  const refusals: readonly (readonly [string, FailureClass])[] = [
    ["content_policy", "content_policy"],
    ["invalid", "invalid"],
    ["quota", "quota"],
  ];
  for (const [reason, expected] of refusals) {
    test(`a ${reason} refusal at submit has its class and a sentence without the upstream's words`, async () => {
      const started = await start(`[lab:refuse=${reason}]`);
      assert.equal(refusedClass(started), expected);
      assertDiscreet(started);
    });
  }

  test("a no under HTTP 200 is a refusal where the upstream has such an envelope, and never an acceptance", async () => {
    const started = await start("[lab:envelope=content_policy]");
    if (dialect.envelope) assert.equal(refusedClass(started), "content_policy");
    else assert.equal(started.state, "unknown");
  });

  test("503 that says when to come back is a refusal of class transient, other 5xx are unknown", async () => {
    assert.equal(refusedClass(await start("[lab:503=5]")), "transient");
    for (const mark of ["[lab:500]", "[lab:500=accepted]", "[lab:502]", "[lab:503]"])
      assert.equal((await start(mark)).state, "unknown", mark);
  });

  for (const fault of ["reset", "html", "truncated", "broken", "types", "huge"]) {
    test(`an answer spoiled by "${fault}" leaves a start unknown, and one job at the upstream`, async () => {
      const mark = `[lab:${fault}]`;
      const started = await start(mark);
      assert.equal(started.state, "unknown");
      assert.equal(jobsWith(mark).length, 1);
    });
  }

  test("a connection that ends before any answer leaves a start unknown", async () => {
    assert.equal((await start("[lab:reset-before]")).state, "unknown");
  });

  test("an upstream that cannot be reached is a refusal of class transient", async () => {
    const gone = tasksOf(adapter.create({ name: "gone", baseUrl: `http://127.0.0.1:${await closedPort()}`, allowPrivateNetwork: true }));
    assert.equal(refusedClass(await gone.start(jobOf(sample, ""), workOf())), "transient");
    assert.equal((await poll(gone, { upstreamId: "1", keep: {}, kind: sample.kind, model: sample.model })).state, "trouble");
  });

  test("a private address is not called unless the operator allows it", async () => {
    const shy = tasksOf(adapter.create({ name: "shy", baseUrl: lab.baseUrl(dialect.type), allowPrivateNetwork: false }));
    assert.equal(refusedClass(await shy.start(jobOf(sample, "private"), workOf())), "transient");
    assert.equal(jobsWith("private").length, 0);
  });

  test("a redirect is not followed", async (context) => {
    let calls = 0;
    const elsewhere = createServer(() => calls++).listen(0, "127.0.0.1");
    context.after(() => elsewhere.close());
    await new Promise((resolve) => elsewhere.once("listening", resolve));
    const address = elsewhere.address();
    const port = typeof address === "object" && address ? address.port : 0;
    assert.equal((await start(`[lab:redirect=http://127.0.0.1:${port}/]`)).state, "unknown");
    const job = await begin(`[lab:poll=redirect]`);
    assert.equal((await poll(provider(), job)).state, "trouble");
    assert.equal(calls, 0);
  });

  test("work that is stopped while the answer drips in leaves a start unknown and a poll in trouble", async () => {
    assert.equal((await start("[lab:drip=1000]", workOf({ signal: AbortSignal.timeout(150) }))).state, "unknown");
    const job = await begin("[lab:poll=drip:1000]");
    assert.equal((await poll(provider(), job, workOf({ signal: AbortSignal.timeout(150) }))).state, "trouble");
  });

  test("work that is stopped before it begins sends nothing", async () => {
    assert.equal(refusedClass(await start("stopped early", workOf({ signal: AbortSignal.abort() }))), "transient");
    assert.equal(jobsWith("stopped early").length, 0);
  });

  for (const [word, { means }] of Object.entries(dialect.words)) {
    test(`the status ${word} means ${means}`, async () => {
      const polled = await poll(provider(), await begin(`[lab:status=${word}]`));
      assert.equal(polled.state, means);
    });
  }

  test("a status word nobody knows keeps the job running", async () => {
    assert.equal((await poll(provider(), await begin("[lab:status=SIMMERING]"))).state, "running");
  });

  test("a job that fails over its content has that class and a sentence without the upstream's words", async () => {
    const job = await begin("[lab:fail=policy]");
    clock += 120_000;
    const polled = await poll(provider(), job);
    assert.equal(polled.state === "failed" && polled.refusal.class, "content_policy");
    assertDiscreet(polled);
  });

  test("a job that fails for reasons of its own is a failure of class transient", async () => {
    const job = await begin(`[lab:fail=${dialect.failures.internal.replaceAll(" ", "_")}]`);
    clock += 120_000;
    const polled = await poll(provider(), job);
    assert.equal(polled.state === "failed" && polled.refusal.class, "transient");
  });

  test("a job that is done before its results are there goes on until they are", async () => {
    const job = await begin("[lab:empty=1]");
    clock += 120_000;
    assert.equal((await poll(provider(), job)).state, "running");
    assert.equal((await poll(provider(), job)).state, "done");
  });

  for (const fault of ["reset", "html", "truncated", "broken", "types", "huge", "500", "502", "503", "401", "429:3"]) {
    test(`a poll spoiled by "${fault}" is trouble, and the job is still there`, async () => {
      const job = await begin(`[lab:poll=${fault} x1]`);
      const polled = await poll(provider(), job);
      assert.equal(polled.state, "trouble");
      if (fault === "429:3") assert.equal(polled.state === "trouble" && polled.retryAfterMs, 3_000);
      assert.equal((await poll(provider(), job)).state, "queued");
    });
  }

  test("a job the upstream does not know is missing", async () => {
    assert.equal((await poll(provider(), { upstreamId: "none", keep: {}, kind: sample.kind, model: sample.model })).state, "missing");
  });

  test("an id that would lead elsewhere is not asked for", async () => {
    const polled = await poll(provider(), { upstreamId: "..", keep: {}, kind: sample.kind, model: sample.model });
    assert.equal(polled.state, "trouble");
  });

  test("links that expired come back fresh with the next poll", async () => {
    const job = await begin("[lab:link=5]");
    if (sample.kind === "lyrics") return;
    clock += 120_000;
    const first = mediaOf(await poll(provider(), job));
    clock += 6_000;
    assert.equal((await fetch(first)).status, 403);
    assert.equal((await fetch(mediaOf(await poll(provider(), job)))).status, 200);
  });

  test("cancel stops a job that goes on, and does not confirm for one that has ended or is not known", async () => {
    const { cancel } = provider();
    if (!cancel) return assert.equal(dialect.cancelled, undefined, "the upstream can cancel, the adapter cannot");
    const going = await begin("cancel me");
    assert.equal(await cancel(going, workOf()), true);
    assert.equal((await poll(provider(), going)).state, "failed");
    const ended = await begin("too late");
    clock += 120_000;
    assert.equal(await cancel(ended, workOf()), false);
    assert.equal((await poll(provider(), ended)).state, "done");
    assert.equal(await cancel({ ...ended, upstreamId: "none" }, workOf()), false);
  });

  test("many jobs are asked for at once: each has its own state, an unknown one is missing, and a spoiled list is trouble for all", async () => {
    const { pollMany } = provider();
    if (!pollMany) return;
    const older = await begin("older");
    clock += 120_000;
    const younger = await begin("younger");
    const unknown = { ...younger, upstreamId: "none" };
    const answers = await pollMany.run([older, younger, unknown], workOf());
    assert.deepEqual(
      [older, younger, unknown].map(({ upstreamId }) => answers.get(upstreamId)?.state),
      ["done", "queued", "missing"],
    );
    const spoiled = await begin("[lab:poll=html x1]");
    const troubled = await pollMany.run([older, spoiled], workOf());
    assert.deepEqual(
      Array.from(troubled.values(), ({ state }) => state),
      ["trouble", "trouble"],
    );
  });

  test("no sentence or cause holds the key", async () => {
    const answers = await Promise.all(["[lab:429]", "[lab:500]", "[lab:html]", "[lab:refuse=invalid]"].map((mark) => start(mark)));
    const wrongModel = await provider().start({ ...jobOf(sample, "x"), model: "no such model" }, workOf());
    assert.ok(!JSON.stringify([...answers, wrongModel]).includes(secret));
  });
}
