import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import type { Lab } from "../../lab/lab.ts";
import { eventually } from "../support/eventually.ts";
import { createTestClock } from "../support/test-clock.ts";
import { openBank, upstreamKey, type Bank } from "./bank.ts";
import { contentOf } from "./teller.ts";
import { chat } from "./wires.ts";

const price = "price: { input_per_million: 0.15, output_per_million: 0.60 }";

function provider(name: string, lab: Lab, more = `keys: ["${upstreamKey}"]`): string {
  return `  ${name}: { type: openai-compatible, base_url: "${lab.baseUrl("openai/v1")}", ${more}, allow_private_network: true }`;
}

function model(routes: string, name = "lab-chat"): string {
  return `  ${name}: { kinds: [chat, completion], routes: [${routes}], ${price} }`;
}

/** Two providers, one to be asked before the other. */
const twoInOrder = (lab: Lab) =>
  [
    "providers:",
    provider("first", lab),
    provider("second", lab),
    "models:",
    model("{ provider: first, model: one, priority: 0 }, { provider: second, model: two, priority: 1 }"),
    "",
  ].join("\n");

describe("a first provider that does not answer", () => {
  const clock = createTestClock();
  let bank: Bank;
  before(async () => {
    bank = await openBank({ yaml: twoInOrder, clock: clock.now });
  });
  after(() => bank.end());

  for (const mark of ["429=30", "500", "503", "529", "401", "404", "refuse=quota", "reset", "html", "truncated", "endless"]) {
    test(`is replaced by the second at ${mark}, whole and streamed, and the answer is paid for once`, async () => {
      for (const stream of [false, true]) {
        // Half a stream is a reply that has begun.
        if (stream && mark === "truncated") continue;
        const reply = await bank.ask(chat.path, chat.request(`[lab:${mark}] [lab:only=one]`, { stream }));
        assert.equal(reply.status, 200, reply.text.slice(0, 300));
        assert.equal(reply.headers["x-genway-provider"], "second");
        assert.equal(reply.headers["x-genway-attempts"], "2");
        if (stream) assert.match(contentOf(reply.text), /river/);
        assert.ok(!/"model":"(one|two)"/.test(reply.text), "the client sees its own name of the model");
        clock.advance(200_000);
      }
      await bank.isEven();
    });
  }
});

describe("routes", () => {
  const clock = createTestClock();
  let bank: Bank;
  afterEach(() => bank.end());

  const ask = (prompt: string, more: object = {}) => bank.ask(chat.path, chat.request(prompt, more));

  test("a request that is wrong everywhere is not asked twice", async () => {
    bank = await openBank({ yaml: twoInOrder });
    assert.equal((await ask("[lab:refuse=context]")).status, 400);
    assert.equal((await ask("[lab:refuse=content_policy]")).status, 400);
    assert.equal(bank.lab.calls().length, 2);
    await bank.isEven();
  });

  test("when all are full the shortest wait is told", async () => {
    bank = await openBank({ yaml: twoInOrder });
    const reply = await ask("[lab:429=9]");
    assert.equal(reply.status, 429);
    assert.equal(reply.headers["retry-after"], "9");
    assert.equal(bank.lab.calls().length, 2);
  });

  test("a provider that is full is asked last for as long as it said", async () => {
    bank = await openBank({ yaml: twoInOrder, clock: clock.now });
    assert.equal((await ask("[lab:429=20] [lab:only=one]")).headers["x-genway-provider"], "second");
    assert.equal((await ask("next")).headers["x-genway-attempts"], "1");
    assert.equal((await ask("next")).headers["x-genway-provider"], "second");
    clock.advance(20_500);
    assert.equal((await ask("next")).headers["x-genway-provider"], "first");
    await bank.isEven();
  });

  test("a stream that has begun is never begun again elsewhere", async () => {
    bank = await openBank({ yaml: twoInOrder });
    const reply = await ask("[lab:cut=4] [lab:only=one]", { stream: true });
    assert.match(reply.text, /upstream_error/);
    assert.equal(bank.lab.calls().length, 1);
    await bank.isEven();
  });

  test("weights share the calls", async () => {
    const yaml = (lab: Lab) =>
      [
        "providers:",
        provider("a", lab),
        provider("b", lab),
        "models:",
        model("{ provider: a, model: one, weight: 3 }, { provider: b, model: two, weight: 1 }"),
        "",
      ].join("\n");
    bank = await openBank({ yaml });
    await Promise.all(Array.from({ length: 400 }, () => ask("share")));
    const ones = bank.lab.calls().filter((call) => call.model === "one").length;
    // Six standard deviations from 300.
    assert.ok(ones > 248 && ones < 352, `${ones} of 400`);
    await bank.isEven();
  });

  test("keys share the calls, and one that is refused leaves its calls to the other", async () => {
    const keys = `keys: ["${upstreamKey}", "${upstreamKey}-b"]`;
    bank = await openBank({ yaml: (lab) => ["providers:", provider("a", lab, keys), "models:", model("{ provider: a }"), ""].join("\n") });
    await Promise.all(Array.from({ length: 60 }, () => ask("share")));
    const ends = bank.lab.calls().map((call) => call.key);
    assert.ok(ends.filter((key) => key.endsWith("-b")).length > 10 && ends.filter((key) => !key.endsWith("-b")).length > 10);
    for (let n = 0; n < 12; n++) assert.equal((await ask(`${n} [lab:401] [lab:only=${upstreamKey}-b]`)).status, 200);
    await bank.isEven();
  });
});

