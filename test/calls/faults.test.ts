import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { createTestClock } from "../support/test-clock.ts";
import { openBank, upstreamKey, type Bank } from "./bank.ts";
import { codeOf, sameWires, wires } from "./wires.ts";

/** What the upstream does instead of a reply, and what the client is told. */
const faults: readonly { mark: string; status: number; code: string; logs: RegExp }[] = [
  { mark: "429=6", status: 429, code: "rate_limited", logs: /rate_limit/ },
  { mark: "500", status: 502, code: "upstream_error", logs: /transient/ },
  { mark: "503", status: 502, code: "upstream_error", logs: /transient/ },
  { mark: "529", status: 502, code: "upstream_error", logs: /transient/ },
  { mark: "401", status: 503, code: "upstream_unavailable", logs: /auth/ },
  { mark: "404", status: 503, code: "upstream_unavailable", logs: /not_found/ },
  { mark: "refuse=quota", status: 503, code: "upstream_unavailable", logs: /quota/ },
  { mark: "refuse=content_policy", status: 400, code: "content_policy", logs: /content_policy/ },
  { mark: "refuse=context", status: 400, code: "invalid_request", logs: /invalid/ },
  { mark: "reset", status: 502, code: "upstream_error", logs: /transient/ },
  { mark: "html", status: 502, code: "upstream_error", logs: /transient/ },
];

const someFaults = faults.filter(({ mark }) => ["429=6", "503", "401", "refuse=content_policy", "html"].includes(mark));

describe("an upstream that gives no reply", () => {
  const clock = createTestClock();
  let bank: Bank;
  before(async () => {
    bank = await openBank({ clock: clock.now });
  });
  after(() => bank.end());
  // So that no test meets the breaker that another opened.
  afterEach(() => clock.advance(200_000));

  for (const wire of wires) {
    for (const { mark, status, code, logs } of sameWires.includes(wire) ? faults : someFaults) {
      test(`${mark} is ${status} ${code} for ${wire.name}, whole and streamed, told in its own shape and not charged`, async () => {
        const paid = await bank.used();
        bank.gateway.logged.length = 0;
        const ask = (stream: boolean) => bank.ask(wire.path, wire.request(`fail [lab:${mark}]`, { stream }));
        for (const reply of await Promise.all([ask(false), ask(true)])) {
          assert.equal(codeOf(wire, reply.body), code, reply.text);
          assert.equal(reply.status, status);
          bank.isDiscreet(reply.text + JSON.stringify(reply.headers));
          // Whoever asked wrongly is told what was wrong; of all else only that it went wrong.
          if (code !== "invalid_request") assert.doesNotMatch(reply.text, /the lab/i);
          if (status === 429) assert.equal(reply.headers["retry-after"], "6");
        }
        assert.equal(await bank.used(), paid);
        assert.match(bank.gateway.logged.join("\n"), logs);
        assert.ok(!bank.gateway.logged.join("\n").includes(upstreamKey), "the key is not logged");
      });
    }
  }

  for (const wire of sameWires) {
    test(`half a reply is no reply: a whole ${wire.name} that is truncated is an error and free`, async () => {
      const paid = await bank.used();
      const reply = await bank.ask(wire.path, wire.request("fail [lab:truncated]"));
      assert.equal(codeOf(wire, reply.body), "upstream_error");
      assert.equal(reply.status, 502);
      bank.isDiscreet(reply.text);
      assert.equal(await bank.used(), paid);
    });
  }

  test("a fault that passes is hidden: the same upstream is asked once more", async () => {
    for (const mark of ["500 x1", "reset x1", "html x1", "truncated x1", "429=1 x1"]) {
      const reply = await bank.ask("/v1/chat/completions", wires[0]?.request(`${mark} again [lab:${mark}]`) ?? {});
      assert.equal(reply.status, 200, `${mark}: ${reply.text}`);
      assert.equal(reply.headers["x-genway-attempts"], "2");
      clock.advance(200_000);
    }
    await bank.isEven();
  });
});
