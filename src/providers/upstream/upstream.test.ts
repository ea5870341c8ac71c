import assert from "node:assert/strict";
import { createServer as createHttpServer } from "node:http";
import type { RequestListener } from "node:http";
import { createServer } from "node:net";
import type { Server, Socket } from "node:net";
import { afterEach, test } from "node:test";
import { createUpstream, redact } from "./upstream.ts";
import type { UpstreamOptions, UpstreamRequest } from "./upstream.ts";

const open: Server[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(open.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

test("an answer comes with its status, headers and parsed body", async () => {
  const url = await serve((request, response) => {
    response.writeHead(418, { "x-mood": "calm" }).end(JSON.stringify({ saw: request.headers.authorization, at: request.url }));
  });
  const reply = await call(`${url}/deep/`, { url: "/v1/x?y=1" });
  assert.ok(reply.state === "answered");
  assert.equal(reply.status, 418);
  assert.equal(reply.headers["x-mood"], "calm");
  assert.deepEqual(reply.body, { saw: "Bearer secret-123", at: "/deep/v1/x?y=1" });
});

test("a body that is no JSON is left as text", async () => {
  const url = await serve((_request, response) => void response.end("<html>"));
  const reply = await call(url);
  assert.deepEqual(reply.state === "answered" && [reply.status, reply.body, reply.text], [200, undefined, "<html>"]);
});

test("a body is sent as JSON", async () => {
  const url = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () =>
      response.end(JSON.stringify([request.method, request.headers["content-type"], Buffer.concat(chunks).toString()])),
    );
  });
  const reply = await call(url, { method: "POST", json: { a: "ü" } });
  assert.deepEqual(reply.state === "answered" && reply.body, ["POST", "application/json", '{"a":"ü"}']);
});

test("calls to one origin share connections", async () => {
  const url = await serve((_request, response) => void response.end("{}"));
  for (let count = 0; count < 20; count++) assert.equal((await call(url)).state, "answered");
  assert.ok(sockets.length <= 2, `${sockets.length} connections for 20 calls`);
});

test("a refused connection sent nothing", async () => {
  const url = await serve(() => {});
  await new Promise((resolve) => open.pop()?.close(resolve));
  const reply = await call(url);
  assert.equal(reply.state, "not-sent");
  assert.match(reply.state === "not-sent" ? reply.cause : "", /ECONNREFUSED/);
});

test("a failed TLS handshake sent nothing", async () => {
  const url = await listen(createServer((socket) => void socket.end("no TLS here\r\n")));
  assert.equal((await call(url.replace("http:", "https:"))).state, "not-sent");
});

test("a deadline that passes while the connection is made sent nothing", async () => {
  const url = await listen(createServer((socket) => void socket.resume().on("error", () => {})));
  assert.equal((await call(url.replace("http:", "https:"), { timeoutMs: 80 })).state, "not-sent");
});

test("a connection that dies after the request lost its answer", async () => {
  const url = await listen(createServer((socket) => void socket.once("data", () => socket.resetAndDestroy())));
  assert.equal((await call(url, { method: "POST", json: {} })).state, "lost");
});

test("an answer that does not come in time is lost", async () => {
  const url = await serve(() => {});
  const reply = await call(url, { timeoutMs: 60 });
  assert.deepEqual(reply, { state: "lost", cause: "no whole answer within 60 ms" });
});

test("work that is stopped loses the answer it was waiting for", async () => {
  const control = new AbortController();
  const url = await serve(() => control.abort());
  assert.equal((await call(url, { signal: control.signal })).state, "lost");
});

test("work that was stopped before sends nothing", async () => {
  let requests = 0;
  const url = await serve(() => requests++);
  assert.equal((await call(url, { signal: AbortSignal.abort() })).state, "not-sent");
  assert.equal(requests, 0);
});

test("half an answer is lost, but half a 4xx still says no", async () => {
  for (const [status, state] of [
    [200, "lost"],
    [500, "lost"],
    [422, "answered"],
  ] as const) {
    const url = await serve((_request, response) => {
      response.writeHead(status, { "content-length": 100 });
      response.write('{"id":', () => response.socket?.destroy());
    });
    assert.equal((await call(url)).state, state, String(status));
  }
});

test("an answer past the bound is lost", async () => {
  const url = await serve((_request, response) => void response.end(JSON.stringify("x".repeat(5_000))));
  const reply = await call(url, {}, { maxReplyBytes: 4_000 });
  assert.deepEqual(reply, { state: "lost", cause: "the answer is larger than 4000 bytes" });
});

test("a redirect is an answer like any other", async () => {
  const url = await serve((request, response) => {
    assert.equal(request.url, "/");
    response.writeHead(302, { location: "/elsewhere" }).end();
  });
  const reply = await call(url);
  assert.equal(reply.state === "answered" && reply.status, 302);
});

test("a host that is not the provider's own is not called", async () => {
  let requests = 0;
  const other = await serve((_request, response) => void response.end(String(requests++)));
  const home = await serve(() => {});
  const trustedHosts = ["api.example.com", "*.cdn.example"];
  for (const url of [
    `${other}/x`,
    "http://api.example.com/x",
    "https://evil-api.example.com/x",
    "https://cdn.example/x",
    "https://evilcdn.example/x",
  ]) {
    const reply = await call(home, { url }, { trustedHosts });
    assert.match(reply.state === "not-sent" ? reply.cause : reply.state, /is not a host of this provider/, url);
  }
  assert.equal(requests, 0);
});

