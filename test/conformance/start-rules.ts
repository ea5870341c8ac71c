import assert from "node:assert/strict";
import { test } from "node:test";
import { isInstant } from "../../lab/dialect.ts";
import type { Sample } from "../../lab/dialect.ts";
import { imageActs, mediaKinds, videoActs } from "../../src/core/kinds.ts";
import type { ImageAct, MediaKind, TaskInput, VideoAct, VideoInput } from "../../src/core/kinds.ts";
import type { Job } from "../../src/core/provider.ts";
import type { FailureClass } from "../../src/core/refusal.ts";
import { eventually } from "../support/eventually.ts";
import { closedPort, startServer } from "./local-server.ts";
import { accepted, ask, assertDiscreet, jobOf, refusedClass, secret, viewIn } from "./provider-probe.ts";
import type { Probe } from "./provider-probe.ts";
import { checkOutput, mediaOf } from "./output-check.ts";

/** What every start must do, whether it is answered with a job or with the result. */
export function testStarts(probe: Probe): void {
  const { dialect, sample, provider, work, start } = probe;

  for (const [index, each] of dialect.samples.entries()) testHappyPath(probe, each, index);

  for (const [index, each] of dialect.samples.entries()) testResolutions(probe, each, index);

  test("serves every kind and act it has samples for", () => {
    const { serves } = provider();
    for (const each of dialect.samples) {
      const limits = serves[each.kind]?.(each.model) ?? assert.fail(each.kind);
      assert.ok((limits.acts ?? ["generate"]).includes(actOf(each)), actOf(each));
    }
  });

  if (!dialect.keyless)
    test("a wrong key is a refusal of class auth that quotes no key", async () => {
      const wrong = "another-key-987654";
      const started = await start("auth", work({ key: wrong }));
      assert.equal(refusedClass(started), "auth");
      assert.ok(!JSON.stringify(started).includes(wrong));
    });

  test("429 is a refusal of class rate_limit with the wait that was asked for", async () => {
    const started = await start("[lab:429=7]");
    assert.equal(refusedClass(started), "rate_limit");
    if (dialect.retryAfter !== "none") assert.equal(started.state === "refused" && started.refusal.retryAfterMs, 7_000);
    assert.equal(probe.jobsWith("[lab:429=7]").length, 0);
  });

  for (const expected of ["content_policy", "invalid", "quota"] as const satisfies readonly FailureClass[]) {
    test(`a ${expected} refusal at submit has its class and a sentence without the upstream's words`, async () => {
      const started = await start(`[lab:refuse=${expected}]`);
      assert.equal(refusedClass(started), expected);
      assertDiscreet(started);
    });
  }

  test("a no under HTTP 200 is a refusal where the upstream has such an envelope, and never an acceptance", async () => {
    const outcome = refusedClass(await start("[lab:envelope=content_policy]"));
    // Nothing runs on after an answer that should have been the result.
    if (!dialect.envelope && probe.isInstant) assert.notEqual(outcome, "done");
    else assert.equal(outcome, dialect.envelope ? "content_policy" : "unknown");
  });

  test("503 that says when to come back is a refusal of class transient, other 5xx are unknown", async () => {
    assert.equal(refusedClass(await start("[lab:503=5]")), "transient");
    for (const mark of ["[lab:500]", "[lab:500=accepted]", "[lab:502]", "[lab:503]"])
      assert.equal((await start(mark)).state, "unknown", mark);
  });

  for (const fault of ["reset", "html", "truncated", "broken", "types", "huge"]) testSpoiled(probe, fault);

  test("a connection that ends before any answer leaves a start unknown", async () => {
    assert.equal((await start("[lab:reset-before]")).state, "unknown");
  });

  test("an upstream that cannot be reached is a refusal of class transient", async () => {
    const gone = provider({ baseUrl: `http://127.0.0.1:${await closedPort()}` });
    assert.equal(refusedClass(await gone.start(jobOf(sample, ""), work())), "transient");
    if (probe.isInstant) return;
    assert.equal((await ask(gone, { upstreamId: "1", keep: {}, kind: sample.kind, model: sample.model }, work())).state, "trouble");
  });

  test("a private address is not called unless the operator allows it", async () => {
    const shy = provider({ allowPrivateNetwork: false });
    assert.equal(refusedClass(await shy.start(jobOf(sample, "private"), work())), "transient");
    assert.equal(probe.jobsWith("private").length, 0);
  });

  test("work that is stopped while the answer drips in leaves a start unknown", async () => {
    const stopping = new AbortController();
    const starting = start("[lab:drip=1000]", work({ signal: stopping.signal }));
    await eventually(async () => probe.jobsWith("[lab:drip=1000]")[0] ?? null, { everyMs: 2 });
    stopping.abort();
    assert.equal((await starting).state, "unknown");
  });

  test("work that is stopped before it begins sends nothing", async () => {
    assert.equal(refusedClass(await start("stopped early", work({ signal: AbortSignal.abort() }))), "transient");
    assert.equal(probe.jobsWith("stopped early").length, 0);
  });

  test("acts and kinds that the upstream does not have are refused as unsupported, and nothing is sent", async () => {
    const one = provider();
    const before = probe.lab().jobs().length;
    for (const { says, job } of beyond(probe)) assert.equal(refusedClass(await one.start(job, work())), "unsupported", says);
    assert.equal(probe.lab().jobs().length, before);
  });

  test("no sentence or cause holds the key", async () => {
    const answers = await Promise.all(["[lab:429]", "[lab:500]", "[lab:html]", "[lab:refuse=invalid]"].map((mark) => start(mark)));
    const wrongModel = await provider().start({ ...jobOf(sample, "x"), model: "no such model" }, work());
    assert.ok(!JSON.stringify([...answers, wrongModel]).includes(secret));
  });

  test("a host that the upstream names is not shown the key", async (context) => {
    const elsewhere = await startServer(() => ({ status: 404 }));
    context.after(elsewhere.close);
    const started = await start(`[lab:origin=${elsewhere.url}]`);
    probe.pass(120);
    const outcome = started.state === "accepted" ? await probe.poll(accepted(started, sample)) : started;
    const foreign =
      outcome.state === "done" ? mediaOf(outcome.output).filter((one) => one.from === "url" && one.url.startsWith(elsewhere.url)) : [];
    assert.ok(!JSON.stringify([foreign, elsewhere.seen]).includes(secret));
  });
}

