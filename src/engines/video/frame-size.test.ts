import assert from "node:assert/strict";
import { test } from "node:test";
import { frameSize } from "./frame-size.ts";

test("usual ratios are met exactly", () => {
  assert.deepEqual(frameSize({ width: 16, height: 9 }, 5), { width: 1280, height: 720 });
  assert.deepEqual(frameSize({ width: 9, height: 16 }, 5), { width: 720, height: 1280 });
  assert.deepEqual(frameSize({ width: 1, height: 1 }, 5), { width: 960, height: 960 });
  assert.deepEqual(frameSize({ width: 8, height: 1 }, 5), { width: 1280, height: 160 });
  assert.deepEqual(frameSize({ width: 1, height: 8 }, 5), { width: 160, height: 1280 });
});

test("any ratio gives even sides within the limits and close to the wish", () => {
  for (let wide = 1; wide <= 40; wide++) {
    for (let tall = 1; tall <= 40; tall++) {
      if (wide / tall > 8 || tall / wide > 8) continue;
      for (const seconds of [5, 60]) {
        const { width, height } = frameSize({ width: wide, height: tall }, seconds);
        assert.equal((width % 2) + (height % 2), 0);
        assert.ok(Math.max(width, height) <= 1280 && Math.min(width, height) >= 96, `${wide}:${tall} gave ${width}x${height}`);
        const off = Math.abs(Math.log((width / height) * (tall / wide)));
        assert.ok(off < 0.01, `${wide}:${tall} gave ${width}x${height}`);
      }
    }
  }
});

test("a long film is drawn smaller than a short one", () => {
  const short = frameSize({ width: 16, height: 9 }, 20);
  const long = frameSize({ width: 16, height: 9 }, 21);
  assert.ok(long.width < short.width && long.width >= 800);
});

test("a wished resolution is the shorter side, as far as the length allows it", () => {
  const wide = { width: 16, height: 9 };
  assert.deepEqual(frameSize(wide, 5, 480), { width: 854, height: 480 });
  assert.deepEqual(frameSize(wide, 5, 720), { width: 1280, height: 720 });
  assert.deepEqual(frameSize(wide, 5, 1080), { width: 1920, height: 1080 });
  assert.deepEqual(frameSize({ width: 9, height: 16 }, 5, 1080), { width: 1080, height: 1920 });
  assert.deepEqual(frameSize({ width: 1, height: 1 }, 5, 720), { width: 720, height: 720 });
  assert.deepEqual(frameSize(wide, 20, 1080), { width: 1280, height: 720 });
  assert.deepEqual(frameSize(wide, 5, 2160), { width: 1920, height: 1080 });
  assert.ok(frameSize(wide, 60, 1080).width <= 864);
  const long = frameSize({ width: 8, height: 1 }, 5, 720);
  assert.ok(long.width <= 1920 && long.width / long.height === 8, `${long.width} by ${long.height}`);
});
