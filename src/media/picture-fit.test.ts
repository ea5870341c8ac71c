import assert from "node:assert/strict";
import { test } from "node:test";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { readImageHeader } from "../kit/image-header.ts";
import { fitPicture } from "./picture-fit.ts";

/** A picture that does not compress well, so that its bytes follow its size. */
function picture(width: number, height: number) {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  const data = context.createImageData(width, height);
  let state = 7;
  for (let at = 0; at < data.data.length; at++) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    data.data[at] = at % 4 === 3 ? 255 : state >>> 16;
  }
  context.putImageData(data, 0, 0);
  return canvas;
}

test("a picture that fits is left as it is", async () => {
  const bytes = await picture(40, 30).encode("png");
  const fitted = await fitPicture(bytes, { maxSide: 40, minSide: 30, maxBytes: bytes.byteLength, formats: ["png"] });
  assert.deepEqual(fitted, { bytes, mime: "image/png", changed: false });
  assert.equal((await fitPicture(bytes, {})).changed, false);
});

test("a picture that is too large is reduced in its shape, and its sender is told", async () => {
  const bytes = await picture(600, 400).encode("jpeg", 90);
  const { bytes: made, mime, changed, note } = await fitPicture(bytes, { maxSide: 204 });
  assert.deepEqual(readImageHeader(made), { format: "jpeg", width: 204, height: 136 });
  assert.deepEqual([mime, changed, note], ["image/jpeg", true, "The picture was reduced from 600x400 to 204x136 pixels."]);
});

test("a picture that is too small is enlarged to the least", async () => {
  const { bytes, note } = await fitPicture(await picture(50, 100).encode("png"), { minSide: 80 });
  assert.deepEqual(readImageHeader(bytes), { format: "png", width: 80, height: 160 });
  assert.equal(note, "The picture was enlarged from 50x100 to 80x160 pixels.");
});

test("a picture of another format is written anew in one that is taken", async () => {
  const { bytes, mime, note } = await fitPicture(await picture(64, 64).encode("webp", 80), { formats: ["jpeg", "png"] });
  assert.equal(readImageHeader(bytes)?.format, "png");
  assert.deepEqual([mime, note], ["image/png", "The picture was written anew as PNG."]);
});

test("what was transparent is white where the format knows no transparency", async () => {
  const { bytes } = await fitPicture(await createCanvas(16, 16).encode("png"), { formats: ["jpeg"] });
  const canvas = createCanvas(16, 16);
  const context = canvas.getContext("2d");
  context.drawImage(await loadImage(Buffer.from(bytes)), 0, 0);
  assert.deepEqual([...context.getImageData(8, 8, 1, 1).data], [255, 255, 255, 255]);
});

test("a picture of too many bytes is written in fewer, by its quality or by its size", async () => {
  for (const format of ["jpeg", "png"] as const) {
    const bytes = format === "png" ? await picture(300, 200).encode("png") : await picture(300, 200).encode("jpeg", 100);
    const maxBytes = Math.floor(bytes.byteLength / 5);
    const { bytes: made } = await fitPicture(bytes, { maxBytes });
    assert.ok(made.byteLength <= maxBytes, format);
    assert.equal(readImageHeader(made)?.format, format);
  }
});

test("what cannot be made to fit says why and what is taken", async () => {
  const bytes = await picture(200, 20).encode("png");
  await assert.rejects(
    fitPicture(bytes, { maxSide: 100, minSide: 64 }),
    /too narrow.*at least 64 pixels a side, at most 100 pixels a side/,
  );
  await assert.rejects(fitPicture(bytes, { formats: ["gif"] }), /The picture is a PNG\. The model takes GIF\./);
  await assert.rejects(fitPicture(bytes, { maxBytes: 100, minSide: 20 }), /cannot be made small enough.*at most 100 bytes/);
  await assert.rejects(fitPicture(Buffer.from("no picture at all"), {}), /no PNG/);
});

test("a picture of an absurd size is refused before it is decoded", async () => {
  const bytes = Buffer.from(await picture(20, 20).encode("png"));
  bytes.writeUInt32BE(60_000, 16);
  bytes.writeUInt32BE(60_000, 20);
  const run = () => assert.fail("it was decoded");
  await assert.rejects(fitPicture(bytes, { maxSide: 1_000 }, run), /60000 by 60000 pixels, and at most 64 megapixels/);
});

test("a damaged picture fails alone", async () => {
  const bytes = Buffer.from(await picture(60, 60).encode("png")).fill(0, 40);
  await assert.rejects(fitPicture(bytes, { maxSide: 30 }), /damaged/);
  assert.equal((await fitPicture(await picture(60, 60).encode("png"), { maxSide: 30 })).changed, true);
});

test("where pictures cannot be decoded, the sentence says what is wrong and what is taken", async () => {
  const bytes = await picture(60, 40).encode("png");
  const unable = async () => ({ state: "unable" }) as const;
  await assert.rejects(fitPicture(bytes, { maxSide: 30, formats: ["png", "jpeg"] }, unable), {
    message: "The picture is too large: 60 by 40 pixels. The model takes PNG, JPEG of at most 30 pixels a side.",
  });
});

test("whoever sends an animation is told that only its first frame was used", async () => {
  const frame = "2c0000000002000200000202845100";
  const gif = (...frames: string[]) => Buffer.from(["47494638396102000200800000000000ffffff", ...frames, "3b"].join(""), "hex");
  const sides = { width: 2, height: 2 };
  const run = async () => ({ state: "done", bytes: new Uint8Array(1), from: sides, to: sides }) as const;
  const noteOf = async (bytes: Uint8Array) => (await fitPicture(bytes, { formats: ["png"] }, run)).note;
  assert.equal(await noteOf(gif(frame, frame)), "The picture was written anew as PNG. Only the first frame of the animation was used.");
  assert.equal(await noteOf(gif(frame)), "The picture was written anew as PNG.");
});
