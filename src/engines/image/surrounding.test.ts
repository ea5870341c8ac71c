import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { ImageWay } from "../job.ts";
import { distance, openAtelier, pixelsOf, type Pixels } from "./picture.fixture.ts";

const atelier = await openAtelier();
after(() => atelier.close());

const prompt = "a cat in a meadow at sunset";
const source = await atelier.drawOne({ prompt, width: 192, height: 192 });
const around: ImageWay = { kind: "surround", place: { left: 0.25, top: 0.25, width: 0.5, height: 0.5 } };

/** The largest step of the mean colours between neighbouring columns. */
function stepBetween(picture: Pixels, from: number, to: number, rows: [number, number]): number {
  const mean = (x: number): number => {
    let sum = 0;
    for (let y = rows[0]; y < rows[1]; y++) sum += picture.at(x, y).reduce((all, one) => all + one, 0) / 4;
    return sum / (rows[1] - rows[0]);
  };
  let most = 0;
  for (let x = from; x < to; x++) most = Math.max(most, Math.abs(mean(x) - mean(x - 1)));
  return most;
}

test("a wider view has the picture in its middle, smaller and otherwise the same, and something all around", async () => {
  const view = await atelier.drawOne({
    prompt,
    sourcePaths: [source.path],
    width: 192,
    height: 192,
    way: around,
  });
  const small = await pixelsOf(source.path, { width: 96, height: 96 });
  const shown: Pixels = { width: 96, height: 96, at: (x, y) => view.at(x + 48, y + 48) };
  const isInner = (x: number, y: number) => Math.hypot(x - 48, y - 48) < 28;
  assert.ok(distance(small, shown, isInner) < 4, `the middle differs by ${distance(small, shown, isInner)}`);
  for (const [x, y] of [
    [2, 2],
    [96, 4],
    [189, 100],
    [96, 189],
  ] as const)
    assert.equal(view.at(x, y)[3], 255);
});

test("no seam shows where the picture ends", async () => {
  const place = { left: 1 / 3, top: 0, width: 2 / 3, height: 1 };
  const view = await atelier.drawOne({ prompt, sourcePaths: [source.path], width: 288, height: 192, way: { kind: "surround", place } });
  const seam = stepBetween(view, 90, 104, [0, 192]);
  assert.ok(seam < 9, `the step at the seam is ${seam}`);
  const right: Pixels = { width: 192, height: 192, at: (x, y) => view.at(x + 96, y) };
  assert.ok(distance(source, right, (x) => x > 80) < 1, "what was there is unchanged");
});

test("a foreign picture is gone on from in its own colours, whatever the prompt's scene looks like", async () => {
  const path = await atelier.save("green.png", 96, 96, (brush) => {
    brush.fillStyle = "#207a30";
    brush.fillRect(0, 0, 96, 96);
  });
  const wish = { sourcePaths: [path], width: 192, height: 192, way: around };
  const view = await atelier.drawOne({ ...wish, prompt: "the red desert at noon" });
  for (const [x, y] of [
    [40, 96],
    [152, 96],
    [96, 40],
    [96, 152],
  ] as const) {
    const [red = 0, green = 0, blue = 0] = view.at(x, y);
    assert.ok(green > red && green > blue, `at ${x}, ${y} it is ${red} ${green} ${blue}`);
  }
});

test("each seed shows something else around the same picture", async () => {
  const wish = { prompt: "a city", sourcePaths: [source.path], width: 192, height: 192, way: around };
  const [one, other] = [await atelier.drawOne({ ...wish, seed: 1 }), await atelier.drawOne({ ...wish, seed: 2 })];
  const isAround = (x: number, y: number) => x < 48 || x > 144 || y < 48 || y > 144;
  assert.ok(distance(one, other, isAround) > 3);
  assert.ok(distance(one, other, (x, y) => Math.hypot(x - 96, y - 96) < 26) < 1);
});
