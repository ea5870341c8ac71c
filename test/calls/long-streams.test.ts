import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { describeCallConfiguration } from "../../lab/configuration.ts";
import { createLab, type Lab } from "../../lab/lab.ts";
import { createService, processesIn, type Service } from "../crash/service.ts";
import { priced } from "./bank.ts";
import { createTeller, type Teller } from "./teller.ts";
import { chat, completion, message, sameWires, type Wire } from "./wires.ts";

const mebibyte = 1024 * 1024;
const most = 100 * mebibyte;
// An eighth of what the upstream would send: what is kept of it up to the limit, and what the collector has yet to take.
const mostOfEndless = 256 * mebibyte;

describe("the memory of the service", { skip: process.platform !== "linux" && "the system does not tell" }, () => {
  let lab: Lab;
  let folder: string;
  let service: Service;
  let teller: Teller;
  let key: string;
  before(async () => {
    lab = await createLab();
    folder = realpathSync(mkdtempSync(join(tmpdir(), "genway-long-")));
    service = await createService(folder, describeCallConfiguration(lab, "lab-key"));
    await service.start(0);
    await service.admin("/admin/v1/accounts", { name: "one", credit_usd: 10 });
    key = String((await service.admin("/admin/v1/keys", { account: "one", name: "k" }))["key"]);
    teller = createTeller(service.url, key);
    // Machine code, buffers and counters that any service has after a while.
    for (const wire of [chat, completion, message])
      for (let n = 0; n < 30; n++) await teller.ask(wire.path, wire.request(`warm ${n}`, { stream: n % 2 === 0 }));
    await teller.ask(chat.path, chat.request("warm [lab:no-usage]"));
  });
  after(async () => {
    await service.kill().catch(() => undefined);
    await lab.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const wire of sameWires) {
    test(
      `stays within 100 MiB while 200,000 tokens of ${wire.name} pass, which are paid for to the last`,
      { timeout: 120_000 },
      async (t) => {
        const paid = { used: await teller.used(), due: priced(lab.calls()) };
        const { grown, words } = await watched(() => countWords(wire));
        t.diagnostic(`grew by ${Math.round(grown / mebibyte)} MiB`);
        assert.equal(words, 200_000);
        assert.ok(grown < most, `grew by ${Math.round(grown / mebibyte)} MiB`);
        assert.equal((await teller.used()) - paid.used, priced(lab.calls()) - paid.due);
      },
    );
  }

  for (const stream of [false, true]) {
    test(`stays within 256 MiB when ${stream ? "an event" : "a reply"} does not end`, { timeout: 60_000 }, async (t) => {
      const paid = await teller.used();
      const { grown, status } = await watched(() => teller.ask(chat.path, chat.request("[lab:endless]", { stream })));
      t.diagnostic(`grew by ${Math.round(grown / mebibyte)} MiB`);
      assert.equal(status, 502);
      assert.equal(await teller.used(), paid);
      assert.ok(grown < mostOfEndless, `grew by ${Math.round(grown / mebibyte)} MiB`);
    });
  }

  async function watched<R extends object>(act: () => Promise<R>): Promise<R & { grown: number }> {
    const from = memory();
    let peak = from;
    const timer = setInterval(() => (peak = Math.max(peak, memory())), 20);
    const result = await act();
    clearInterval(timer);
    return { ...result, grown: peak - from };
  }

  function memory(): number {
    const sizes = (processesIn(folder) ?? []).map((pid) => /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
    return sizes.reduce((sum, size) => sum + Number(size ?? 0) * 1024, 0);
  }

  async function countWords(wire: Wire): Promise<{ words: number }> {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "anthropic-version": "2023-06-01" };
    const body = JSON.stringify(wire.request("[lab:tokens=200000]", { stream: true, max_tokens: 200_000 }));
    const reply = await fetch(service.url + wire.path, { method: "POST", headers, body });
    assert.ok(reply.body);
    let words = 0;
    let rest = "";
    for await (const piece of reply.body.pipeThrough(new TextDecoderStream())) {
      const text = rest + piece;
      const end = text.lastIndexOf("\n\n") + 2;
      words += text.slice(0, end).split(/"(?:content|text)":" /).length - 1;
      rest = text.slice(end);
    }
    return { words };
  }
});
