import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createDiskMedia } from "./disk.ts";
import { probeMedia } from "./probe.ts";

const folder = mkdtempSync(join(tmpdir(), "genway-probe-"));
after(() => rmSync(folder, { recursive: true }));
const media = createDiskMedia(folder);

async function facts(name: string) {
  const { key } = await media.put({ path: new URL(`../../lab/media/${name}`, import.meta.url).pathname }, { maxBytes: 1e9 });
  return probeMedia(media, key);
}

test("a video tells its length and its pixels", async () => {
  const found = await facts("clip.mp4");
  assert.ok(found !== null && found.durationSeconds > 0 && found.width > 0 && found.height > 0, JSON.stringify(found));
});

test("a recording tells its length", async () => {
  for (const name of ["tone.mp3", "tone.wav", "tone.flac", "tone.ogg"]) {
    const found = await facts(name);
    assert.ok(
      found !== null && found.durationSeconds > 0.3 && found.durationSeconds < 4 && found.width === 0,
      `${name} ${JSON.stringify(found)}`,
    );
  }
});

test("what is no medium tells nothing", async () => {
  assert.equal(await facts("cover.png"), null);
});
