import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { createTestClock } from "../support/test-clock.ts";
import { openBank, upstreamKey, type Bank } from "./bank.ts";
import { wordsIn } from "./teller.ts";
import { chat, streamCodeOf, wires, type Wire } from "./wires.ts";

describe("a stream that breaks", () => {
  const clock = createTestClock();
  let bank: Bank;
  before(async () => {
    bank = await openBank({ clock: clock.now, yaml: "calls: { silence: 1s, deadline: 4s }\n" });
  });
  after(() => bank.end());
  afterEach(() => clock.advance(200_000));

  async function brokenOff(wire: Wire, prompt: string, words: number): Promise<string> {
    bank.gateway.logged.length = 0;
    await bank.isEven();
    const reading = await bank.read(wire.path, wire.request(prompt, { stream: true }));
    assert.equal(reading.status, 200);
    assert.equal(await reading.end(), true, "the reply ends in order, with an error in it");
    await bank.isEven();
    assert.equal(wordsIn(reading.text()), words);
    bank.isDiscreet(reading.text() + JSON.stringify(reading.headers));
    const logged = bank.gateway.logged.join("\n");
    assert.match(logged, /a reply broke off/);
    assert.ok(!logged.includes(upstreamKey), `the key is not logged: ${logged}`);
    return streamCodeOf(wire, reading.text());
  }

  for (const wire of wires) {
    test(`${wire.name}: a connection that closes after five words is an error, and five words are paid for`, async () => {
      assert.equal(await brokenOff(wire, "[lab:cut=5]", 5), "upstream_error");
    });

    test(`${wire.name}: a reset after five words likewise`, async () => {
      assert.equal(await brokenOff(wire, "[lab:rst=5]", 5), "upstream_error");
    });

    test(`${wire.name}: an error told after five words is told in our words`, async () => {
      const code = await brokenOff(wire, "[lab:error=5]", 5);
      assert.ok(["upstream_error", "upstream_unavailable"].includes(code), code);
    });

    test(`${wire.name}: half an event at the end does not reach the client`, async () => {
      assert.equal(await brokenOff(wire, "[lab:truncated]", 6), "upstream_error");
    });

    test(`${wire.name}: an upstream that falls silent is given up`, async () => {
      assert.equal(await brokenOff(wire, "[lab:hold=3]", 3), "upstream_timeout");
    });

    test(`${wire.name}: a stream that breaks before its first word is asked for again, and free when that does not help`, async () => {
      const paid = await bank.used();
      const reply = await bank.ask(wire.path, wire.request("[lab:cut=0]", { stream: true }));
      const isStream = reply.headers["content-type"]?.startsWith("text/event-stream") === true;
      // Where the dialect itself begins before the first word, the reply has begun.
      if (!isStream) assert.equal(reply.status, 502, reply.text);
      assert.equal(await bank.used(), paid);
      assert.equal((await bank.ask(wire.path, wire.request(`once ${wire.name} [lab:cut=0 x1]`, { stream: true }))).status, 200);
      await bank.isEven();
    });
  }

  test("a reply that takes longer than the deadline ends with an error, and what came is paid for", async () => {
    // Nothing is on its way when the time is up, so that both sides know what was delivered.
    const patient = await openBank({ clock: clock.now, yaml: "calls: { silence: 30s, deadline: 4s }\n" });
    try {
      const reading = await patient.read(chat.path, chat.request("[lab:hold=12]", { stream: true }));
      assert.equal(await reading.end(), true);
      assert.equal(streamCodeOf(chat, reading.text()), "upstream_timeout");
      assert.ok(wordsIn(reading.text()) > 10);
      await patient.isEven();
    } finally {
      await patient.end();
    }
  });

  test("an upstream that does not begin before the deadline is a timeout, and free", async () => {
    const paid = await bank.used();
    for (const stream of [false, true]) {
      const reply = await bank.ask(chat.path, chat.request("[lab:delay=9000]", { stream }));
      assert.equal(reply.status, 504, reply.text);
      clock.advance(200_000);
    }
    assert.equal(await bank.used(), paid);
    await bank.isEven();
  });
});