test("private addresses are refused as literals and as names, unless they are allowed", async () => {
  let requests = 0;
  const url = await serve((_request, response) => void response.end(String(requests++)));
  for (const host of ["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1"]) {
    const reply = await call(url.replace("127.0.0.1", host), {}, { allowPrivateNetwork: false });
    assert.match(reply.state === "not-sent" ? reply.cause : reply.state, /private address/, host);
  }
  assert.equal(requests, 0);
  assert.equal((await call(url)).state, "answered");
});

test("the secret goes where the auth says, and leaves no trace in texts", async () => {
  const echo = await serve(
    (request, response) => void response.writeHead(401).end(`bad: ${request.url} ${request.headers["x-key"] ?? ""}`),
  );
  const byQuery = await call(echo, { secret: "a/secret value" }, { auth: { query: "key" } });
  assert.equal(byQuery.state === "answered" && byQuery.text.includes("key=") && !byQuery.text.includes("secret"), true);
  const byHeader = await call(echo, {}, { auth: { header: "X-Key" } });
  assert.equal(byHeader.state === "answered" && byHeader.text, "bad: / **********");
});

test("a token is shown in place of the secret, and neither is left in texts", async () => {
  const echo = await serve((request, response) => void response.writeHead(401).end(JSON.stringify(request.headers.authorization)));
  const token = (secret: string) => `token-of-${secret.length}-letters`;
  const auth = { header: "Authorization", prefix: "Bearer ", token };
  const reply = await call(echo, {}, { auth });
  assert.ok(reply.state === "answered");
  assert.equal(reply.body, "Bearer token-of-10-letters");
  assert.ok(!reply.text.includes("token-of"));
  assert.deepEqual(reply.secrets, ["secret-123", "token-of-10-letters"]);
});

test("an upstream that was set up without a key is shown none", async () => {
  const url = await serve((request, response) => void response.end(JSON.stringify(["authorization" in request.headers, request.url])));
  const byHeader = await call(url, { secret: "" });
  const byQuery = await call(url, { secret: "" }, { auth: { query: "key" } });
  assert.deepEqual(byHeader.state === "answered" && byHeader.body, [false, "/"]);
  assert.deepEqual(byQuery.state === "answered" && byQuery.body, [false, "/"]);
});

test("a key of which no token can be made sends nothing", async () => {
  let requests = 0;
  const url = await serve(() => requests++);
  const token = () => assert.fail("secret-123 is no pair");
  const reply = await call(url, {}, { auth: { header: "authorization", token } });
  assert.equal(reply.state, "not-sent");
  assert.ok(!JSON.stringify(reply).includes("secret-123"));
  assert.equal(requests, 0);
});

test("a form and headers go along as they are, and a reply may be as large as the request allows", async () => {
  const url = await serve((request, response) => {
    request.resume().on("end", () => response.end(JSON.stringify([request.headers["content-type"], request.headers["x-a"]]).padEnd(900)));
  });
  const form = { mime: "multipart/form-data; boundary=b", body: Buffer.from("--b--") };
  const reply = await call(url, { method: "POST", form, headers: { "x-a": "1" }, maxReplyBytes: 1_000 }, { maxReplyBytes: 100 });
  assert.deepEqual(reply.state === "answered" && reply.body, [form.mime, "1"]);
});

test("a medium keeps its bytes and is not read as text", async () => {
  const url = await serve(
    (_request, response) => void response.writeHead(200, { "content-type": "video/mp4" }).end(Buffer.from([0xff, 0])),
  );
  const reply = await call(url);
  assert.ok(reply.state === "answered");
  assert.deepEqual([Array.from(reply.bytes), reply.text, reply.body], [[0xff, 0], "", undefined]);
});

test("the credential goes into an address where the auth puts it there, on trusted hosts alone", () => {
  const options = { baseUrl: "https://api.example/v1/", allowPrivateNetwork: false, auth: { query: "key" } } as const;
  const upstream = createUpstream(options);
  assert.deepEqual(upstream.guarded("/files/1?alt=media", "a b"), { url: "https://api.example/v1/files/1?alt=media&key=a+b" });
  assert.deepEqual(upstream.guarded("https://cdn.example/1", "a b"), { url: "https://cdn.example/1" });
  assert.equal(upstream.guarded("ftp://api.example/1", "a b"), null);
});

test("either half of a pair of keys is blotted out", () => {
  assert.equal(redact("key access-key-1 with secret-key-2", "access-key-1:secret-key-2"), "key ************ with ************");
});

test("a secret cut in two by the bound of a text is blotted out as well", () => {
  const secret = "s3cr3t-".repeat(20);
  assert.ok(!redact(secret.repeat(30), secret).includes("s3c"));
  assert.ok(!redact("x".repeat(995) + secret, secret).includes("s3c"));
  assert.equal(redact("two\r\nlines\u0000", "abcd"), "two lines ");
});

async function call(baseUrl: string, request: Partial<UpstreamRequest> = {}, options: Partial<UpstreamOptions> = {}) {
  const upstream = createUpstream({ baseUrl, allowPrivateNetwork: true, auth: { header: "authorization", prefix: "Bearer " }, ...options });
  return upstream.call({
    method: "GET",
    url: "/",
    secret: "secret-123",
    timeoutMs: 5_000,
    signal: new AbortController().signal,
    ...request,
  });
}

function serve(listener: RequestListener): Promise<string> {
  return listen(createHttpServer(listener));
}

async function listen(server: Server): Promise<string> {
  open.push(server);
  server.on("connection", (socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
}
