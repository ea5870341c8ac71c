import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createCanvas } from "@napi-rs/canvas";
import type { ImageInput, InputFile, VideoInput } from "../../core/kinds.ts";
import type { LoadedFile, Work } from "../../core/provider.ts";
import type { Engines } from "../../engines/engines.ts";
import type { EngineJob, ImageJob, VideoJob } from "../../engines/job.ts";
import { frameFor } from "./image-task-frame.ts";
import { generateImages } from "./image-task.ts";
import { generateVideo } from "./video-task.ts";

const root = await mkdtemp(join(tmpdir(), "image-task-"));
after(() => rm(root, { recursive: true, force: true }));
const file: InputFile = { from: "file", id: "file_1" };
const input: ImageInput = { act: "generate", prompt: "a cat", images: [], count: 1, grid: false };
const source = { taskId: "t", upstreamTaskId: null, place: 0, button: null, prompt: "a cat", seed: 77 };

/** Generators that only note what they are asked for. */
function noting(jobs: EngineJob[]): Engines {
  const made = { images: [], texts: ["a text"], videoPath: "v", coverPath: "c", durationSeconds: 3, width: 1, height: 1 };
  const run = async (job: EngineJob) => {
    jobs.push(job);
    return { engine: job.engine, ...made };
  };
  return { run: run as unknown as Engines["run"], pids: () => [], close: () => Promise.resolve() };
}

function work(bytes: Uint8Array): Work {
  const load = (): Promise<LoadedFile> => Promise.resolve({ bytes, mime: "image/png" });
  return { signal: new AbortController().signal, credential: { id: "none", secret: "" }, report: () => {}, load };
}

async function imageJob(wish: Partial<ImageInput>, size = { width: 300, height: 200 }): Promise<ImageJob> {
  const jobs: EngineJob[] = [];
  const bytes = createCanvas(size.width, size.height).encodeSync("png");
  await generateImages(noting(jobs), { ...input, images: [file], ...wish }, 5, await mkdtemp(join(root, "job-")), work(bytes));
  const [job] = jobs;
  assert.ok(job?.engine === "image");
  return job;
}

async function videoJob(wish: Partial<VideoInput>): Promise<VideoJob> {
  const jobs: EngineJob[] = [];
  const asked: VideoInput = { prompt: "a cat", durationSeconds: 3, aspectRatio: { width: 16, height: 9 }, ...wish };
  const folder = await mkdtemp(join(root, "job-"));
  await generateVideo(noting(jobs), asked, 5, folder, work(Buffer.from("bytes")));
  assert.deepEqual(await readdir(folder), [], "no source stays behind");
  const [job] = jobs;
  assert.ok(job?.engine === "video");
  return job;
}

test("a picture is enlarged twice, from 64 up to 4,096 pixels a side", () => {
  const enlarge = (width: number, height: number) => {
    const frame = frameFor({ ...input, act: "upscale" }, { width, height });
    return [frame.width, frame.height];
  };
  assert.deepEqual(enlarge(1024, 768), [2048, 1536]);
  assert.deepEqual(enlarge(3000, 1500), [4096, 2048]);
  assert.deepEqual(enlarge(4096, 4096), [4096, 4096]);
  assert.deepEqual(enlarge(20, 40), [64, 128]);
  assert.throws(() => enlarge(5000, 100), { reason: "invalid" });
  assert.throws(() => frameFor({ ...input, act: "upscale" }, null), { reason: "invalid", message: /^The source image/ });
});

