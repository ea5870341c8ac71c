import assert from "node:assert/strict";
import { test } from "node:test";
import { createReplyReader } from "./reply-reader.ts";
import { createWordCounter } from "./word-counter.ts";

const sized = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 11\r\n\r\nhello world";
const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n6;name=x\r\nhello \r\nA\r\nworld\r\nend\r\n0\r\nx-after: 1\r\n\r\n";
const empty = "HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\nConnection: close\r\n\r\n";

test("replies are read whole wherever their bytes are cut", () => {
  const bytes = Buffer.from(chunked + sized + empty);
  for (let size = 1; size <= 60; size++) {
    const { ends, body } = readInPieces(bytes, size);
    assert.deepEqual(
      ends,
      [
        { status: 200, closes: false },
        { status: 200, closes: false },
        { status: 429, closes: true },
      ],
      `pieces of ${size}`,
    );
    assert.equal(body, "hello world\r\nendhello world", `pieces of ${size}`);
  }
});

test("an interim reply is not taken for the reply", () => {
  const reader = createReplyReader();
  assert.deepEqual(reader.push(Buffer.from(`HTTP/1.1 100 Continue\r\n\r\n${sized}`)), { status: 200, closes: false });
});

test("a body without a length ends with the connection", () => {
  const reader = createReplyReader();
  assert.equal(reader.push(Buffer.from("HTTP/1.1 200 OK\r\n\r\nsome")), null);
  assert.deepEqual(reader.close(), { status: 200, closes: true });
});

test("a reply that the connection cuts short is no reply", () => {
  const reader = createReplyReader();
  assert.equal(reader.push(Buffer.from(sized.slice(0, -1))), null);
  assert.equal(reader.close(), null);
});

test("what is not a reply is refused", () => {
  assert.throws(() => createReplyReader().push(Buffer.from("SSH-2.0-x\r\n\r\n")), /not a reply/);
  assert.throws(() => createReplyReader().push(Buffer.from(chunked.replace("6;name=x", "zz"))), /size of a chunk/);
  assert.throws(() => createReplyReader().push(Buffer.from(chunked.replace("6;name=x", "3"))), /longer than it said/);
  assert.throws(() => createReplyReader().push(Buffer.from(`${sized}!`)), /after the end/);
});

test("words are counted wherever their bytes are cut", () => {
  const text = Buffer.from("word-1 wor word-2 word-word- w");
  for (let size = 1; size <= text.length; size++) {
    const count = createWordCounter("word-");
    let seen = 0;
    for (let at = 0; at < text.length; at += size) seen = count(text.subarray(at, at + size));
    assert.equal(seen, 4, `pieces of ${size}`);
  }
});

/** Pieces never reach over the end of a reply: nothing follows before the next request is sent. */
function readInPieces(bytes: Buffer, size: number) {
  let body = "";
  const reader = createReplyReader((part) => (body += part.toString()));
  const ends = [];
  const borders = [chunked.length, chunked.length + sized.length, bytes.length];
  for (let at = 0; at < bytes.length;) {
    const border = borders.find((place) => place > at) ?? bytes.length;
    const next = Math.min(at + size, border);
    // Overwritten afterwards, as the connections do with the one buffer they share.
    const piece = Buffer.from(bytes.subarray(at, next));
    const end = reader.push(piece);
    piece.fill(0);
    if (end !== null) ends.push(end);
    at = next;
  }
  return { ends, body };
}
