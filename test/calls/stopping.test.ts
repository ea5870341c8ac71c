import assert from "node:assert/strict";
import { test } from "node:test";
import { startCallGateway } from "../support/call-gateway.ts";

const chat = (content: string) => ({ model: "lab-chat", messages: [{ role: "user", content }], stream: true });

test("a service that stops lets a stream end, and cuts one off that would not", async () => {
  const { gateway, client, lab, end } = await startCallGateway();
  const ask = async (content: string) => {
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${client.key}`, "content-type": "application/json" },
      body: JSON.stringify(chat(content)),
    });
    return reply.text();
  };
  const short = ask("short [lab:pace=100] [lab:tokens=10]");
  const endless = ask("endless [lab:hold=2]");
  while (lab.calls().length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  const from = performance.now();
  await end();
  assert.ok(performance.now() - from < 9_500, "it must end within ten seconds");
  assert.match(await short, /data: \[DONE\]/);
  const cut = await endless;
  assert.match(cut, /"code":"unavailable"/);
  assert.doesNotMatch(cut, /\[DONE\]/);
});