test("a zoom keeps the shape and a pan makes the picture longer, with the source where it belongs", () => {
  const size = { width: 900, height: 600 };
  const zoom = frameFor({ ...input, act: "zoom", extras: { zoom: 1.5 }, aspectRatio: { width: 3, height: 2 } }, size);
  const third = { left: 1 / 6, top: 1 / 6, width: 2 / 3, height: 2 / 3 };
  assert.ok(zoom.way?.kind === "surround");
  const { place } = zoom.way;
  for (const side of ["left", "top", "width", "height"] as const) assert.ok(Math.abs(place[side] - third[side]) < 0.01);
  assert.ok(Math.abs(zoom.width / zoom.height - 1.5) < 0.01 && zoom.width >= 900);
  const pans = ["left", "right", "up", "down"].map((direction) => frameFor({ ...input, act: "pan", extras: { direction } }, size));
  assert.deepEqual(
    pans.map(({ width, height }) => [width, height]),
    [
      [1350, 600],
      [1350, 600],
      [900, 900],
      [900, 900],
    ],
  );
  const places = pans.map(({ way }) => (way?.kind === "surround" ? [way.place.left, way.place.top].map((at) => at.toFixed(2)) : null));
  assert.deepEqual(places, [
    ["0.33", "0.00"],
    ["0.00", "0.00"],
    ["0.00", "0.33"],
    ["0.00", "0.00"],
  ]);
  assert.throws(() => frameFor({ ...input, act: "pan", extras: { direction: "back" } }, size), { reason: "invalid" });
});

test("a square view of a picture shows all of it", () => {
  const { width, height, way } = frameFor({ ...input, act: "zoom", aspectRatio: { width: 1, height: 1 } }, { width: 1500, height: 1000 });
  assert.deepEqual([width, height], [1500, 1500]);
  assert.ok(way?.kind === "surround" && way.place.width === 1 && Math.abs(way.place.height - 2 / 3) < 0.001);
});

test("what works on a picture has its shape and size unless told otherwise", async () => {
  for (const act of ["edit", "vary"] as const) {
    const { width, height } = await imageJob({ act });
    assert.deepEqual([width, height], [300, 200]);
    const square = await imageJob({ act, aspectRatio: { width: 1, height: 1 } });
    assert.equal(square.width, square.height);
  }
  assert.deepEqual(
    await imageJob({ act: "edit", size: { width: 640, height: 480 } }).then(({ width, height }) => [width, height]),
    [640, 480],
  );
});

test("what is shown around a picture is drawn from that picture's seed, and parameters are not painted", async () => {
  const zoom = await imageJob({ act: "zoom", source, extras: { zoom: 2 }, midjourney: { prompt: "a cat --v 6" }, prompt: "a cat" });
  assert.deepEqual([zoom.seed, zoom.prompt], [77, "a cat"]);
  const vary = await imageJob({ act: "vary", source, strength: 0.25 });
  assert.deepEqual([vary.seed, vary.prompt, vary.strength], [5, "", 0.25]);
});

test("the words about a picture or of a prompt are texts, not pictures", async () => {
  assert.deepEqual((await imageJob({ act: "describe" })).way, { kind: "describe" });
  const jobs: EngineJob[] = [];
  const wish: ImageInput = {
    ...input,
    act: "shorten",
    prompt: "a very old cat in the snow",
    midjourney: { prompt: "a very old cat in the snow --ar 3:2" },
  };
  const { pictures, texts = [] } = await generateImages(noting(jobs), wish, 5, root, work(Buffer.from("")));
  assert.deepEqual([pictures, jobs], [[], []]);
  assert.ok(texts.length > 1 && texts.every((text) => text.includes("cat") && !text.includes("--")), texts.join());
});

test("a video's wishes reach its maker", async () => {
  const video: InputFile = { from: "file", id: "file_2" };
  const job = await videoJob({
    prompt: "a cat",
    midjourney: { prompt: "a cat --ar 1:1" },
    image: file,
    lastImage: file,
    loop: true,
    resolution: "1080p",
    seed: 9,
    source: { act: "extend", taskId: "t", upstreamTaskId: null, video },
  });
  const { prompt, loop, shortSide, seed, source: from } = job;
  assert.deepEqual(
    { prompt, loop, shortSide, seed, act: from?.act },
    { prompt: "a cat", loop: true, shortSide: 1080, seed: 9, act: "extend" },
  );
  assert.ok(job.imagePath !== undefined && job.lastImagePath !== undefined && job.imagePath !== job.lastImagePath);
  assert.deepEqual([(await videoJob({ resolution: "4k" })).shortSide, (await videoJob({})).shortSide], [2160, undefined]);
  assert.equal((await videoJob({})).seed, 5);
});
