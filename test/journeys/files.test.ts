import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { createClient, type Reply } from "../support/client.ts";
import { startGateway } from "../support/gateway.ts";
import { png } from "../support/samples.ts";
import type { EnvelopeError, FileRecord, List, VideoRecord } from "../support/wire.ts";

const gateway = await startGateway();
after(() => gateway.end());
const client = createClient(gateway.url, (await gateway.customer(5)).key);
const tone = readFileSync(new URL("../../lab/media/tone.mp3", import.meta.url));
const clip = readFileSync(new URL("../../lab/media/clip.mp4", import.meta.url));

function upload<T = FileRecord>(
  bytes: Uint8Array<ArrayBuffer>,
  { name = "a.png", type = "image/png", purpose }: { name?: string; type?: string; purpose?: string } = {},
): Promise<Reply<T>> {
  const form = new FormData();
  if (purpose !== undefined) form.append("purpose", purpose);
  form.append("file", new Blob([bytes], { type }), name);
  return client.call<T>("POST", "/v1/files", undefined, { raw: form });
}

test("an upload is kept with its true type, and can be read at the address given", async () => {
  const picture = png(32, 16);
  const { status, body, text } = await upload(picture, { name: "fox.png", purpose: "vision" });
  assert.equal(status, 200, text);
  assert.deepEqual(Object.keys(body).toSorted(), [
    "bytes",
    "created_at",
    "expires_at",
    "filename",
    "id",
    "mime",
    "object",
    "purpose",
    "url",
  ]);
  assert.match(body.id, /^file_/);
  assert.deepEqual(
    [body.object, body.filename, body.purpose, body.mime, body.bytes],
    ["file", "fox.png", "vision", "image/png", picture.length],
  );
  assert.ok(body.expires_at - body.created_at === 30 * 24 * 3600);
  const read = await fetch(body.url);
  assert.deepEqual([read.status, read.headers.get("content-type")], [200, "image/png"]);
  assert.deepEqual(Buffer.from(await read.arrayBuffer()), picture);
});

test("sound and film are taken too, and the bytes say what they are, not the name", async () => {
  assert.equal((await upload(tone, { name: "x.png", type: "image/png" })).body.mime, "audio/mpeg");
  assert.equal((await upload(clip, { name: "x", type: "text/html" })).body.mime, "video/mp4");
});

test("files are listed newest first, got and deleted", async () => {
  const all = (await client.get<List<FileRecord>>("/v1/files")).body.data.map(({ id }) => id);
  assert.equal(all.length, 3);
  const newest = (await upload(png(1, 1))).body;
  const page = (await client.get<List<FileRecord>>("/v1/files?limit=1")).body;
  assert.deepEqual([page.data.map(({ id }) => id), page.has_more], [[newest.id], true]);
  const rest = (await client.get<List<FileRecord>>(`/v1/files?after=${newest.id}`)).body;
  assert.deepEqual([rest.data.map(({ id }) => id), rest.has_more], [all, false]);
  const got = (await client.get<FileRecord>(`/v1/files/${newest.id}`)).body;
  assert.deepEqual({ ...got, url: "" }, { ...newest, url: "" });
  assert.deepEqual((await client.delete(`/v1/files/${newest.id}`)).body, { id: newest.id, object: "file.deleted", deleted: true });
  assert.equal((await client.get(`/v1/files/${newest.id}`)).status, 404);
  assert.equal((await client.delete(`/v1/files/${newest.id}`)).status, 404);
  assert.equal((await fetch(newest.url)).status, 404);
  const used = await client.post<EnvelopeError>("/custom_video/model/x", { prompt: "x", image: newest.id });
  assert.deepEqual([used.status, used.body.error.param], [400, "image"]);
});

test("an upload becomes a video, and a result is not a file", async () => {
  const { id } = (await upload(png(64, 64))).body;
  const { body } = await client.post<VideoRecord>(
    "/custom_video/model/x",
    { image: id, duration: 1, aspect_ratio: "1:1" },
    { headers: { prefer: "wait=60" } },
  );
  assert.equal(body.status, "SUCCESS", JSON.stringify(body.error));
  const asset = new URL(body.video_url).pathname.split("/").at(-1);
  assert.equal((await client.get(`/v1/files/${asset}`)).status, 404);
  assert.equal((await client.delete(`/v1/files/${asset}`)).status, 404);
  assert.equal((await fetch(body.video_url)).status, 200);
});

test("what is no picture, sound or film is refused by its bytes", async () => {
  const texts = ["hello", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "<html>", "%PDF-1.7", "MZ\x90", ""];
  for (const text of texts) {
    const { status, body } = await upload<EnvelopeError>(Buffer.from(text), { name: "a.png", type: "image/png" });
    assert.deepEqual([status, body.error.code], [415, "unsupported_media_type"], JSON.stringify(text));
  }
  assert.equal((await client.get<List<FileRecord>>("/v1/files")).body.data.length, 4, "none of them was kept");
});

test("names are harmless, whatever they are", async () => {
  for (const name of ["../../../etc/passwd", "a\nb\r\nx-evil: 1.png", "🦊".repeat(300), "\u202Egnp.exe", "a\"b';--.png", ""]) {
    const { status, body, text } = await upload(png(1, 1), { name });
    // Without a name it is a field of the form and no file.
    if (name === "" && status === 400) continue;
    assert.equal(status, 200, text);
    assert.ok(body.filename.length <= 200 && !/[\r\n\u202E]/.test(body.filename), JSON.stringify(body.filename));
    const read = await fetch(body.url);
    assert.equal(read.headers.get("x-evil"), null);
    await client.delete(`/v1/files/${body.id}`);
  }
});

test("a form without a file, with two, under another name, or no form at all is refused", async () => {
  const empty = new FormData();
  empty.append("purpose", "x");
  const two = new FormData();
  two.append("file", new Blob([png(1, 1)]), "a.png");
  two.append("file", new Blob([png(1, 1)]), "b.png");
  const misnamed = new FormData();
  misnamed.append("picture", new Blob([png(1, 1)]), "a.png");
  for (const raw of [empty, two, misnamed]) {
    const { status, body } = await client.call<EnvelopeError>("POST", "/v1/files", undefined, { raw });
    assert.deepEqual([status, body.error.code, body.error.param], [400, "invalid_request", "file"]);
  }
  const json = await client.post<EnvelopeError>("/v1/files", { file: "x" });
  assert.deepEqual([json.status, json.body.error.code], [415, "unsupported_media_type"]);
  for (const type of ["multipart/form-data", "multipart/form-data; boundary=x", "multipart/mixed; boundary=x"]) {
    const reply = await client.call<EnvelopeError>("POST", "/v1/files", undefined, {
      raw: "--x\r\nnonsense",
      headers: { "content-type": type },
    });
    assert.ok([400, 415].includes(reply.status), `${type} → ${reply.status} ${reply.text}`);
  }
});

test("more than 32 MiB is too large, and leaves nothing behind", async () => {
  const before = (await client.get<List<FileRecord>>("/v1/files")).body.data.length;
  const { status, body } = await upload<EnvelopeError>(Buffer.concat([png(1, 1), Buffer.alloc(33 * 1024 * 1024)]));
  assert.deepEqual([status, body.error.code], [413, "too_large"]);
  assert.equal((await client.get<List<FileRecord>>("/v1/files")).body.data.length, before);
});

test("every reply of this journey keeps the contract", () => client.book.check());
