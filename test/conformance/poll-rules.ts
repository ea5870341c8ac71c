import assert from "node:assert/strict";
import { test } from "node:test";
import type { Polled } from "../../src/core/provider.ts";
import { eventually } from "../support/eventually.ts";
import { startServer } from "./local-server.ts";
import { mediaOf } from "./output-check.ts";
import { accepted, assertDiscreet, jobOf } from "./provider-probe.ts";
import type { Probe } from "./provider-probe.ts";

/** What must hold of jobs that are asked about until they end. */
export function testPolls(probe: Probe): void {
  const { dialect, sample, provider, work, begin, poll, pass } = probe;

  for (const [word, { means }] of Object.entries(dialect.words)) {
    test(`the status ${word} means ${means}`, async () => {
      assert.equal((await poll(await begin(`[lab:status=${inMark(word)}]`))).state, means);
    });
  }

  test("a status word nobody knows keeps the job running", async () => {
    assert.equal((await poll(await begin("[lab:status=SIMMERING]"))).state, "running");
  });

  test("a job that fails over its content has that class and a sentence without the upstream's words", async () => {
    const job = await begin("[lab:fail=policy]");
    pass(120);
    const polled = await poll(job);
    assert.equal(polled.state === "failed" && polled.refusal.class, "content_policy");
    assertDiscreet(polled);
  });

  test("a job that fails for reasons of its own is a failure of class transient", async () => {
    const job = await begin(`[lab:fail=${inMark(dialect.failures.internal)}]`);
    pass(120);
    const polled = await poll(job);
    assert.equal(polled.state === "failed" && polled.refusal.class, "transient");
  });

  test("a job that is done before its results are there goes on until they are", async () => {
    const job = await begin("[lab:empty=1]");
    pass(120);
    const first = await poll(job);
    // Where the record names no results there is nothing in it that could be missing: they have an address of their own.
    const own = probe.lab().baseUrl(dialect.type);
    const isApart = first.state === "done" && mediaOf(first.output).every((one) => one.from === "url" && one.url.startsWith(own));
    if (!isApart) assert.equal(first.state, "running");
    assert.equal((await poll(job)).state, "done");
  });

  for (const fault of ["reset", "html", "truncated", "broken", "types", "huge", "500", "502", "503", "401", "429:3"]) {
    test(`a poll spoiled by "${fault}" is trouble, and the job is still there`, async () => {
      const job = await begin(`[lab:poll=${fault} x1]`);
      const polled = await poll(job);
      assert.equal(polled.state, "trouble");
      if (fault === "429:3" && dialect.retryAfter !== "none") assert.equal(polled.state === "trouble" && polled.retryAfterMs, 3_000);
      const { state } = await poll(job);
      assert.ok(probe.first.includes(state), state);
    });
  }

  test("a redirect is not followed", async (context) => {
    const elsewhere = await startServer(() => ({ status: 200, body: {} }));
    context.after(elsewhere.close);
    assert.equal((await probe.start(`[lab:redirect=${elsewhere.url}/]`)).state, "unknown");
    assert.equal((await poll(await begin(`[lab:poll=redirect]`))).state, "trouble");
    assert.equal(elsewhere.seen.length, 0);
  });

  test("work that is stopped while the answer drips in leaves a poll in trouble", async () => {
    const mark = "[lab:poll=drip:1000]";
    const job = await begin(mark);
    const stopping = new AbortController();
    const polling = poll(job, work({ signal: stopping.signal }));
    await eventually(async () => probe.jobsWith(mark).find(({ polls }) => polls === 1) ?? null, { everyMs: 2 });
    stopping.abort();
    assert.equal((await polling).state, "trouble");
  });

  test("a job the upstream does not know is missing", async () => {
    assert.equal((await poll(await begin("[lab:poll=missing]"))).state, "missing");
  });

  test("an id that would lead elsewhere is not asked for", async () => {
    const strays = probe.lab().strays().length;
    const { state } = await poll({ ...(await begin("elsewhere")), upstreamId: ".." });
    assert.ok(state === "trouble" || state === "missing" || probe.first.includes(state), state);
    assert.equal(probe.lab().strays().length, strays);
  });

  const hasLinks = dialect.linksExpire !== false && sample.kind !== "lyrics";
  if (hasLinks)
    test("links that expired come back fresh with the next poll", async () => {
      const job = await begin("[lab:link=5]");
      pass(120);
      const first = linkOf(await poll(job));
      pass(6);
      assert.equal((await fetch(first)).status, 403);
      assert.equal((await fetch(linkOf(await poll(job)))).status, 200);
    });

  for (const [state, seconds] of [
    ["queued", 0],
    ["running", 60],
  ] as const) {
    const stops = dialect.cancelled !== undefined && (dialect.cancels ?? ["queued", "running"]).includes(state);
    test(`cancel ${stops ? "stops" : "does not stop"} a ${state} job, and says so`, async () => {
      const { cancel } = provider();
      if (!cancel) return assert.equal(dialect.cancelled, undefined, "the upstream can cancel, the adapter cannot");
      const going = await begin(`cancel while ${state}`);
      pass(seconds);
      assert.equal(await cancel(going, work()), stops);
      const after = await poll(going);
      if (stops) assert.ok(after.state === "failed" || after.state === "missing", after.state);
      else assert.ok(after.state === state || probe.first.includes(after.state), after.state);
    });
  }

  test("cancel does not confirm for a job that has ended or is not known", async () => {
    const { cancel } = provider();
    if (!cancel) return;
    const ended = await begin("too late");
    pass(120);
    assert.equal(await cancel(ended, work()), false);
    assert.equal((await poll(ended)).state, "done");
    assert.equal(await cancel({ ...ended, upstreamId: "none" }, work()), false);
  });

  testMany(probe);

  test("a job whose answer was lost is found again by its own name, where the upstream can do that", async () => {
    const one = provider();
    assert.equal(one.recovery === "lookup", one.lookup !== undefined);
    if (!one.lookup) return;
    const job = jobOf(sample, "[lab:reset]");
    const before = probe.jobsWith("[lab:reset]").length;
    assert.equal((await one.start(job, work())).state, "unknown");
    const found = (await one.lookup(job, work())) ?? assert.fail("not found");
    assert.ok(probe.first.includes((await poll(accepted(found, sample))).state));
    assert.equal(probe.jobsWith("[lab:reset]").length, before + 1);
    assert.equal(await one.lookup(jobOf(sample, "never sent"), work()), null);
  });
}

