import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import test, { after } from "node:test";
import { promisify } from "node:util";
import { Failure } from "../../src/core/errors.ts";
import type { MediaStore } from "../../src/core/ports.ts";
import { newKey } from "../../src/media/media-key.ts";
import { createS3Client } from "../../src/media/s3-client.ts";
import { createS3Media } from "../../src/media/s3.ts";
import { freePort } from "../support/free-port.ts";
import { startS3 } from "../support/s3-server.ts";

const server = await startS3();
after(() => server.stop());

const run = promisify(execFile);
const mebibyte = 1024 * 1024;
const limits = { maxBytes: 1024 * mebibyte };
const soon = { pauseMs: 1 };
const someKey = newKey();

/** What the caller is told is the same for all; the log says what an operator can act on. */
const unavailable = (cause: RegExp) => (error: unknown) =>
  error instanceof Failure &&
  error.code === "unavailable" &&
  error.cause instanceof Error &&
  cause.test(error.cause.message) &&
  !/S3RVER|127\.0\.0\.1/.test(error.message);

async function everyUseIs(media: MediaStore, verdict: (error: unknown) => boolean): Promise<void> {
  const big = { stream: stream(6) };
  await assert.rejects(media.put({ bytes: Buffer.from("x") }, limits), verdict, "put");
  await assert.rejects(media.put(big, limits), verdict, "put of much");
  await assert.rejects(media.read(someKey), verdict, "read");
  await assert.rejects(media.open(someKey), verdict, "open");
  await assert.rejects(media.remove(someKey), verdict, "remove");
  await assert.rejects(Array.fromAsync(media.keysBefore(Date.now())), verdict, "keysBefore");
}

async function* stream(mebibytes: number, each: (at: number) => void | Promise<void> = () => {}): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < mebibytes; at++) {
    await each(at);
    yield Buffer.alloc(mebibyte, at);
  }
}

async function sha256Of(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of content) hash.update(chunk);
  return hash.digest("hex");
}

test("a wrong key, a wrong secret and a bucket that is not there are told apart in the log, and are no fault of the caller", async () => {
  const stranger = createS3Media(server.target("", { access_key_id: "NOBODY" }), soon);
  await everyUseIs(stranger, unavailable(/403 InvalidAccessKeyId: it does not know the access key$/));
  const wrong = createS3Media(server.target("", { secret_access_key: "guess" }), soon);
  await everyUseIs(wrong, unavailable(/403 SignatureDoesNotMatch: the secret key does not belong to the access key$/));
  const nowhere = createS3Media({ ...server.target(), bucket: "no-such-bucket" }, soon);
  await everyUseIs(nowhere, unavailable(/404 NoSuchBucket: there is no bucket "no-such-bucket" at http/));
  for (const media of [stranger, wrong]) await assert.rejects(media.freeBytes(), unavailable(/403/));
  await assert.rejects(nowhere.freeBytes(), unavailable(/404/));
  assert.deepEqual([server.objects(), server.uploads()], [[], []]);
});

test("a store that nobody answers for is unavailable, after some tries", async () => {
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  const media = createS3Media(server.target("", { endpoint }), soon);
  await everyUseIs(media, unavailable(/the object store at http:\/\/127\.0\.0\.1:\d+ does not answer: ECONNREFUSED/));
  await assert.rejects(media.freeBytes(), unavailable(/ECONNREFUSED/));
});

test("a store that asks to go slower is asked again, and given up when it goes on", async () => {
  const media = createS3Media(server.target("slow"), soon);
  await server.misbehave({ fault: "slow-down", method: "PUT", times: 3 });
  const { key } = await media.put({ bytes: Buffer.from("x") }, limits);
  await server.misbehave({ fault: "slow-down", method: "GET", times: 3 });
  assert.equal(Buffer.from(await media.read(key)).toString(), "x");
  await server.misbehave({ fault: "slow-down", method: "DELETE", times: 6 });
  await assert.rejects(media.remove(key), unavailable(/503 SlowDown: Please reduce/));
  await media.remove(key);
});

test("an upload goes on when the server is killed in the middle of it and comes back", async () => {
  const media = createS3Media(server.target("restarted"), { pauseMs: 50 });
  const restarted: Promise<void>[] = [];
  const content = stream(20, async (at) => {
    if (at !== 12) return;
    await server.kill();
    // Not waited for: the upload must bear that nobody answers for a while.
    restarted.push(server.startAgain());
  });
  const kept = await media.put({ stream: content }, limits);
  await Promise.all(restarted);
  assert.equal(kept.sha256, await sha256Of(stream(20)));
  assert.equal(await sha256Of((await media.open(kept.key)).stream), kept.sha256);
  assert.deepEqual(server.uploads(), []);
});

test("an upload whose server does not come back fails soon, and the sweep finds what is left of it", async () => {
  const media = createS3Media(server.target("abandoned"), soon);
  const content = stream(20, (at) => (at === 12 ? server.kill() : undefined));
  await assert.rejects(media.put({ stream: content }, limits), unavailable(/does not answer/));
  await server.startAgain();
  assert.equal(server.uploads().length, 1);
  assert.deepEqual(await Array.fromAsync(media.keysBefore(Date.now() + 1000)), []);
  assert.deepEqual(server.uploads(), []);
});

test("an upload that was completed counts, even when the answer was lost", async () => {
  const media = createS3Media(server.target("lost"), soon);
  await server.misbehave({ fault: "lost-answer", method: "POST", parameter: "uploadId", times: 1 });
  const kept = await media.put({ stream: stream(6) }, limits);
  assert.equal((await media.read(kept.key)).length, 6 * mebibyte);
});

