import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import test from "node:test";
import type { TestContext } from "node:test";
import { createServer as createTlsServer } from "node:tls";
import { parseCidrs } from "./address.ts";
import { checkUntrustedUrl, fetchUntrusted, readUntrusted, UntrustedUrlError } from "./fetch-untrusted.ts";

const none = parseCidrs([]);
const allow = parseCidrs(["127.0.0.1"]);
const limits = { maxBytes: 100_000, timeoutMs: 3000, allow };

const refused = (reason: string) => (error: unknown) => {
  assert.ok(error instanceof UntrustedUrlError, String(error));
  assert.equal(error.reason, reason, String(error.cause ?? error));
  return true;
};

/** A server on every address of this machine; gives its port. */
async function serve(t: TestContext, answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0);
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Ways to write one IPv4 address in the host part of a URL. */
function disguises(ip: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = ip.split(".").map(Number);
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = number.toString(16).padStart(8, "0");
  const [high, low] = [hex.slice(0, 4), hex.slice(4)];
  return [
    ip,
    `${ip}.`,
    `${number}`,
    `0x${hex}`,
    `0X${hex.toUpperCase()}`,
    `0${number.toString(8)}`,
    `000000${number.toString(8)}`,
    `0x${a.toString(16)}.0x${b.toString(16)}.0x${c.toString(16)}.0x${d.toString(16)}`,
    `0${a.toString(8)}.0${b.toString(8)}.0${c.toString(8)}.0${d.toString(8)}`,
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `0x${a.toString(16)}.${b}.0${c.toString(8)}.${d}`,
    ip.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    ip.replaceAll(".", "\u3002"),
    ip.replaceAll(".", "\uff0e"),
    ip.replace(/\d/g, (digit) => String.fromCodePoint(0x1d7d8 + Number(digit))),
    ip.replace(/[\d.]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`),
    `\t${ip}\n`,
    `[::ffff:${ip}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:FFFF:${high}:${low}]`,
    `[::${ip}]`,
    `[64:ff9b::${ip}]`,
    `[64:ff9b:1::${high}:${low}]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:${high}:${low}::1]`,
  ];
}

const privates = [
  "127.0.0.1",
  "127.0.0.53",
  "0.0.0.0",
  "10.0.0.1",
  "172.16.5.4",
  "192.168.1.1",
  "169.254.169.254",
  "100.100.100.200",
  "192.0.0.192",
  "198.18.0.1",
  "224.0.0.251",
  "255.255.255.255",
];
const others = [
  "[::]",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[::0:1]",
  "[fc00::1]",
  "[fd00:ec2::254]",
  "[fe80::1]",
  "[fec0::1]",
  "[ff02::1]",
  "[2001:db8::1]",
  "localhost",
  "LocalHost",
  "localhost.",
  "\uff4cocalhost",
  "%6cocalhost",
  "a.b.localhost",
  "0",
  "0x0",
  "127.1",
  "127.0.1",
  "metadata.google.internal",
  "printer.local",
  "168.63.129.16",
];
const spellings = [...new Set([...privates.flatMap(disguises), ...others])];

test(`none of ${spellings.length} spellings of a private address is fetched, and nothing connects to this machine`, async (t) => {
  assert.ok(spellings.length >= 120);
  let hits = 0;
  const port = await serve(t, (_, reply) => reply.end(`${++hits}`));
  for (const host of spellings) {
    for (const suffix of [`:${port}/`, "/"]) {
      const url = `http://${host}${suffix}`;
      assert.throws(() => checkUntrustedUrl(url, { allow: none }), refused("refused-address"), url);
      await assert.rejects(readUntrusted(url, { ...limits, allow: none }), refused("refused-address"), url);
    }
  }
  assert.equal(hits, 0);
});

test("none of these spellings is reached through a redirect either", async (t) => {
  let hits = 0;
  const port = await serve(t, (request, reply) => {
    const to = request.url === "/" ? "" : decodeURIComponent(request.url ?? "").slice(1);
    if (to === "") hits++;
    reply.writeHead(302, { location: to }).end();
  });
  const allowed = parseCidrs(["127.0.0.77"]);
  const resolve = async (name: string) => [name === "start.example" ? "127.0.0.77" : "10.0.0.1"];
  for (const host of spellings) {
    const target = `http://${host.trim().replace(/[^!-~]/gu, encodeURIComponent)}:${port}/`;
    const url = `http://start.example:${port}/${encodeURIComponent(target)}`;
    await assert.rejects(readUntrusted(url, { ...limits, allow: allowed, resolve }), refused("refused-address"), target);
  }
  assert.equal(hits, 0);
});

