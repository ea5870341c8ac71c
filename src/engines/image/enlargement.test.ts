import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { distance, openAtelier, pixelsOf, type Pixels } from "./picture.fixture.ts";

const atelier = await openAtelier();
after(() => atelier.close());

const scene = await atelier.drawOne({ prompt: "a cat in a forest", width: 240, height: 160 });
const enlarge = (path: string, width: number, height: number, detail = 0.5) =>
  atelier.drawOne({ sourcePaths: [path], width, height, way: { kind: "upscale", detail } });

/** How much neighbours differ, on average. */
function crispness(picture: Pixels): number {
  let sum = 0;
  for (let y = 0; y < picture.height; y++)
    for (let x = 1; x < picture.width; x++) sum += Math.abs((picture.at(x, y)[1] ?? 0) - (picture.at(x - 1, y)[1] ?? 0));
  return sum / (picture.width * picture.height);
}

test("an enlarged picture is the same picture: made small again it is what it was", async () => {
  for (const times of [2, 2.5]) {
    const large = await enlarge(scene.path, 240 * times, 160 * times);
    assert.deepEqual([large.width, large.height], [240 * times, 160 * times]);
    const back = await pixelsOf(large.path, scene);
    assert.ok(distance(scene, back) < 2, `${times} times: it differs by ${distance(scene, back)}`);
  }
});

test("it is crisper than drawing it larger would make it, and crisper with more detail", async () => {
  const canvas = createCanvas(480, 320);
  canvas.getContext("2d").imageSmoothingQuality = "high";
  canvas.getContext("2d").drawImage(await loadImage(scene.path), 0, 0, 480, 320);
  const plain = canvas.getContext("2d").getImageData(0, 0, 480, 320).data;
  const stretched: Pixels = { width: 480, height: 320, at: (x, y) => [...plain.subarray((y * 480 + x) * 4, (y * 480 + x) * 4 + 4)] };
  const [soft, usual, fine] = await Promise.all([0, 0.5, 1].map((detail) => enlarge(scene.path, 480, 320, detail)));
  assert.ok(soft && usual && fine);
  assert.ok(crispness(stretched) < crispness(soft), `${crispness(stretched)} and ${crispness(soft)}`);
  assert.ok(crispness(soft) < crispness(usual) && crispness(usual) < crispness(fine));
});

test("flat colours stay as they are, and what is transparent stays transparent without a dark rim", async () => {
  const path = await atelier.save("half.png", 64, 64, (brush) => {
    brush.fillStyle = "#c86432";
    brush.fillRect(0, 0, 32, 64);
  });
  const large = await enlarge(path, 128, 128);
  assert.deepEqual(large.at(20, 60), [200, 100, 50, 255]);
  assert.equal(large.at(100, 60)[3], 0);
  const [red = 0, green = 0, , alpha = 0] = large.at(63, 60);
  assert.ok(alpha > 100 && Math.abs(red - 200) < 12 && Math.abs(green - 100) < 12, String(large.at(63, 60)));
});

test("without a picture, or with one that is none, it is refused with a sentence", async () => {
  const wish = { width: 128, height: 128, way: { kind: "upscale", detail: 0.5 } } as const;
  await assert.rejects(atelier.draw({ ...wish, sourcePaths: [import.meta.filename] }), { reason: "invalid", message: /^The source image/ });
  await assert.rejects(atelier.draw({ ...wish, way: { kind: "describe" } }), { reason: "invalid", message: /is needed/ });
});
