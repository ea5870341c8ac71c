import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { requestBytes } from "./exchange.ts";
import { runLoad, type Load } from "./load.ts";

const servers: Server[] = [];
after(() => servers.forEach((server) => server.close()));

test("every request of every connection is counted once, on kept connections", async () => {
  let connections = 0;
  const { port, server } = await listen((request, response) => {
    request.resume().once("end", () => response.end('{"ok":true}'));
  });
  server.on("connection", () => connections++);
  const measured = await runLoad({ ...base(port), connections: 4, requestsEach: 25 });
  assert.equal(measured.count, 100);
  assert.deepEqual(measured.failures, {});
  assert.equal(connections, 4);
  assert.ok(measured.p50Ms > 0 && measured.p99Ms >= measured.p50Ms);
});

test("a load that ends by time waits for the replies under way", async () => {
  let asked = 0;
  const { port } = await listen((_request, response) => {
    asked++;
    setTimeout(() => response.end("late"), 60);
  });
  const measured = await runLoad({ ...base(port), connections: 3, forMs: 20 });
  assert.equal(asked, 3);
  assert.equal(measured.count, 3);
  assert.equal(measured.failed, 0);
  assert.ok(measured.p50Ms >= 59);
});

test("refusals and broken replies are failures with their reasons, and the load goes on", async () => {
  let asked = 0;
  const { port } = await listen((_request, response) => {
    asked++;
    if (asked === 1) response.writeHead(429).end("slow down");
    else if (asked === 2) response.writeHead(200, { "content-length": 10 }).write("half", () => response.destroy());
    else response.end("whole");
  });
  const measured = await runLoad({ ...base(port), requestsEach: 5 });
  assert.equal(measured.count, 3);
  assert.equal(measured.failed, 2);
  assert.deepEqual(Object.keys(measured.failures), ["status 429", "closed without a whole reply"]);
});

test("a silent side fails the request after the patience", async () => {
  const { port } = await listen(() => {});
  const measured = await runLoad({ ...base(port), requestsEach: 1, patienceMs: 100 });
  assert.deepEqual(measured.failures, { "no whole reply in 0.1 s": 1 });
});

test("a reply that announces the end of the connection is followed by a new connection", async () => {
  let connections = 0;
  const { port, server } = await listen((_request, response) => response.setHeader("connection", "close").end("bye"));
  server.on("connection", () => connections++);
  const measured = await runLoad({ ...base(port), requestsEach: 6 });
  assert.equal(measured.count, 6);
  assert.equal(measured.failed, 0);
  assert.ok(connections >= 6);
});

test("a stream counts when all its words came, and its first word is timed", async () => {
  const { port } = await listen((_request, response) => {
    response.write("data: word-0\n\n");
    setTimeout(() => response.end("data: word-1\n\ndata: [DONE]\n\n"), 30);
  });
  const words = { each: "word-", last: "[DONE]" };
  const whole = await runLoad({ ...base(port), requestsEach: 3, words: { ...words, count: 2 } });
  assert.equal(whole.count, 3);
  assert.ok(whole.firstWordMs < whole.p50Ms - 15, `${whole.firstWordMs} of ${whole.p50Ms}`);
  const short = await runLoad({ ...base(port), requestsEach: 2, words: { ...words, count: 3 } });
  assert.deepEqual(short.failures, { "words lost": 2 });
});

function base(port: number): Load {
  return { port, request: requestBytes(port, {}, "{}"), connections: 1, forMs: 5_000, patienceMs: 3_000 };
}

async function listen(onRequest: RequestListener): Promise<{ port: number; server: Server }> {
  const server = createServer(onRequest).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, server };
}
