import assert from "node:assert/strict";
import { once } from "node:events";
import { after, test } from "node:test";
import Fastify, { type FastifyRequest } from "fastify";
import { askingAs } from "./inject.ts";

const app = Fastify();
after(() => app.close());
let outer: FastifyRequest | null = null;
let inner: FastifyRequest | null = null;
let gone: Promise<unknown> = Promise.resolve();

app.post("/outer", (request, reply) => {
  outer = request;
  reply.send({});
});
app.post("/inner", (request, reply) => {
  inner = request;
  reply.send({ got: request.body });
});
app.get("/stream", (request, reply) => {
  gone = once(request.socket, "close");
  reply.hijack().raw.writeHead(200, { "content-type": "text/event-stream" });
  reply.raw.write("one");
});

async function asking() {
  const headers = { authorization: "Bearer k", host: "genway.example", "mcp-protocol-version": "x", prefer: "wait=9", cookie: "a=b" };
  await app.inject({ method: "POST", url: "/outer", headers, payload: { long: "body" }, remoteAddress: "203.0.113.7" });
  assert.ok(outer !== null);
  return askingAs(outer);
}

test("a request is made in the name of whoever asked: their key, their address, nothing of their message", async () => {
  const send = await asking();
  const body = JSON.stringify({ a: 1 });
  const reply = await send(new Request("http://x/inner", { method: "POST", headers: { "content-type": "application/json" }, body }));
  assert.deepEqual(await reply.json(), { got: { a: 1 } });
  const { headers, socket } = inner ?? assert.fail();
  assert.equal(socket.remoteAddress, "203.0.113.7");
  assert.deepEqual([headers.authorization, headers.host, headers.cookie], ["Bearer k", "genway.example", "a=b"]);
  assert.deepEqual(
    [headers.prefer, headers["mcp-protocol-version"], headers["content-length"]],
    [undefined, undefined, String(body.length)],
  );
});

test("a stream comes as it is written, and its writer hears when nobody reads it any more", async () => {
  const send = await asking();
  const leave = new AbortController();
  const reply = await send(new Request("http://x/stream", { signal: leave.signal }));
  const reader = reply.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  assert.equal(Buffer.from(value ?? []).toString(), "one");
  leave.abort();
  await gone;
});