test("unfinished uploads are removed when they are old, and only ours", async () => {
  const target = server.target("swept");
  const client = createS3Client(target, { clock: Date.now, pauseMs: 1 });
  const keys = [newKey(), newKey(), newKey(), newKey(), newKey(), "notes.txt"];
  for (const key of keys) await client.text({ method: "POST", key, query: { uploads: "" } });
  const media = createS3Media(target, soon);
  await Array.fromAsync(media.keysBefore(Date.now() - 60_000));
  assert.equal(server.uploads().length, 6);
  await Array.fromAsync(createS3Media(server.target("elsewhere"), soon).keysBefore(Date.now() + 1000));
  assert.equal(server.uploads().length, 6);
  await Array.fromAsync(media.keysBefore(Date.now() + 1000));
  assert.equal(server.uploads().length, 1);
});

test("objects of others under the same prefix are not ours to find", async () => {
  const media = createS3Media(server.target("shared"), soon);
  const inner = createS3Media(server.target("shared/inner"), soon);
  const [{ key }] = await Promise.all([media.put({ bytes: Buffer.from("x") }, limits), inner.put({ bytes: Buffer.from("y") }, limits)]);
  assert.deepEqual((await Array.fromAsync(media.keysBefore(Date.now() + 1000))).flat(), [key]);
});

test("anyone can open a presigned address, named and typed as it says, until it expires", async () => {
  const media = createS3Media(server.target("a b/ü"), soon);
  const bytes = Buffer.concat([Buffer.from("iVBORw0KGgo=", "base64"), randomBytes(1000)]);
  const { key } = await media.put({ bytes }, limits);
  const options = { expiresSeconds: 60, disposition: "attachment", mime: "image/png", name: "my song 2.png" } as const;
  const address = await media.presign(key, options);
  const reply = await fetch(address);
  assert.deepEqual([reply.status, Buffer.from(await reply.arrayBuffer())], [200, bytes]);
  assert.equal(reply.headers.get("content-type"), "image/png");
  assert.equal(reply.headers.get("content-disposition"), 'attachment; filename="my song 2.png"');
  const part = await fetch(address, { headers: { range: "bytes=1-3" } });
  assert.deepEqual([part.status, await part.text()], [206, "PNG"]);
  const inline = await fetch(await media.presign(key, { ...options, disposition: "inline", name: "" }));
  assert.equal(inline.headers.get("content-disposition"), "inline");
  await inline.arrayBuffer();

  const anHourAgo = createS3Media(server.target("a b/ü"), { clock: () => Date.now() - 3_600_000 });
  const outcomes = [
    await anHourAgo.presign(key, options),
    address.replace("my%20song", "your%20song"),
    address.replace("X-Amz-Expires=60", "X-Amz-Expires=6000"),
  ].map(async (url) => (await fetch(url)).status);
  assert.deepEqual(await Promise.all(outcomes), [403, 403, 403]);
  await assert.rejects(media.presign("../secret", options), /nothing at this address/);
});

test("an address for browsers names the bucket as the store wants it, and the endpoint that they can reach", async () => {
  const options = { expiresSeconds: 1e9, disposition: "inline", mime: "image/png", name: "Ström's (1).png" } as const;
  const target = server.target("p", { endpoint: "https://s3.example/v1", public_endpoint: "https://cdn.example", path_style: "false" });
  const url = new URL(await createS3Media(target).presign(someKey, options));
  assert.equal(url.origin + url.pathname, `https://media.test.cdn.example/p/${someKey}`);
  assert.equal(url.searchParams.get("X-Amz-Expires"), "604800");
  assert.equal(
    url.searchParams.get("response-content-disposition"),
    "inline; filename=\"Str_m_s _1_.png\"; filename*=UTF-8''Str%C3%B6m%27s%20%281%29.png",
  );
  const inPath = await createS3Media({ ...target, pathStyle: true, publicEndpoint: target.endpoint }).presign(someKey, options);
  assert.ok(inPath.startsWith(`https://s3.example/v1/media.test/p/${someKey}?`), inPath);
});

test("objects tell what they are to whoever looks at the bucket", async () => {
  const target = server.target("typed");
  const png = Buffer.from("iVBORw0KGgo=", "base64");
  for (const content of [png, Buffer.concat([png, Buffer.alloc(6 * mebibyte)])]) {
    const { key } = await createS3Media(target).put({ bytes: content }, limits);
    const { header, stream: body } = await createS3Client(target, { clock: Date.now, pauseMs: 1 }).open({ method: "GET", key });
    body.destroy();
    assert.equal(header("content-type"), "image/png");
  }
});

test("300 MiB pass in the memory of a few parts", async (t) => {
  const script = `
    const { createS3Media } = await import(${JSON.stringify(new URL("../../src/media/s3.ts", import.meta.url).href)});
    const media = createS3Media(${JSON.stringify(server.target("large"))});
    await media.put({ bytes: Buffer.alloc(1000) }, { maxBytes: 1e9 });
    const before = process.memoryUsage().rss;
    let most = 0;
    const piece = Buffer.alloc(64 * 1024); // one and the same, so that only what the upload takes is measured
    async function* content() {
      for (let at = 0; at < 300 * 16; at++) {
        most = Math.max(most, process.memoryUsage().rss - before);
        yield piece.fill(at);
      }
    }
    const { bytes } = await media.put({ stream: content() }, { maxBytes: 1e9 });
    console.log(JSON.stringify({ bytes, most }));`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script]);
  const { bytes, most }: { bytes: number; most: number } = JSON.parse(stdout);
  t.diagnostic(`the process grew by ${Math.round(most / mebibyte)} MiB`);
  assert.equal(bytes, 300 * mebibyte);
  assert.ok(most < 150 * mebibyte, `grew by ${most}`);
});
