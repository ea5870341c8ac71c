import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { createClient } from "../support/client.ts";
import { startGateway } from "../support/gateway.ts";
import { sendRaw } from "../support/raw-http.ts";
import { createTestClock } from "../support/test-clock.ts";
import type { FileRecord, PlainError } from "../support/wire.ts";

const clock = createTestClock();
const gateway = await startGateway({ clock: clock.now });
after(() => gateway.end());
const client = createClient(gateway.url, gateway.firstKey);
const bytes = readFileSync(new URL("../../lab/media/clip.mp4", import.meta.url));
const size = bytes.length;

const form = new FormData();
form.append("file", new Blob([bytes]), "clip.mp4");
const file = (await client.call<FileRecord>("POST", "/v1/files", undefined, { raw: form })).body;
const path = file.url.slice(gateway.url.length);

async function read(headers: Record<string, string> = {}, method = "GET"): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const reply = await fetch(file.url, { method, headers });
  assert.notEqual(reply.headers.get("x-request-id"), null);
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
}

test("the whole comes with its type, length and tag, and with headers that keep it harmless", async () => {
  const whole = await read();
  assert.equal(whole.status, 200);
  assert.deepEqual(whole.bytes, bytes);
  const expected = {
    "content-type": "video/mp4",
    "content-length": String(size),
    "accept-ranges": "bytes",
    "x-content-type-options": "nosniff",
  };
  for (const [name, value] of Object.entries(expected)) assert.equal(whole.headers.get(name), value, name);
  assert.match(whole.headers.get("etag") ?? "", /^"[^"]+"$/);
  assert.match(whole.headers.get("content-disposition") ?? "", /^inline/);
  assert.match(whole.headers.get("content-security-policy") ?? "", /sandbox/);
  assert.match(whole.headers.get("cache-control") ?? "", /private/);
});

test("parts are served as asked", async () => {
  const cases: [string, number, number][] = [
    ["bytes=0-0", 0, 0],
    ["bytes=0-99", 0, 99],
    ["bytes=100-299", 100, 299],
    [`bytes=${size - 10}-`, size - 10, size - 1],
    ["bytes=-7", size - 7, size - 1],
    [`bytes=0-${size * 2}`, 0, size - 1],
    [`bytes=-${size * 2}`, 0, size - 1],
  ];
  for (const [range, start, end] of cases) {
    const part = await read({ range });
    assert.equal(part.status, 206, range);
    assert.equal(part.headers.get("content-range"), `bytes ${start}-${end}/${size}`, range);
    assert.equal(part.headers.get("content-length"), String(end - start + 1));
    assert.deepEqual(part.bytes, bytes.subarray(start, end + 1), range);
  }
});

test("a part outside the whole is 416 with the size; what is no range is ignored", async () => {
  for (const range of [`bytes=${size}-`, `bytes=${size * 2}-${size * 3}`, "bytes=-0"]) {
    const part = await read({ range });
    assert.deepEqual([part.status, part.headers.get("content-range"), part.bytes.length], [416, `bytes */${size}`, 0], range);
  }
  for (const range of ["bytes=", "bytes=a-b", "lines=0-1", "bytes=-", "bytes=0-1,5-6"]) {
    const whole = await read({ range });
    assert.deepEqual([whole.status, whole.bytes.length], [200, size], range);
  }
});

test("HEAD tells the same without the bytes", async () => {
  const [head, whole] = [await read({}, "HEAD"), await read()];
  assert.deepEqual([head.status, head.bytes.length], [200, 0]);
  for (const name of ["content-type", "content-length", "etag", "accept-ranges"])
    assert.equal(head.headers.get(name), whole.headers.get(name), name);
  const part = await read({ range: "bytes=0-9" }, "HEAD");
  assert.deepEqual([part.status, part.headers.get("content-length")], [206, "10"]);
});

