import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startGateway } from "../support/gateway.ts";
import { httpAgent } from "./agent.ts";

const gateway = await startGateway();
after(() => gateway.end());
const { url } = gateway;

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "old", version: "1" } },
};

function post(headers: Record<string, string> = {}, message: object = initialize): Promise<Response> {
  const usual = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  return fetch(`${url}/mcp`, { method: "POST", headers: { ...usual, ...headers }, body: JSON.stringify(message) });
}

test("on this machine, in local mode, no key is needed", async () => {
  const agent = await httpAgent(url, null);
  assert.match((await agent.call("get_balance")).text, /^100 USD available/);
  await agent.end();
});

test("agents of the earlier protocol are served too", async () => {
  const reply = await post();
  assert.equal(reply.status, 200);
  assert.match(await reply.text(), /"serverInfo":\{"name":"genway"/);
});

test("a wrong key is refused before anything is read", async () => {
  await assert.rejects(httpAgent(url, "sk-wrong"));
  const reply = await post({ authorization: "Bearer sk-wrong" });
  assert.equal(reply.status, 401);
  assert.equal(reply.headers.get("www-authenticate"), "Bearer");
  assert.equal(((await reply.json()) as { error: { code: string } }).error.code, "invalid_key");
});

test("pages of elsewhere are refused, with a key and without", async () => {
  const { key } = await gateway.customer(1);
  for (const origin of ["https://evil.example", "null", "http://127.0.0.1.evil.example"]) {
    assert.equal((await post({ origin })).status, 401, origin);
    assert.equal((await post({ origin, authorization: `Bearer ${key}` })).status, 403, origin);
  }
  assert.equal((await post({ origin: url })).status, 200);
});

test("what is not a message is refused", async () => {
  assert.equal((await fetch(`${url}/mcp`)).status, 405);
  assert.equal((await post({ "content-type": "text/plain" })).status, 415);
  assert.equal((await post({}, { hello: true })).status, 400);
  const empty = await fetch(`${url}/mcp`, { method: "POST" });
  assert.equal(empty.status, 400);
  assert.match(await empty.text(), /Model Context Protocol/);
});

test("the requests of tools count for the key's minute, those that carry them do not", async () => {
  const { key } = await gateway.customer(1, { requests_per_minute: 2 });
  const agent = await httpAgent(url, key);
  for (let n = 0; n < 3; n += 1) await agent.tools();
  assert.equal((await agent.call("get_balance")).isError, false);
  assert.equal((await agent.call("get_balance")).isError, false);
  const { isError, text } = await agent.call("get_balance");
  await agent.end();
  assert.ok(isError);
  assert.match(text, /Try again in \d+ seconds\. \[rate_limited\]$/);
});

test("a key that is limited to groups may only use their tools", async () => {
  const { key } = await gateway.customer(1, { scopes: ["tasks"] });
  const agent = await httpAgent(url, key);
  assert.equal((await agent.call("list_tasks")).isError, false);
  assert.match((await agent.call("generate_image", { prompt: "x" })).text, /This key is limited to: tasks\. \[not_allowed\]/);
  await agent.end();
});

test("a key that is limited to other addresses is refused", async () => {
  const { key } = await gateway.customer(1, { ips: ["203.0.113.0/24"] });
  assert.equal((await post({ authorization: `Bearer ${key}` })).status, 403);
});
