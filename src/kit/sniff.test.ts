import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { readImageHeader } from "./image-header.ts";
import { extensionOf, sniffMime } from "./sniff.ts";

/** First bytes of real files, made from one picture of 36 by 24 and one tone. */
const heads: [mime: string, base64: string][] = [
  ["image/png", "iVBORw0KGgoAAAANSUhEUgAAACQAAAAYCAIAAAAd2sgZ"],
  ["image/jpeg", "/9j/4AAQSkZJRgABAgAAAQABAAD//gAQ"],
  ["image/webp", "UklGRhYCAABXRUJQVlA4IAoCAABwDQCdASokABgAPpE6lw=="],
  ["image/webp", "UklGRrAAAABXRUJQVlA4TKQAAAAvI8AFAGBO29aU"],
  ["image/webp", "UklGRvwCAABXRUJQVlA4WAoAAAACAAAAIwAAFwAAQU5JTQ=="],
  ["image/gif", "R0lGODlhJAAYAPcfMQAAAA=="],
  ["audio/wav", "UklGRqJnAABXQVZFZm10IBAAAAABAAEA"],
  ["audio/flac", "ZkxhQwAAACISABIAAARJAA=="],
  ["audio/ogg", "T2dnUwACAAAAAAAAAADXXCYeAAAAADwjOZgBHgF2b3JiaXMA"],
  ["audio/ogg", "T2dnUwACAAAAAAAAAACgE63wAAAAAHkeWQkBE09wdXNIZWFk"],
  ["video/webm", "GkXfo59ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQJChYECGFOAZw=="],
  ["video/webm", "GkXfo59ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQRChYECGFOAZw=="],
  ["video/mp4", "AAAAIGZ0eXBpc29tAAACAGlzb21pc28yYXZjMW1wNDE="],
  ["audio/mp4", "AAAAHGZ0eXBNNEEgAAACAE00QSBpc29taXNvMg=="],
  ["audio/mpeg", "SUQzBAAAAAAAI1RTU0UAAAAPAAADTGF2"],
  ["audio/mpeg", "//tQxAAACixDLlWUgAGBFWYjOtAAB6rD"],
  ["audio/mpeg", "//NAxAAUaIZwF1gYAH/koCY6Y6Y6Q6Ra"],
  ["video/quicktime", "AAAAFGZ0eXBxdCAgAAACAHF0ICAAAAAI"],
  ["video/x-matroska", "GkXfo6NChoEBQveBAULygQRC84EIQoKIbWF0cm9za2FCh4EEQoWBAg=="],
  ["audio/aac", "//FQQCE//N4CAExhdmM1OS4zNy4xMDAA"],
  ["image/avif", "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUE="],
];

const strangers: [name: string, base64: string][] = [["MPEG layer 2", "//3gxOzMvcvMz////QgAAs//////zFH3"]];

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, "base64"));

test("real media are known by their first bytes", () => {
  for (const [mime, base64] of heads) assert.equal(sniffMime(bytesOf(base64)), mime, base64);
});

test("other formats, pages and scripts are not taken for media", () => {
  for (const [name, base64] of strangers) assert.equal(sniffMime(bytesOf(base64)), null, name);
  const texts = [
    "",
    "<html><script>",
    "<svg xmlns=",
    "%PDF-1.7",
    "PK\x03\x04",
    "RIFF....AVI ",
    "ID",
    "GIF88a",
    "....ftyp",
    "\x1a\x45\xdf\xa3 webm",
    "\ufeffhello",
  ];
  for (const text of texts) assert.equal(sniffMime(Buffer.from(text, "latin1")), null, text);
});

test("bare MP3 is known by two frames at the right distance, not by one look-alike header", () => {
  const frame = Buffer.alloc(417); // MPEG 1 layer 3, 128 kbit/s, 44.1 kHz
  frame.writeUInt32BE(0xfffb9000);
  assert.equal(sniffMime(Buffer.concat([frame, frame])), "audio/mpeg");
  assert.equal(sniffMime(Buffer.concat([frame, Buffer.alloc(417)])), null);
  for (const header of [0xfffbf000, 0xfffb0000, 0xfffb9c00, 0xffeb9000, 0xfffd9000, 0xfffe9000, 0xfff17c00]) {
    const other = Buffer.alloc(417);
    other.writeUInt32BE(header);
    assert.equal(sniffMime(other), null, header.toString(16));
  }
});

test("every known type has its extension, and the rest are bin", () => {
  const names = [...new Set(heads.map(([mime]) => extensionOf(mime)))].sort();
  assert.deepEqual(names, ["aac", "avif", "flac", "gif", "jpg", "m4a", "mkv", "mov", "mp3", "mp4", "ogg", "png", "wav", "webm", "webp"]);
  assert.equal(extensionOf("text/html"), "bin");
});

function jpeg(frameMarker: number, ...before: number[]): Uint8Array {
  const comment = [0xff, 0xfe, 0, 6, 0xff, 0xc0, 0xff, 0xc0]; // a comment that looks like a frame inside
  return Uint8Array.from([0xff, 0xd8, ...comment, ...before, 0xff, frameMarker, 0, 17, 8, 0, 24, 0, 36, 3]);
}

function imageSize(bytes: Uint8Array): { width: number; height: number } | null {
  const header = readImageHeader(bytes);
  return header && { width: header.width, height: header.height };
}

test("pictures tell their size", () => {
  const pictures = heads.filter(([mime]) => ["image/png", "image/webp", "image/gif"].includes(mime)).map(([, base64]) => bytesOf(base64));
  const frames = [jpeg(0xc0), jpeg(0xc2), jpeg(0xc1, 0xff, 0xff, 0xff, 0xd0, 0xff, 0xc4, 0, 3, 1)];
  assert.equal(pictures.length, 5);
  for (const picture of [...pictures, ...frames]) {
    assert.deepEqual(imageSize(picture), { width: 36, height: 24 }, Buffer.from(picture).toString("hex"));
  }
});

test("a size that is cut off, zero or of no picture is null", () => {
  for (const [mime, base64] of heads) {
    if (!mime.startsWith("image/")) assert.equal(imageSize(bytesOf(base64)), null, mime);
  }
  for (const whole of [jpeg(0xc0), ...heads.slice(0, 6).map(([, base64]) => bytesOf(base64))]) {
    for (let length = 0; length < whole.length; length++) {
      const size = imageSize(whole.subarray(0, length));
      if (size) assert.deepEqual(size, { width: 36, height: 24 });
      if (length < 10) assert.equal(size, null);
    }
  }
  assert.equal(imageSize(Buffer.from("GIF89a\0\0\x05\0")), null);
  assert.equal(imageSize(Uint8Array.from([0xff, 0xd8, 0xff, 0xd9])), null);
});

test("no bytes whatever make it throw or hang", () => {
  const starts = heads.map(([, base64]) => bytesOf(base64));
  const disturbed = fc.tuple(fc.constantFrom(...starts), fc.nat({ max: 40 }), fc.uint8Array({ maxLength: 200 }));
  fc.assert(
    fc.property(disturbed, ([start, keep, tail]) => {
      const bytes = Uint8Array.from([...start.subarray(0, keep), ...tail]);
      sniffMime(bytes);
      const size = imageSize(bytes);
      return size === null || (size.width > 0 && size.height > 0);
    }),
    { numRuns: 2000 },
  );
});