test("what a client has already is not sent again", async () => {
  const tag = (await read()).headers.get("etag") ?? "";
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
    const reply = await read({ "if-none-match": known });
    assert.deepEqual([reply.status, reply.bytes.length], [304, 0], known);
    assert.equal(reply.headers.get("etag"), tag);
  }
  assert.equal((await read({ "if-none-match": `"other"` })).status, 200);
  assert.equal((await read({ range: "bytes=0-9", "if-range": tag })).status, 206);
  assert.equal((await read({ range: "bytes=0-9", "if-range": `"other"` })).status, 200, "a part of something else is of no use");
});

test("an address that was tampered with leads nowhere", async () => {
  const [start = "", query = ""] = path.split("?");
  const fields = new URLSearchParams(query);
  const changed = (name: string, value: string) => {
    const copy = new URLSearchParams(fields);
    copy.set(name, value);
    return `${start}?${copy}`;
  };
  const signature = fields.get("s") ?? "";
  const twisted = signature.startsWith("A") ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
  for (const address of [
    start,
    `${start}?`,
    changed("s", ""),
    changed("s", twisted),
    changed("s", signature.slice(0, -4)),
    changed("e", String(Number(fields.get("e")) + 1)),
    changed("e", "99999999999"),
    changed("e", "x"),
    changed("d", "a"),
    `/assets/file_01234567-89ab-7def-8123-456789abcdef?${query}`,
    `/assets/${encodeURIComponent("../genway.db")}?${query}`,
  ]) {
    const { status, body } = await client.get<PlainError>(address, { key: null });
    assert.deepEqual([status, body.error.code], [404, "not_found"], address);
  }
  assert.equal((await client.call("POST", path)).status, 405);
});

test("addresses are made of our own name, never of what a request calls us", async () => {
  const head = `host: evil.example\r\nx-forwarded-host: evil.example\r\nconnection: close\r\nauthorization: Bearer ${client.key}\r\n`;
  const reply = await sendRaw(gateway.url, `GET /v1/files/${file.id} HTTP/1.1\r\n${head}\r\n`);
  assert.match(reply, /^HTTP\/1\.1 200/);
  assert.ok(reply.includes(`"url":"${gateway.url}/assets/`) && !reply.includes("evil.example"), reply);
  const named = await startGateway({
    yaml: `server: { public_url: "https://gen.example/" }\nlocal: true\nmodels: { lyrics: { kinds: [lyrics], routes: [{ provider: local }], price: free } }\n`,
  });
  try {
    const customer = createClient(named.url, (await named.customer(1)).key);
    const upload = new FormData();
    upload.append("file", new Blob([bytes]), "clip.mp4");
    const { url } = (await customer.call<FileRecord>("POST", "/v1/files", undefined, { raw: upload })).body;
    assert.ok(url.startsWith("https://gen.example/assets/"), url);
    assert.equal((await fetch(url.replace("https://gen.example", named.url))).status, 200);
  } finally {
    await named.end();
  }
});

test("no key is needed for a signed address, and none replaces the signature", async () => {
  assert.equal((await read({ authorization: "Bearer nonsense" })).status, 200);
  assert.equal((await client.get(path.split("?")[0] ?? "")).status, 404);
});

test("an address ends after a day with a clear word, and a new one is given; the asset ends after thirty", async () => {
  clock.advance(24 * 3_600_000 + 1_000);
  const late = await client.get<PlainError>(path, { key: null });
  assert.deepEqual([late.status, late.body.error.code], [403, "not_allowed"]);
  assert.match(late.body.error.message, /expired/);
  const fresh = (await client.get<FileRecord>(`/v1/files/${file.id}`)).body;
  assert.notEqual(fresh.url, file.url);
  assert.equal((await fetch(fresh.url)).status, 200);
  clock.advance(29 * 24 * 3_600_000);
  const gone = await client.get<FileRecord>(`/v1/files/${file.id}`);
  assert.ok(gone.status === 404 || (await fetch(gone.body.url)).status === 404);
});

test("every reply of this journey keeps the contract", () => client.book.check());
