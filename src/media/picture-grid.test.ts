import assert from "node:assert/strict";
import { test } from "node:test";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { readImageHeader } from "../kit/image-header.ts";
import { gridOf } from "./picture-grid.ts";

const colours = ["#ff0000", "#00ff00", "#0000ff", "#ffff00"] as const;

async function plain(colour: string, width = 40, height = 30): Promise<Uint8Array> {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  context.fillStyle = colour;
  context.fillRect(0, 0, width, height);
  return canvas.encode("png");
}

async function colourAt(bytes: Uint8Array, x: number, y: number): Promise<string> {
  const image = await loadImage(Buffer.from(bytes));
  const canvas = createCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  return `#${Buffer.from(context.getImageData(x, y, 1, 1).data.subarray(0, 3)).toString("hex")}`;
}

test("four pictures are two by two without gaps, in their order", async () => {
  const grid = await gridOf(await Promise.all(colours.map((colour) => plain(colour))));
  assert.deepEqual(readImageHeader(grid), { format: "png", width: 80, height: 60 });
  const corners = [
    [39, 29],
    [40, 29],
    [39, 30],
    [40, 30],
  ] as const;
  assert.deepEqual(await Promise.all(corners.map(([x, y]) => colourAt(grid, x, y))), colours);
});

test("other counts take the nearest grid, and every cell the size of the first", async () => {
  const sizes = await Promise.all(
    [1, 2, 3, 5].map(async (count) => {
      const pictures = await Promise.all(Array.from({ length: count }, (_, at) => plain("#123456", at === 0 ? 20 : 50, 10)));
      const header = readImageHeader(await gridOf(pictures));
      return `${header?.width}x${header?.height}`;
    }),
  );
  assert.deepEqual(sizes, ["20x10", "40x10", "40x20", "60x20"]);
});

test("no side is longer than 4096 pixels", async () => {
  const wide = await plain("#ffffff", 3_000, 100);
  assert.deepEqual(readImageHeader(await gridOf([wide, wide, wide, wide])), { format: "png", width: 4_096, height: 136 });
});

test("what is no picture is refused with a sentence", async () => {
  await assert.rejects(gridOf([Buffer.from("no picture")]), /no PNG/);
  await assert.rejects(gridOf([]), /no pictures/);
});
