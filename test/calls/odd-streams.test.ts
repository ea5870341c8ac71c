import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { unicodeWords } from "../../lab/calls/words.ts";
import { openBank, type Bank } from "./bank.ts";
import { contentOf, eventsOf, wordsIn } from "./teller.ts";
import { chat, completion, sameWires, wires } from "./wires.ts";

describe("a stream in an odd form", () => {
  let bank: Bank;
  before(async () => {
    bank = await openBank();
  });
  after(() => bank.end());

  for (const wire of wires) {
    for (const marks of ["[lab:split]", "[lab:crlf]", "[lab:comments]", "[lab:split] [lab:crlf] [lab:comments]"]) {
      test(`${wire.name}: every character comes through ${marks}`, async () => {
        const reading = await bank.read(wire.path, wire.request(`[lab:tokens=24] [lab:unicode] ${marks}`, { stream: true }));
        assert.equal(await reading.end(), true);
        assert.equal(contentOf(reading.text()), [...unicodeWords, ...unicodeWords].join(""));
        await bank.isEven();
      });
    }

    for (const mark of ["no-usage", "late-usage"]) {
      test(`${wire.name}: ${mark} costs what it says all the same`, async () => {
        const reading = await bank.read(wire.path, wire.request(`count it [lab:${mark}] [lab:tokens=40]`, { stream: true }));
        assert.equal(await reading.end(), true);
        assert.equal(wordsIn(reading.text()), 40);
        await bank.isEven();
      });
    }
  }

  for (const wire of sameWires) {
    test(`${wire.name}: a whole reply without usage is counted, and says that it was`, async () => {
      const reply = await bank.ask(wire.path, wire.request("count it [lab:no-usage] [lab:tokens=40]"));
      const usage = reply.body["usage"] as Record<string, unknown>;
      assert.equal(usage["completion_tokens"] ?? usage["output_tokens"], 40);
      assert.equal(usage["estimated"], true);
      await bank.isEven();
    });
  }

  test("a client that asks for the use gets it with its cost, in one last chunk", async () => {
    for (const wire of [chat, completion]) {
      const reading = await bank.read(wire.path, wire.request("[lab:split]", { stream: true, stream_options: { include_usage: true } }));
      await reading.end();
      const told = eventsOf(reading.text()).filter(({ raw }) => raw.includes('"usage":{'));
      assert.equal(told.length, 1);
      const usage = told[0]?.data?.["usage"] as Record<string, number>;
      assert.equal(Math.round((usage["cost"] ?? 0) * 1e9), (usage["prompt_tokens"] ?? 0) * 150 + (usage["completion_tokens"] ?? 0) * 600);
      assert.equal(eventsOf(reading.text()).at(-1)?.raw, "[DONE]");
    }
    await bank.isEven();
  });
});
