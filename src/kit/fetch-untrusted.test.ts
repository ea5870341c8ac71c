import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import type { RequestListener } from "node:http";
import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import test from "node:test";
import type { TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import { parseCidrs } from "./address.ts";
import { fetchUntrusted, readUntrusted, UntrustedUrlError } from "./fetch-untrusted.ts";

const allow = parseCidrs(["127.0.0.1"]);
const limits = { maxBytes: 100_000, timeoutMs: 3000, allow };

const refused = (reason: string) => (error: unknown) => {
  assert.ok(error instanceof UntrustedUrlError, String(error));
  assert.equal(error.reason, reason, String(error.cause ?? error));
  return true;
};

async function listen(t: TestContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  server.listen(0);
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const serve = (t: TestContext, answer: RequestListener) => listen(t, createHttpServer(answer));

/** A server that says exactly these bytes to whoever connects and asks. */
const say = (t: TestContext, text: string, then: (socket: Socket) => void = () => {}) =>
  listen(
    t,
    createServer((socket) => {
      socket.once("data", () => socket.write(text, () => then(socket)));
    }),
  );

test("a body arrives whole, with its type, from the host that was named", async (t) => {
  const port = await serve(t, (request, reply) => {
    reply
      .writeHead(200, {
        "content-type": "Image/PNG; q=1",
        "x-saw": `${request.headers.host} ${request.headers["accept-encoding"]} ${request.headers["x-mine"]}`,
      })
      .end("bytes");
  });
  const reply = await readUntrusted(`http://files.example:${port}/a`, {
    ...limits,
    resolve: async () => ["127.0.0.1"],
    headers: { Host: "evil", "Accept-Encoding": "gzip", "X-Mine": "1" },
  });
  assert.equal(Buffer.from(reply.bytes).toString(), "bytes");
  assert.equal(reply.mime, "image/png");
  assert.equal(reply.headers["x-saw"], `files.example:${port} identity 1`);
});

test("an endless body is cut at the limit", async (t) => {
  let closed: () => void = () => {};
  const gone = new Promise<void>((done) => (closed = done));
  const port = await serve(t, (request, reply) => {
    request.socket.on("close", closed);
    const more = () => void (reply.destroyed || reply.write(Buffer.alloc(16_384), () => setImmediate(more)));
    more();
  });
  const reply = await fetchUntrusted(`http://127.0.0.1:${port}/`, limits);
  let bytes = 0;
  await assert.rejects(async () => {
    for await (const chunk of reply.body) bytes += chunk.length;
  }, refused("too-large"));
  assert.ok(bytes <= limits.maxBytes, `${bytes}`);
  await gone;
});

test("a body exactly at the limit passes, one byte more does not, announced or not", async (t) => {
  const port = await serve(t, (request, reply) => {
    const [, kind, size] = (request.url ?? "").split("/");
    if (kind === "announced") reply.setHeader("content-length", Number(size));
    reply.write(Buffer.alloc(5));
    reply.end(Buffer.alloc(Number(size) - 5));
  });
  for (const kind of ["announced", "chunked"]) {
    const at = (size: number) => readUntrusted(`http://127.0.0.1:${port}/${kind}/${size}`, { ...limits, maxBytes: 1000 });
    assert.equal((await at(1000)).bytes.length, 1000);
    await assert.rejects(at(1001), refused("too-large"));
  }
});

test("a slow drip of headers or of body ends at the deadline", async (t) => {
  const drip = (socket: Socket) => {
    const timer = setInterval(() => socket.write("x"), 10);
    socket.on("close", () => clearInterval(timer));
  };
  for (const start of ["HTTP/1.1 200 OK\r\nx-a: ", "HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n"]) {
    const port = await say(t, start, drip);
    const began = performance.now();
    await assert.rejects(readUntrusted(`http://127.0.0.1:${port}/`, { ...limits, timeoutMs: 120 }), refused("timeout"));
    assert.ok(performance.now() - began < 30_000);
  }
});

test("silence before the reply, in the name server and in the handshake each end in time", async (t) => {
  const silent = await listen(
    t,
    createServer(() => {}),
  );
  const short = { ...limits, timeoutMs: 100 };
  await assert.rejects(readUntrusted(`http://127.0.0.1:${silent}/`, short), refused("timeout"));
  await assert.rejects(
    readUntrusted(`http://files.example:${silent}/`, { ...short, resolve: () => new Promise(() => {}) }),
    refused("timeout"),
  );
  await assert.rejects(readUntrusted(`https://127.0.0.1:${silent}/`, short), refused("timeout"));
  const began = performance.now();
  const handshake = readUntrusted(`https://127.0.0.1:${silent}/`, { ...limits, timeoutMs: 60_000, connectTimeoutMs: 50 });
  await assert.rejects(handshake, (error) => refused("timeout")(error) && /connection/.test(String(error)));
  assert.ok(performance.now() - began < 30_000);
});

test("a caller that gives up is let go at once, before and during the reply", async (t) => {
  const port = await say(t, "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc");
  const url = `http://127.0.0.1:${port}/`;
  await assert.rejects(readUntrusted(url, { ...limits, signal: AbortSignal.abort() }), refused("cancelled"));
  const control = new AbortController();
  const reply = await fetchUntrusted(url, { ...limits, signal: control.signal });
  await assert.rejects(async () => {
    for await (const _ of reply.body) control.abort();
  }, refused("cancelled"));
});

test("a reply shorter than announced is cut short, one longer than announced ends where it said", async (t) => {
  const hangUp = (socket: Socket) => socket.end();
  const short = await say(t, "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc", hangUp);
  await assert.rejects(readUntrusted(`http://127.0.0.1:${short}/`, limits), refused("cut-short"));
  const chunk = await say(t, "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\nabc", hangUp);
  await assert.rejects(readUntrusted(`http://127.0.0.1:${chunk}/`, limits), refused("cut-short"));
  const long = await say(t, "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabcdef", hangUp);
  const reply = await readUntrusted(`http://127.0.0.1:${long}/`, limits);
  assert.equal(Buffer.from(reply.bytes).toString(), "abc");
});

test("replies that are not HTTP are refused without repeating them", async (t) => {
  const cases: [string, string][] = [
    ["SSH-2.0-secret\r\n", "bad-reply"],
    ["HTTP/1.1 200 OK\r\ncontent-length: -3\r\n\r\nsecret", "bad-reply"],
    ["HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 6\r\n\r\nsecret", "bad-reply"],
    ["HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\nsecret", "bad-reply"],
    [`HTTP/1.1 200 OK\r\nx: ${"secret".repeat(5000)}\r\n\r\n`, "bad-reply"],
    ["", "unreachable"],
  ];
  for (const [text, reason] of cases) {
    const port = await say(t, text, (socket) => socket.end());
    await assert.rejects(
      readUntrusted(`http://127.0.0.1:${port}/`, limits),
      (error) => refused(reason)(error) && !String(error).includes("secret"),
      text.slice(0, 60),
    );
  }
});

test("compressed replies are refused, so nothing can unfold", async (t) => {
  const port = await serve(t, (request, reply) => {
    reply.writeHead(200, { "content-encoding": request.url?.slice(1) }).end(gzipSync(Buffer.alloc(1_000_000)));
  });
  for (const coding of ["gzip", "br", "deflate", "zstd", "x-gzip", "identity,gzip"]) {
    await assert.rejects(readUntrusted(`http://127.0.0.1:${port}/${coding}`, limits), refused("compressed"), coding);
  }
  assert.ok((await readUntrusted(`http://127.0.0.1:${port}/identity`, limits)).bytes.length < 2000);
  assert.equal((await fetchUntrusted(`http://127.0.0.1:${port}/gzip`, { ...limits, maxBytes: 0 })).status, 200);
});

test("a type that is not wanted and a status that is not 2xx are refused without the body", async (t) => {
  const port = await serve(t, (request, reply) => {
    reply.writeHead(Number(request.url?.slice(1)), { "content-type": "text/html" }).end("secret");
  });
  const get = (status: number) =>
    readUntrusted(`http://127.0.0.1:${port}/${status}`, { ...limits, accept: (mime) => mime.startsWith("image/") });
  await assert.rejects(get(200), (error) => refused("wrong-type")(error) && !String(error).includes("secret"));
  for (const status of [400, 404, 500, 304]) {
    await assert.rejects(
      get(status),
      (error) =>
        refused("bad-status")(error) && error instanceof UntrustedUrlError && error.status === status && !String(error).includes("secret"),
    );
  }
});

test("a port where nothing listens is unreachable", async (t) => {
  const server = createServer();
  const port = await listen(t, server);
  server.close();
  await once(server, "close");
  await assert.rejects(readUntrusted(`http://127.0.0.1:${port}/`, limits), refused("unreachable"));
});

test("a reply that is not read is dropped by discard or by the deadline, and the process goes on", async (t) => {
  let open = 0;
  let allGone: () => void = () => {};
  const gone = new Promise<void>((done) => (allGone = done));
  const port = await serve(t, (request, reply) => {
    open++;
    request.socket.on("close", () => --open === 0 && allGone());
    reply.write("x");
  });
  const first = await fetchUntrusted(`http://127.0.0.1:${port}/`, { ...limits, timeoutMs: 50 });
  const second = await fetchUntrusted(`http://127.0.0.1:${port}/`, limits);
  second.discard();
  await gone;
  await assert.rejects(async () => {
    for await (const _ of first.body);
  }, refused("timeout"));
});
