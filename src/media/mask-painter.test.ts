import assert from "node:assert/strict";
import { test } from "node:test";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import type { MaskPaints } from "../core/kinds.ts";
import type { PictureLimits } from "../core/provider.ts";
import { readImageHeader } from "../kit/image-header.ts";
import { fitPicture } from "./picture-fit.ts";
import { paint } from "./picture-painter.ts";

// Without a process of its own for each mask.
const fit = (bytes: Uint8Array, limits: PictureLimits) => fitPicture(bytes, limits, paint);

const conventions = ["transparent", "white", "black"] as const;
const [white, black, clear] = ["#ffffff", "#000000", null];
const colours: Record<MaskPaints, { paint: string | null; keep: string | null }> = {
  transparent: { paint: clear, keep: black },
  white: { paint: white, keep: black },
  black: { paint: black, keep: white },
};

/** A mask whose left half is to be painted. */
function halved(paints: MaskPaints, width = 40, height = 300) {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  for (const [left, colour] of [
    [0, colours[paints].paint],
    [width / 2, colours[paints].keep],
  ] as const) {
    if (colour === null) continue;
    context.fillStyle = colour;
    context.fillRect(left, 0, width / 2, height);
  }
  return canvas;
}

type Pixel = number[];

/** The pixels in the middle of the left half and of the right one, in the last row. */
async function halvesOf(bytes: Uint8Array): Promise<[paint: Pixel, keep: Pixel]> {
  const { width, height } = readImageHeader(bytes) ?? assert.fail("no picture");
  const context = createCanvas(width, height).getContext("2d");
  context.drawImage(await loadImage(Buffer.from(bytes)), 0, 0);
  const at = (share: number) => [...context.getImageData(Math.floor(width * share), height - 1, 1, 1).data];
  return [at(0.25), at(0.75)];
}

const drawn: Record<MaskPaints, [paint: Pixel, keep: Pixel]> = {
  transparent: [
    [0, 0, 0, 0],
    [0, 0, 0, 255],
  ],
  white: [
    [255, 255, 255, 255],
    [0, 0, 0, 255],
  ],
  black: [
    [0, 0, 0, 255],
    [255, 255, 255, 255],
  ],
};

for (const given of conventions) {
  for (const wanted of conventions) {
    test(`a mask that paints where it is ${given} is had as one that paints where it is ${wanted}`, async () => {
      const bytes = await halved(given).encode("png");
      const fitted = await fit(bytes, { mask: { given, wanted } });
      assert.deepEqual(await halvesOf(fitted.bytes), drawn[wanted]);
      assert.deepEqual([fitted.mime, fitted.changed, fitted.note], ["image/png", given !== wanted, undefined]);
    });
  }
}

test("where nothing is said, transparent pixels count, and white ones where none is transparent", async () => {
  for (const given of ["transparent", "white"] as const) {
    for (const wanted of conventions) {
      const { bytes } = await fit(await halved(given).encode("png"), { mask: { wanted } });
      assert.deepEqual(await halvesOf(bytes), drawn[wanted], `${given} to ${wanted}`);
    }
  }
});

test("a transparent mask has an alpha channel, even where all of it is kept", async () => {
  const bytes = await createCanvas(8, 8).encode("png");
  const { bytes: made } = await fit(bytes, { mask: { given: "white", wanted: "transparent" } });
  const colourType = made[25];
  assert.equal(colourType, 6);
  assert.deepEqual(await halvesOf(made), [drawn.transparent[1], drawn.transparent[1]]);
});

test("masks are decoded in a process of their own", async () => {
  const { bytes } = await fitPicture(await halved("white").encode("png"), { mask: { given: "white", wanted: "black" } });
  assert.deepEqual(await halvesOf(bytes), drawn.black);
});

test("a JPEG becomes a PNG whose pixels are wholly one or the other", async () => {
  const { bytes, mime } = await fit(await halved("black").encode("jpeg", 40), {
    formats: ["jpeg", "png"],
    mask: { given: "black", wanted: "transparent" },
  });
  assert.equal(mime, "image/png");
  assert.deepEqual(await halvesOf(bytes), drawn.transparent);
});

test("shades stay, and what is transparent in a mask of colours counts as black", async () => {
  const grey = createCanvas(2, 1);
  const context = grey.getContext("2d");
  context.fillStyle = "#404040";
  context.fillRect(0, 0, 1, 1);
  const bytes = await grey.encode("png");
  const made = async (given: MaskPaints) => (await fit(bytes, { mask: { given, wanted: "transparent" } })).bytes;
  assert.deepEqual(await halvesOf(await made("white")), [
    [0, 0, 0, 255 - 0x40],
    [0, 0, 0, 255],
  ]);
  assert.deepEqual(await halvesOf(await made("black")), [
    [0, 0, 0, 0x40],
    [0, 0, 0, 0],
  ]);
});

test("a mask of its picture's shape gets the size that the picture is sent in, one of another shape keeps its own", async () => {
  const sizeOf = async (width: number, height: number, given: MaskPaints = "black") => {
    const bytes = await halved("black", width, height).encode("png");
    const fitted = await fit(bytes, { minSide: 32, mask: { given, wanted: "black", size: { width: 133, height: 67 } } });
    const { width: wide, height: high } = readImageHeader(fitted.bytes) ?? assert.fail("no picture");
    return [wide, high, fitted.changed];
  };
  assert.deepEqual(await sizeOf(400, 200), [133, 67, true]);
  assert.deepEqual(await sizeOf(64, 32), [133, 67, true]);
  assert.deepEqual(await sizeOf(133, 67), [133, 67, false]);
  assert.deepEqual(await sizeOf(200, 400), [200, 400, false]);
  assert.deepEqual(await sizeOf(16, 32, "white"), [32, 64, true]);
});

test("masks are fitted to the same limits as pictures, so that equal sizes stay equal", async () => {
  const limits = { maxSide: 100, minSide: 10 };
  const bytes = await halved("white", 333, 217).encode("png");
  const [picture, mask] = [await fit(bytes, limits), await fit(bytes, { ...limits, mask: { given: "white", wanted: "black" } })];
  assert.deepEqual(readImageHeader(mask.bytes), readImageHeader(picture.bytes));
});

test("a mask that cannot be had in few enough bytes, or in a format that is taken, is refused with a sentence", async () => {
  const bytes = await halved("white").encode("png");
  const wish = { given: "white", wanted: "transparent" } as const;
  await assert.rejects(fit(bytes, { maxBytes: 20, mask: wish }), /The mask cannot be made small enough\. .*at most 20 bytes/);
  await assert.rejects(
    fit(await halved("white").encode("jpeg"), { formats: ["jpeg"], mask: wish }),
    /in a format that it does not take\. The model takes JPEG\./,
  );
});

test("where pictures cannot be decoded, a mask that may be right goes on as it is and another is refused", async () => {
  const unable = async () => ({ state: "unable" }) as const;
  const bytes = await halved("transparent").encode("png");
  assert.deepEqual(await fitPicture(bytes, { mask: { wanted: "transparent" } }, unable), { bytes, mime: "image/png", changed: false });
  await assert.rejects(
    fitPicture(bytes, { mask: { wanted: "white" } }, unable),
    /^PictureError: .*drawn anew.*not installed\.$|not installed\.$/,
  );
});
