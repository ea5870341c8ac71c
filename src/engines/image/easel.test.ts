import assert from "node:assert/strict";
import { test } from "node:test";
import { cellsFor } from "./collage.ts";
import { fitStage } from "./easel.ts";

test("a stage covers its frame by a whole factor, and what is drawn to be reduced stays affordable", () => {
  for (const width of [64, 256, 999, 1024, 1792, 3000, 4096]) {
    for (const height of [64, 512, 1024, 2047, 4096]) {
      const { stageFrame, enlarge, reduce } = fitStage({ width, height });
      assert.ok(Number.isInteger(enlarge) && Number.isInteger(reduce) && (enlarge === 1 || reduce === 1));
      assert.ok(stageFrame.width * enlarge >= width * reduce && stageFrame.height * enlarge >= height * reduce);
      assert.ok(reduce === 1 || width * height * reduce ** 2 <= 4_000_000);
    }
  }
});

test("cells stay inside the frame, do not overlap and are in reading order", () => {
  for (let count = 1; count <= 16; count++) {
    for (const frame of [
      { width: 90, height: 30 },
      { width: 30, height: 90 },
      { width: 64, height: 64 },
    ]) {
      const cells = cellsFor(count, frame);
      assert.equal(cells.length, count);
      const taken = new Set<number>();
      for (const { left, top, width, height } of cells) {
        assert.ok(left >= 0 && top >= 0 && left + width <= frame.width && top + height <= frame.height);
        for (let y = top; y < top + height; y++) {
          for (let x = left; x < left + width; x++) {
            assert.ok(!taken.has(y * 1000 + x), `${count} cells overlap`);
            taken.add(y * 1000 + x);
          }
        }
      }
      const order = cells.map(({ left, top }) => top * 1000 + left);
      assert.deepEqual(
        order,
        order.toSorted((a, b) => a - b),
      );
    }
  }
});