function testMany({ provider, work, begin, first, pass }: Probe): void {
  test("many jobs are asked for at once: each has its own state, an unknown one is missing, and a spoiled list is trouble for all", async () => {
    const { pollMany } = provider();
    if (!pollMany) return;
    const older = await begin("older");
    pass(120);
    const younger = await begin("younger");
    const unknown = await begin("[lab:poll=missing]");
    const answers = await pollMany.run([older, younger, unknown], work());
    const states = [older, younger, unknown].map(({ upstreamId }) => answers.get(upstreamId)?.state);
    assert.deepEqual([states[0], states[2]], ["done", "missing"]);
    assert.ok(
      first.some((state) => state === states[1]),
      states[1],
    );
    const spoiled = await begin("[lab:poll=html x1]");
    const troubled = await pollMany.run([older, spoiled], work());
    assert.deepEqual(
      Array.from(troubled.values(), ({ state }) => state),
      ["trouble", "trouble"],
    );
  });
}

function inMark(words: string): string {
  return words.replaceAll(" ", "%20");
}

function linkOf(polled: Polled): string {
  if (polled.state !== "done") return assert.fail(JSON.stringify(polled));
  const source = mediaOf(polled.output).find((one) => one.from === "url");
  return source?.from === "url" ? source.url : assert.fail("no link; the dialect may say so with linksExpire");
}
