import assert from "node:assert/strict";
import { test } from "node:test";
import { changeText } from "./text-change.ts";

const choose = (asked: string, ...nearestLines: string[]) => changeText(asked, { nearestLines });

test("a resolution is named as the upstream names it", () => {
  assert.equal(choose("720p", "540p", "720p", "1080p"), "720p");
  assert.equal(choose("1080P", "720p", "1080p"), "1080p");
  assert.equal(choose("2k", "768P", "2K"), "2K");
});

test("a resolution that the upstream has not is the one with the nearest number of lines", () => {
  assert.equal(choose("720p", "768P", "2K"), "768P");
  assert.equal(choose("480p", "720p", "1080p", "4k"), "720p");
  assert.equal(choose("4k", "720p", "1080p"), "1080p");
  assert.equal(choose("2160p", "1080p", "4K"), "4K");
  assert.equal(choose("1440p", "768P", "2K"), "2K");
  assert.equal(choose("2k", "1080p", "1440p", "4k"), "1440p");
});

test("of two that are equally near the first is taken", () => {
  assert.equal(choose("900p", "720p", "1080p"), "720p");
  assert.equal(choose("900p", "1080p", "720p"), "1080p");
});

test("what is no resolution is left out", () => {
  assert.equal(choose("sharp", "720p", "1080p"), undefined);
  assert.equal(choose("720p"), undefined);
});
