import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { SKRSContext2D } from "@napi-rs/canvas";
import { distance, openAtelier, pixelsOf } from "./picture.fixture.ts";

const atelier = await openAtelier();
after(() => atelier.close());

const fill = (brush: SKRSContext2D, tone: string, ...box: [number, number, number, number]): void => {
  brush.fillStyle = tone;
  brush.fillRect(...box);
};
const scene = await atelier.drawOne({ prompt: "a cat in a forest", width: 192, height: 144 });
const size = { width: 192, height: 144 };

test("a mask in black and white without transparency is painted where it is white", async () => {
  const mask = await atelier.save("white.png", 192, 144, (brush) => {
    fill(brush, "#000000", 0, 0, 192, 144);
    fill(brush, "#ffffff", 50, 40, 80, 70);
  });
  const edited = await atelier.drawOne({ ...size, prompt: "a galaxy", sourcePaths: [scene.path], maskPath: mask });
  const isInside = (x: number, y: number) => x >= 50 && x < 130 && y >= 40 && y < 110;
  assert.equal(
    distance(scene, edited, (x, y) => !isInside(x, y)),
    0,
  );
  assert.ok(distance(scene, edited, isInside) > 20);
});

test("a region without a prompt is filled with what lies around it", async () => {
  const spotted = await atelier.save("spotted.png", 200, 120, (brush) => {
    const sky = brush.createLinearGradient(0, 0, 0, 120);
    sky.addColorStop(0, "#3060c0");
    sky.addColorStop(1, "#a0d0f0");
    brush.fillStyle = sky;
    brush.fillRect(0, 0, 200, 120);
    fill(brush, "#e02010", 80, 45, 30, 30);
  });
  const mask = await atelier.save("spot.png", 200, 120, (brush) => {
    brush.fillRect(0, 0, 200, 120);
    brush.clearRect(68, 33, 54, 54);
  });
  const healed = await atelier.drawOne({ width: 200, height: 120, sourcePaths: [spotted], maskPath: mask });
  const clean = await pixelsOf(spotted);
  for (const y of [48, 60, 72]) {
    const [red = 0, , blue = 0] = healed.at(95, y);
    const [wishedRed = 0, , wishedBlue = 0] = clean.at(20, y);
    assert.ok(Math.abs(red - wishedRed) < 16 && Math.abs(blue - wishedBlue) < 16, `${healed.at(95, y)} instead of ${clean.at(20, y)}`);
  }
});

test("a weaker variation stays nearer to its picture", async () => {
  const vary = async (strength?: number) => {
    const { images } = await atelier.draw({ ...size, sourcePaths: [scene.path], count: 3, ...(strength !== undefined && { strength }) });
    const far = await Promise.all(images.map(async ({ path }) => distance(scene, await pixelsOf(path))));
    return far.reduce((sum, one) => sum + one, 0) / far.length;
  };
  const [none, subtle, middle, strong, usual] = [await vary(0), await vary(0.25), await vary(0.5), await vary(0.75), await vary()];
  assert.ok(none < 1 && subtle > 1, `${none}, ${subtle}`);
  assert.ok(subtle < middle * 0.75 && middle < strong, `${subtle}, ${middle}, ${strong}`);
  assert.equal(strong, usual);
});

test("a weaker edit stays nearer to its picture, a stronger one goes nearer to the prompt", async () => {
  const prompt = "a desert at noon";
  const goal = await atelier.drawOne({ ...size, prompt });
  const edit = (strength?: number) =>
    atelier.drawOne({ ...size, prompt, sourcePaths: [scene.path], ...(strength !== undefined && { strength }) });
  const [weak, middle, strong, usual] = [await edit(0.1), await edit(0.5), await edit(1), await edit()];
  assert.ok(distance(scene, weak) < distance(scene, middle) / 2);
  assert.ok(distance(goal, strong) < distance(goal, middle) / 2);
  assert.equal(distance(middle, usual), 0);
});

test("blended pictures all show in the one, and differently for each seed", async () => {
  const tones = ["#d01818", "#1818d0"];
  const paths = await Promise.all(
    tones.map((tone, at) => atelier.save(`tone-${at}.png`, 96, 96, (brush) => fill(brush, tone, 0, 0, 96, 96))),
  );
  const wish = { width: 96, height: 96, sourcePaths: paths, way: { kind: "blend" } } satisfies Parameters<typeof atelier.draw>[0];
  const [one, other] = [await atelier.drawOne({ ...wish, seed: 1 }), await atelier.drawOne({ ...wish, seed: 2 })];
  let [reddest, bluest] = [-255, -255];
  for (let y = 4; y < 92; y++) {
    for (let x = 4; x < 92; x++) {
      const [red = 0, , blue = 0] = one.at(x, y);
      reddest = Math.max(reddest, red - blue);
      bluest = Math.max(bluest, blue - red);
    }
  }
  assert.ok(reddest > 60 && bluest > 60, `${reddest}, ${bluest}`);
  assert.ok(distance(one, other) > 5);
});