test("the connection goes to the address that was checked, even when the name means another one a moment later", async (t) => {
  const reached: (string | undefined)[] = [];
  const port = await serve(t, (request, reply) => {
    reached.push(request.socket.localAddress?.replace("::ffff:", ""));
    reply.end();
  });
  const answers = ["127.0.0.1", "127.0.0.2"];
  let asked = 0;
  const resolve = async () => [answers[asked++ % 2] ?? ""];
  await readUntrusted(`http://rebind.example:${port}/`, { ...limits, resolve });
  assert.deepEqual([reached, asked], [["127.0.0.1"], 1]);
  await assert.rejects(readUntrusted(`http://rebind.example:${port}/`, { ...limits, resolve }), refused("refused-address"));
  assert.deepEqual([reached, asked], [["127.0.0.1"], 2]);
});

test("over TLS the host is asked for by its name, and its certificate must be good", async (t) => {
  const asked: string[] = [];
  const server = createTlsServer({ SNICallback: (name, done) => done(asked.push(name) > 0 ? new Error("no certificate") : null) }).listen(
    0,
  );
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const reading = readUntrusted(`https://files.example:${port}/`, { ...limits, resolve: async () => ["127.0.0.1"] });
  await assert.rejects(reading, refused("unreachable"));
  assert.deepEqual(asked, ["files.example"]);
});

test("every hop of a redirect is checked again, so a chain ends where it turns inwards", async (t) => {
  const paths: string[] = [];
  const port = await serve(t, (request, reply) => {
    paths.push(request.url ?? "");
    const to: Record<string, string> = {
      "/1": "/2",
      "/2": `//b.example:${port}/3`,
      "/3": `http://127.0.0.2:${port}/secret`,
      "/name": `http://inward.example:${port}/secret`,
      "/file": "file:///etc/passwd",
      "/user": `http://u:p@b.example:${port}/3`,
    };
    reply.writeHead(307, { location: to[request.url ?? ""] ?? "/1" }).end();
  });
  const resolve = async (host: string) => [host === "inward.example" ? "127.0.0.2" : "127.0.0.1"];
  await assert.rejects(readUntrusted(`http://a.example:${port}/1`, { ...limits, resolve }), refused("refused-address"));
  await assert.rejects(readUntrusted(`http://a.example:${port}/name`, { ...limits, resolve }), refused("refused-address"));
  await assert.rejects(readUntrusted(`http://a.example:${port}/file`, { ...limits, resolve }), refused("invalid-url"));
  await assert.rejects(readUntrusted(`http://a.example:${port}/user`, { ...limits, resolve }), refused("invalid-url"));
  assert.deepEqual(paths, ["/1", "/2", "/3", "/name", "/file", "/user"]);
});

test("a GET follows as many redirects as it may, and with none allowed the redirect is the reply", async (t) => {
  const port = await serve(t, (request, reply) => {
    const left = Number(request.url?.slice(1));
    if (left > 0) reply.writeHead(302, { location: `/${left - 1}` }).end();
    else reply.end(request.method);
  });
  const at = (path: string) => `http://127.0.0.1:${port}${path}`;
  const reply = await readUntrusted(at("/3"), limits);
  assert.deepEqual([reply.status, reply.url, Buffer.from(reply.bytes).toString()], [200, at("/0"), "GET"]);
  await assert.rejects(readUntrusted(at("/4"), limits), refused("too-many-redirects"));
  for (const request of [{ redirects: 0 }, { method: "POST", body: "x" }] as const) {
    const stopped = await fetchUntrusted(at("/2"), { ...limits, ...request });
    stopped.discard();
    assert.deepEqual([stopped.status, stopped.headers["location"]], [302, "/1"]);
  }
});

test("headers of the caller stay with the host they were meant for", async (t) => {
  const seen: Record<string, unknown>[] = [];
  const port = await serve(t, (request, reply) => {
    const { authorization, cookie, "x-api-key": key, range } = request.headers;
    seen.push({ authorization, cookie, key, range });
    const to: Record<string, string> = { "/1": "/2", "/2": `http://b.example:${port}/3` };
    const location = to[request.url ?? ""];
    reply.writeHead(location ? 302 : 200, location ? { location } : {}).end();
  });
  const headers = { Authorization: "Bearer s", cookie: "c=1", "X-Api-Key": "k", range: "bytes=0-9" };
  await readUntrusted(`http://a.example:${port}/1`, { ...limits, headers, resolve: async () => ["127.0.0.1"] });
  const all = { authorization: "Bearer s", cookie: "c=1", key: "k", range: "bytes=0-9" };
  assert.deepEqual(seen, [all, all, { authorization: undefined, cookie: undefined, key: undefined, range: "bytes=0-9" }]);
});