function testHappyPath(probe: Probe, each: Sample, index: number): void {
  const { dialect, provider, work, pass } = probe;
  if (isInstant(dialect, each.kind)) {
    test(`${each.kind} ${index} is answered with media that can be had`, async () => {
      const started = await provider().start(jobOf(each, ""), work());
      if (started.state !== "done") return assert.fail(JSON.stringify(started));
      await checkOutput(started.output, each);
    });
    return;
  }
  test(`${each.kind} ${index} is started, goes from queued to running to done, and leaves media that can be fetched`, async () => {
    const one = provider();
    const job = accepted(await one.start(jobOf(each, ""), work()), each);
    const first = await ask(one, job, work());
    assert.ok(probe.first.includes(first.state), JSON.stringify(first));
    for (const [seconds, progress] of [
      [60, 50],
      [49, 99],
    ] as const) {
      pass(seconds);
      const polled = await ask(one, job, work());
      if (polled.state !== "running") return assert.fail(JSON.stringify(polled));
      if (dialect.tellsProgress === false) assert.equal(polled.progress, undefined);
      else assert.ok(Math.abs((polled.progress ?? -1) - progress) <= 1, `${polled.progress} is not ${progress}`);
    }
    pass(11);
    const done = await ask(one, job, work());
    if (done.state !== "done") return assert.fail(JSON.stringify(done));
    await checkOutput(done.output, each);
  });
}

