import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../support/eventually.ts";
import { openBank, type Bank } from "./bank.ts";
import { createTeller } from "./teller.ts";
import { chat, sameWires, wires } from "./wires.ts";

describe("a client that leaves", () => {
  let bank: Bank;
  before(async () => {
    bank = await openBank({ yaml: "calls: { deadline: 3s }\n" });
    // Counting starts with the first question, and is slow at that.
    await bank.ask(chat.path, chat.request("warm [lab:no-usage]"));
    await bank.isEven();
  });
  after(() => bank.end());

  const endedLeft = (prompt: string) =>
    eventually(() => bank.lab.calls().find((call) => call.prompt.includes(prompt) && call.ended === "left"), {
      what: `the end of "${prompt}" upstream`,
    });

  for (const wire of wires) {
    test(`${wire.name}: in the middle of a stream stops the upstream and pays for what was delivered`, async () => {
      for (const words of [1, 7, 30]) {
        const prompt = `${wire.name} ${words} [lab:tokens=60] [lab:hold=${words}]`;
        const reading = await bank.read(wire.path, wire.request(prompt, { stream: true }));
        await reading.words(words);
        reading.leave();
        const { completionTokens } = await endedLeft(prompt);
        assert.equal(completionTokens, words);
        await bank.isEven();
      }
      assert.ok(!bank.gateway.logged.join("\n").includes("could not be charged"));
    });

    test(`${wire.name}: before the first byte pays nothing, whole and streamed`, async () => {
      const paid = await bank.used();
      for (const stream of [false, true]) {
        const prompt = `${wire.name} early ${stream} [lab:delay=2500]`;
        const leaving = bank.askAndLeave(wire.path, wire.request(prompt, { stream }), 150);
        await leaving;
        await endedLeft(prompt);
      }
      assert.equal(await bank.used(), paid);
      await bank.isEven();
    });
  }

  test("a client that has gone before its call was looked at costs nothing", async () => {
    const prompt = "gone at once [lab:delay=600]";
    // A new key is not remembered yet, so that there is a moment between the request and the call.
    const { account } = bank;
    const { body } = await bank.gateway.admin("POST", "/admin/v1/keys", { account, name: "fresh" });
    const socket = await send(bank.gateway.url, String(body["key"]), chat.request(prompt));
    socket.resetAndDestroy();
    await sleep(1_000);
    const ended = bank.lab.calls().flatMap((call) => (call.prompt === prompt ? [call.ended] : []));
    assert.ok(
      ended.every((end) => end === "left"),
      `upstream: ${ended.join()}`,
    );
    await bank.isEven();
  });

  for (const wire of sameWires) {
    test(`${wire.name}: while more is waiting to be sent than it reads still ends its call and pays`, async () => {
      const prompt = `${wire.name} unread [lab:tokens=60000]`;
      const { key, isOver } = await lonely(bank);
      const socket = await slowly(bank.gateway.url, key, wire.path, wire.request(prompt, { stream: true, max_tokens: 100_000 }));
      await sleep(300);
      socket.resetAndDestroy();
      await endedLeft(prompt);
      await isOver(2_000);
    });
  }

  test("that reads nothing at all is given up with the deadline, and pays for what was sent", async () => {
    const { key, isOver } = await lonely(bank);
    const socket = await slowly(bank.gateway.url, key, chat.path, chat.request("stalled [lab:tokens=60000]", { stream: true }));
    try {
      await isOver(5_000);
    } finally {
      socket.destroy();
    }
  });
});

/** A customer who may make one call at a time, and so can tell whether the last one is over. */
async function lonely({ gateway }: Bank): Promise<{ key: string; isOver(withinMs: number): Promise<void> }> {
  const { key } = await gateway.customer(1, { concurrent_calls: 1 });
  const { ask, used } = createTeller(gateway.url, key);
  return {
    key,
    async isOver(withinMs) {
      await eventually(async () => (await used()) > 0, { withinMs, what: "the charge for what was delivered" });
      await eventually(async () => (await ask(chat.path, chat.request("next"))).status === 200, { withinMs, what: "the end of the call" });
    },
  };
}

/** Sends a request over a socket of its own. */
async function send(url: string, key: string, body: object, path = chat.path): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  await new Promise((resolve) => socket.once("connect", resolve));
  const json = JSON.stringify(body);
  const lines = [`POST ${path} HTTP/1.1`, "host: gateway", `authorization: Bearer ${key}`, "content-type: application/json"];
  await new Promise((resolve) => {
    socket.write(
      `${[...lines, "anthropic-version: 2023-06-01", `content-length: ${Buffer.byteLength(json)}`].join("\r\n")}\r\n\r\n${json}`,
      resolve,
    );
  });
  return socket;
}

/** A client that reads the first bytes of a reply and no more. */
async function slowly(url: string, key: string, path: string, body: object): Promise<Socket> {
  const socket = await send(url, key, body, path);
  await new Promise<void>((resolve) => {
    socket.once("data", () => {
      socket.pause();
      resolve();
    });
  });
  return socket;
}
