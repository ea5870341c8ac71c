import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createCanvas } from "@napi-rs/canvas";
import type { VideoJob, VideoResult } from "../job.ts";
import { openFilm } from "./source-film.ts";
import { renderVideo } from "./video.ts";

const root = await mkdtemp(join(tmpdir(), "video-test-"));
after(() => rm(root, { recursive: true, force: true }));
// The decoder's package writes into memory that it has freed when a process winds down in the usual way; leaving at once avoids that.
// The generators' own processes never wind down: they are ended from outside.
process.once("beforeExit", () => process.exit());

async function film(changes: Partial<VideoJob>): Promise<VideoResult> {
  const outDir = await mkdtemp(join(root, "job-"));
  const usual = { prompt: "a boat on the sea at noon", seed: 3, durationSeconds: 1, aspectRatio: { width: 2, height: 1 }, shortSide: 120 };
  return renderVideo({ engine: "video", outDir, ...usual, ...changes }, () => {});
}

type Frames = { width: number; height: number; frames: Uint8ClampedArray[]; sound: Float32Array };

async function watch(path: string): Promise<Frames> {
  const opened = await openFilm(path);
  const frames: Uint8ClampedArray[] = [];
  for await (const surface of opened.frames())
    frames.push(surface.getContext("2d").getImageData(0, 0, surface.width, surface.height).data.slice());
  const { width, height } = opened;
  const sound = await opened.sound();
  await opened.close();
  return { width, height, frames, sound };
}

/** The mean difference of two frames, 0 to 255. */
function apart(one: Uint8ClampedArray | undefined, other: Uint8ClampedArray | undefined): number {
  assert.ok(one && other && one.length === other.length);
  return one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length;
}

async function picture(name: string, tone: string): Promise<string> {
  const canvas = createCanvas(240, 120);
  const brush = canvas.getContext("2d");
  brush.fillStyle = tone;
  brush.fillRect(0, 0, 240, 120);
  const path = join(root, name);
  await writeFile(path, canvas.encodeSync("png"));
  return path;
}

const source = await film({});
const seen = await watch(source.videoPath);

test("a film can be read back, frame by frame and with its sound", () => {
  assert.deepEqual([seen.width, seen.height, seen.frames.length], [240, 120, 24]);
  assert.equal(seen.sound.length, 96_000);
  assert.ok(seen.sound.some((value) => Math.abs(value) > 0.01));
});

test("an extended film is the film and what follows it, without a jump between them", async () => {
  const longer = await film({ prompt: "a city at night", source: { act: "extend", path: source.videoPath } });
  assert.deepEqual([longer.durationSeconds, longer.width, longer.height], [2, 240, 120]);
  const { frames, sound } = await watch(longer.videoPath);
  assert.equal(frames.length, 48);
  for (const at of [0, 10, 23])
    assert.ok(apart(frames[at], seen.frames[at]) < 4, `frame ${at} differs by ${apart(frames[at], seen.frames[at])}`);
  assert.ok(apart(frames[23], frames[24]) < 4, `the step is ${apart(frames[23], frames[24])}`);
  assert.ok(apart(frames[23], frames[47]) > 25, "it has become the other scene");
  const half = sound.length / 2;
  for (const part of [sound.subarray(0, half), sound.subarray(half)]) assert.ok(part.some((value) => Math.abs(value) > 0.01));
});

test("without a prompt the last frame lives on", async () => {
  const longer = await film({ prompt: "", source: { act: "extend", path: source.videoPath } });
  const { frames } = await watch(longer.videoPath);
  const change = apart(frames[23], frames[47]);
  assert.ok(change > 0.5 && change < 25, String(change));
});

test("a remixed film moves as its source does, in another light", async () => {
  const night = await film({ prompt: "at night", durationSeconds: 5, source: { act: "remix", path: source.videoPath } });
  assert.equal(night.durationSeconds, 1);
  const { frames } = await watch(night.videoPath);
  const lightness = (frame: Uint8ClampedArray | undefined) => (frame ?? new Uint8ClampedArray()).reduce((sum, value) => sum + value, 0);
  frames.forEach((frame, at) => assert.ok(lightness(frame) < lightness(seen.frames[at]) * 0.9));
  assert.ok(apart(frames[0], frames[23]) > 0.3);
});

test("a film ends on the picture that it was to end on", async () => {
  const [first, last] = [await picture("first.png", "#20a040"), await picture("last.png", "#d03020")];
  for (const changes of [{ imagePath: first }, {}, { source: { act: "extend" as const, path: source.videoPath } }]) {
    const { frames } = await watch((await film({ ...changes, lastImagePath: last, loop: true })).videoPath);
    const [red = 0, green = 0, blue = 0] = frames.at(-1) ?? [];
    assert.ok(Math.abs(red - 0xd0) < 8 && Math.abs(green - 0x30) < 8 && Math.abs(blue - 0x20) < 8, `${red} ${green} ${blue}`);
    assert.ok(apart(frames[0], frames.at(-1)) > 20);
  }
});

test("the end of a loop meets its beginning", async () => {
  const path = await picture("loop.png", "#2060c0");
  const wishes: Partial<VideoJob>[] = [{ durationSeconds: 2 }, { imagePath: path }, { source: { act: "extend", path: source.videoPath } }];
  for (const wish of wishes) {
    const { frames } = await watch((await film({ prompt: "a storm over the city", ...wish, loop: true })).videoPath);
    const usual = apart(frames[3], frames[4]);
    const closing = apart(frames.at(-1), frames[0]);
    assert.ok(closing < Math.max(4, usual * 2), `the last step is ${closing}, others are ${usual}`);
  }
});

test("what is no film is refused with a sentence", async () => {
  const empty = join(root, "empty.mp4");
  await writeFile(empty, "");
  for (const path of [empty, import.meta.filename])
    await assert.rejects(film({ source: { act: "extend", path } }), { reason: "invalid", message: /^The source video cannot be read/ });
});