const resolutions = ["360p", "480p", "540p", "720p", "768p", "1080p", "1440p", "2k", "2160p", "4k"];

/** Clients name resolutions that an upstream, or one of its models, does not have. */
function testResolutions({ provider, work }: Probe, each: Sample, index: number): void {
  if (each.kind !== "video" || each.input.resolution === undefined) return;
  test(`${each.kind} ${index} is taken in any resolution, as the nearest that ${each.model} has`, async () => {
    for (const resolution of resolutions)
      accepted(await provider().start(jobOf({ ...each, input: { ...each.input, resolution } }, resolution), work()), each);
  });
}

function testSpoiled(probe: Probe, fault: string): void {
  test(`an answer spoiled by "${fault}" leaves a start unknown, and one job at the upstream`, async () => {
    const mark = `[lab:${fault}]`;
    const started = await probe.start(mark);
    const isBytes = probe.isInstant && probe.dialect.accepted(viewIn(probe, "done")).body instanceof Uint8Array;
    // Half a file is a file, and a result may well be large.
    const mayBeDone = (fault === "truncated" && isBytes) || (fault === "huge" && probe.isInstant);
    // Nothing runs on after a whole answer that should have been the result.
    const mayBeTried = probe.isInstant && refusedClass(started) === "transient" && (fault === "types" || fault === "huge");
    if (!(mayBeDone && started.state === "done") && !mayBeTried) assert.equal(started.state, "unknown");
    assert.equal(probe.jobsWith(mark).length, 1);
  });
}

function actOf(sample: Sample): ImageAct | VideoAct {
  if (sample.kind === "image") return sample.input.act;
  return sample.kind === "video" ? (sample.input.source?.act ?? "generate") : "generate";
}

/** Jobs of every act and kind that the provider says it does not have. */
function beyond({ dialect, provider, sample }: Probe): { says: string; job: Job }[] {
  const { serves } = provider();
  const acts = (each: Sample) => serves[each.kind]?.(each.model).acts ?? ["generate"];
  const video = dialect.samples.find((each) => each.kind === "video");
  const image = dialect.samples.find((each) => each.kind === "image");
  return [
    ...videoActs.flatMap((act) => (video && act !== "generate" && !acts(video).includes(act) ? actJob(video, act) : [])),
    ...imageActs.flatMap((act) => (image && !acts(image).includes(act) ? actJob(image, act) : [])),
    ...mediaKinds.flatMap((kind) => (serves[kind] ? [] : { says: kind, job: jobOf({ ...plain[kind], model: sample.model }, "") })),
  ];
}

function actJob(each: Sample, act: ImageAct | VideoAct): { says: string; job: Job }[] {
  const job = jobOf(each, "");
  const imageAct = imageActs.find((one) => one === act);
  const file = { from: "url", url: "https://pictures.example/a.png" } as const;
  if (job.kind === "image" && imageAct) {
    const source = { taskId: "0", upstreamTaskId: "up", place: 0, button: null, prompt: "", seed: null };
    return [{ says: act, job: { ...job, input: { ...job.input, act: imageAct, images: [file, file], source } } }];
  }
  if (job.kind !== "video" || (act !== "extend" && act !== "remix")) return [];
  const video = { from: "url", url: "https://videos.example/a.mp4" } as const;
  return [{ says: act, job: { ...job, input: { ...job.input, source: { act, taskId: "0", upstreamTaskId: "up", video } } } }];
}

const asked: VideoInput = { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } };
const plain = {
  video: { kind: "video", input: asked },
  music: { kind: "music", input: { mode: "inspiration", description: "rain", instrumental: false } },
  lyrics: { kind: "lyrics", input: { prompt: "rain" } },
  image: { kind: "image", input: { act: "generate", prompt: "waves", images: [], count: 1, grid: false } },
} satisfies { [K in MediaKind]: Extract<TaskInput, { kind: K }> };