describe("a provider that fails", () => {
  const clock = createTestClock();
  let bank: Bank;
  afterEach(() => bank.end());
  const ask = (prompt: string) => bank.ask(chat.path, chat.request(prompt));
  const asked = () => bank.lab.calls().length;

  test("rests after five failures, is probed by one call, rests longer when that fails, and comes back when it succeeds", async () => {
    bank = await openBank({ clock: clock.now });
    for (let n = 0; n < 3; n++) await ask("[lab:500]");
    assert.equal(asked(), 5, "the sixth try is not made");
    const refused = await ask("good");
    assert.equal(refused.status, 503);
    assert.ok(Number(refused.headers["retry-after"]) >= 1);
    assert.equal(asked(), 5);
    clock.advance(10_100);
    await ask("[lab:500]");
    assert.equal(asked(), 6, "one probe");
    clock.advance(10_100);
    assert.equal((await ask("good")).status, 503, "it rests for twice as long");
    clock.advance(10_100);
    const probes = await Promise.all(["one [lab:delay=900]", "two [lab:delay=900]", "three [lab:delay=900]"].map(ask));
    assert.deepEqual(
      probes.map(({ status }) => status).sort((a, b) => a - b),
      [200, 503, 503],
      "one of them finds out",
    );
    assert.equal((await ask("good")).status, 200);
    await bank.isEven();
  });

  test("is probed again after a probe that found no free place at it", async () => {
    const yaml = (lab: Lab) =>
      [
        "providers:",
        provider("a", lab, `keys: ["${upstreamKey}"], limits: { concurrent: 1 }`),
        "models:",
        model("{ provider: a, model: one }", "lab-chat"),
        model("{ provider: a, model: two }", "other"),
        "",
      ].join("\n");
    bank = await openBank({ yaml, clock: clock.now });
    for (let n = 0; n < 3; n++) await ask("[lab:500]");
    clock.advance(10_100);
    // Another model keeps the only place at this provider while the rest ends.
    const holding = bank.ask(chat.path, { ...chat.request("[lab:delay=400]"), model: "other" });
    await eventually(() => bank.lab.calls().some((call) => call.ended === "open"));
    assert.equal((await ask("no place")).status, 503);
    assert.equal((await holding).status, 200);
    assert.equal((await ask("a place")).status, 200);
    await bank.isEven();
  });

  test("is probed again after a client left during the probe", async () => {
    bank = await openBank({ clock: clock.now });
    for (let n = 0; n < 3; n++) await ask("[lab:500]");
    clock.advance(10_100);
    await bank.askAndLeave(chat.path, chat.request("[lab:delay=3000]"), 100);
    await eventually(() => bank.lab.calls().some((call) => call.ended === "left"));
    await eventually(async () => (await ask("good")).status === 200, { what: "another probe" });
    await bank.isEven();
  });
});
