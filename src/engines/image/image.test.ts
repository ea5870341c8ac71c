import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import type { ImageJob, ImageResult } from "../job.ts";
import { readImageHeader } from "../../kit/image-header.ts";
import { drawImages } from "./image.ts";

let root: string;
let jobs = 0;
before(async () => {
  root = await mkdtemp(join(tmpdir(), "image-test-"));
});
after(() => rm(root, { recursive: true, force: true }));

async function draw(changes: Partial<ImageJob> = {}, report: (progress: number) => void = () => {}): Promise<ImageResult["images"]> {
  const outDir = await mkdtemp(join(root, `job-${jobs++}-`));
  const job: ImageJob = {
    engine: "image",
    outDir,
    prompt: "a boat on the sea",
    seed: 5,
    width: 128,
    height: 96,
    count: 1,
    format: "png",
    quality: 85,
    transparent: false,
    sourcePaths: [],
    ...changes,
  };
  return (await drawImages(job, report)).images;
}

type Pixels = { width: number; height: number; at(x: number, y: number): number[] };

async function pixelsOf(path: string | Buffer): Promise<Pixels> {
  const image = await loadImage(path);
  const canvas = createCanvas(image.width, image.height);
  const brush = canvas.getContext("2d");
  brush.drawImage(image, 0, 0);
  const { data } = brush.getImageData(0, 0, image.width, image.height);
  return {
    width: image.width,
    height: image.height,
    at: (x, y) => [...data.subarray((y * image.width + x) * 4, (y * image.width + x) * 4 + 4)],
  };
}

/** The mean difference of two pictures, 0 to 255. */
function distance(one: Pixels, other: Pixels): number {
  let sum = 0;
  for (let y = 0; y < one.height; y++) {
    for (let x = 0; x < one.width; x++) {
      const there = other.at(x, y);
      one.at(x, y).forEach((value, channel) => (sum += Math.abs(value - (there[channel] ?? 0))));
    }
  }
  return sum / (one.width * one.height * 4);
}

async function onlyPath(changes: Partial<ImageJob>): Promise<string> {
  const [image] = await draw(changes);
  assert.ok(image);
  return image.path;
}

async function savePicture(name: string, width: number, height: number, paint: (brush: CanvasBrush) => void): Promise<string> {
  const canvas = createCanvas(width, height);
  paint(canvas.getContext("2d"));
  const path = join(root, name);
  await writeFile(path, canvas.encodeSync("png"));
  return path;
}
type CanvasBrush = ReturnType<ReturnType<typeof createCanvas>["getContext"]>;

/** Four quarters of different colours. */
const paintQuarters = (brush: CanvasBrush): void => {
  for (const [index, tone] of ["#c03030", "#30a040", "#3050c0", "#d0b030"].entries()) {
    brush.fillStyle = tone;
    brush.fillRect((index % 2) * 64, Math.floor(index / 2) * 48, 64, 48);
  }
};

test("pictures have exactly the wished size in every format, and only they are left in the folder", async () => {
  const sizes = [
    [64, 64],
    [333, 77],
    [64, 700],
    [1600, 64],
  ] as const;
  for (const format of ["png", "jpeg", "webp"] as const) {
    for (const [width, height] of sizes) {
      const [image] = await draw({ format, width, height });
      assert.ok(image);
      assert.deepEqual(readImageHeader(await readFile(image.path)), { format, width, height });
      assert.deepEqual(image, { path: image.path, mime: `image/${format}`, width, height, seed: 5 });
      assert.deepEqual(await readdir(join(image.path, "..")), [`image-1.${format}`]);
    }
  }
});

test("a large picture is the same scene as a small one, only finer", async () => {
  const reduced: Pixels[] = [];
  for (const side of [900, 1800]) {
    const canvas = createCanvas(100, 100);
    const brush = canvas.getContext("2d");
    brush.imageSmoothingQuality = "medium";
    brush.drawImage(await loadImage(await onlyPath({ width: side, height: side, format: "jpeg" })), 0, 0, 100, 100);
    reduced.push(await pixelsOf(canvas.encodeSync("png")));
  }
  const [small, large] = reduced;
  assert.ok(small && large && distance(small, large) < 3, "they differ too much");
});

test("quality decides how large a JPEG or WebP is", async () => {
  for (const format of ["jpeg", "webp"] as const) {
    const rough = await readFile(await onlyPath({ format, quality: 10 }));
    const fine = await readFile(await onlyPath({ format, quality: 95 }));
    assert.ok(rough.length < fine.length / 2, `${format}: ${rough.length} and ${fine.length} bytes`);
  }
});

test("any picture of a job can be had again by its seed, byte for byte, and no two are alike", async () => {
  const progress: number[] = [];
  const three = await draw({ count: 3, prompt: "a cat in a forest at night" }, (share) => progress.push(share));
  for (const { path, seed } of three) {
    const again = await onlyPath({ seed, prompt: "a cat in a forest at night" });
    assert.ok((await readFile(path)).equals(await readFile(again)));
  }
  const files = await Promise.all(three.map(async ({ path }) => (await readFile(path)).toString("base64")));
  assert.equal(new Set(files).size, 3);
  assert.equal(progress.at(-1), 100);
  assert.ok(progress.length >= 3 && progress.every((share, index) => share >= (progress[index - 1] ?? 0)));
});

test("a seed that is not told is the same each time, and odd ones are taken too", async () => {
  const [first] = await draw({ seed: undefined });
  const [second] = await draw({ seed: undefined });
  const [odd] = await draw({ seed: -1.5 });
  assert.equal(first?.seed, second?.seed);
  assert.ok(Number.isInteger(odd?.seed) && odd?.seed !== first?.seed);
});

test("the words decide the picture", async () => {
  const day = await pixelsOf(await onlyPath({ prompt: "a white cat in a meadow at noon" }));
  const night = await pixelsOf(await onlyPath({ prompt: "a white cat in a meadow at night" }));
  assert.ok(distance(day, night) > 25);
  const mono = await pixelsOf(await onlyPath({ prompt: "black and white photo of a city" }));
  for (let x = 0; x < mono.width; x += 7) {
    const [red, green, blue] = mono.at(x, 40);
    assert.ok(red === green && green === blue);
  }
});

test("a transparent picture shows its subject on nothing, except as a JPEG", async () => {
  for (const prompt of ["a fox", "a red car", "a butterfly", "a mountain lake"]) {
    for (const format of ["png", "webp"] as const) {
      const picture = await pixelsOf(await onlyPath({ prompt, format, width: 128, height: 128, transparent: true }));
      assert.equal(picture.at(1, 1)[3], 0, `${prompt}: the corner is clear`);
      let solid = 0;
      for (let y = 0; y < 128; y++) for (let x = 0; x < 128; x++) solid += picture.at(x, y)[3] === 255 ? 1 : 0;
      assert.ok(solid > 128 * 128 * 0.08, `${prompt}: ${solid} solid pixels`);
    }
  }
  const opaque = await pixelsOf(await onlyPath({ prompt: "a fox", format: "jpeg", transparent: true }));
  assert.equal(opaque.at(1, 1)[3], 255);
});

test("a mask confines the painting to its transparent pixels, whose edge is soft", async () => {
  const source = await savePicture("quarters.png", 128, 96, paintQuarters);
  const mask = await savePicture("mask.png", 128, 96, (brush) => {
    brush.fillRect(0, 0, 128, 96);
    brush.clearRect(30, 20, 60, 50);
  });
  const original = await pixelsOf(source);
  const edited = await pixelsOf(await onlyPath({ prompt: "a galaxy", sourcePaths: [source], maskPath: mask }));
  let changed = 0;
  for (let y = 0; y < 96; y++) {
    for (let x = 0; x < 128; x++) {
      const inside = x >= 30 && x < 90 && y >= 20 && y < 70;
      const same = original.at(x, y).join() === edited.at(x, y).join();
      if (!inside) assert.ok(same, `the pixel at ${x}, ${y} lies outside the mask and was changed`);
      else if (!same) changed++;
    }
  }
  assert.ok(changed > 60 * 50 * 0.9, `${changed} pixels were changed`);
  const step = (x: number): number => Math.abs((edited.at(x, 30)[0] ?? 0) - (original.at(x, 30)[0] ?? 0));
  assert.ok(step(30) < step(50) / 2, `at the edge ${step(30)}, inside ${step(50)}`);
});

test("a mask that leaves nothing open is refused, one that is all transparent repaints everything", async () => {
  const source = await savePicture("whole.png", 128, 96, paintQuarters);
  const closed = await savePicture("closed.png", 128, 96, (brush) => brush.fillRect(0, 0, 128, 96));
  const open = await savePicture("open.png", 128, 96, () => {});
  await assert.rejects(draw({ sourcePaths: [source], maskPath: closed }), { reason: "invalid", message: /^The mask has no transparent/ });
  const repainted = await readFile(await onlyPath({ sourcePaths: [source], maskPath: open }));
  assert.ok(repainted.equals(await readFile(await onlyPath({}))));
});

test("an edit without a mask changes the picture visibly and leaves it recognisable", async () => {
  const source = await savePicture("edited.png", 128, 96, paintQuarters);
  const original = await pixelsOf(source);
  for (const prompt of ["make it snow", "at night", "purple light", "improve it"]) {
    const edited = await pixelsOf(await onlyPath({ prompt, sourcePaths: [source] }));
    const change = distance(original, edited);
    assert.ok(change > 5 && change < 90, `${prompt}: the change is ${change}`);
    assert.ok((edited.at(16, 20)[0] ?? 0) > (edited.at(16, 70)[0] ?? 0), `${prompt}: the red quarter is still redder than the blue one`);
  }
});

test("several sources are laid out in their order", async () => {
  const tones = ["#e01010", "#10c010", "#1010e0"];
  const paths = await Promise.all(
    tones.map((tone, index) =>
      savePicture(`tone-${index}.png`, 80, 80, (brush) => {
        brush.fillStyle = tone;
        brush.fillRect(0, 0, 80, 80);
      }),
    ),
  );
  const picture = await pixelsOf(await onlyPath({ prompt: "improve it", sourcePaths: paths, width: 300, height: 100 }));
  const strongest = (x: number): number => {
    const [red = 0, green = 0, blue = 0] = picture.at(x, 50);
    return [red, green, blue].indexOf(Math.max(red, green, blue));
  };
  assert.deepEqual([50, 150, 250].map(strongest), [0, 1, 2]);
});

test("variations differ from their source and from one another, and come again with their seed", async () => {
  const source = await savePicture("varied.png", 128, 96, paintQuarters);
  const images = await draw({ prompt: "", sourcePaths: [source], count: 4 });
  const pictures = await Promise.all([source, ...images.map(({ path }) => path)].map((path) => pixelsOf(path)));
  pictures.forEach((one, index) => {
    for (const other of pictures.slice(index + 1)) assert.ok(distance(one, other) > 4, `two differ by only ${distance(one, other)}`);
  });
  const third = images[2];
  assert.ok(third);
  const again = await onlyPath({ prompt: "", sourcePaths: [source], seed: third.seed });
  assert.ok((await readFile(third.path)).equals(await readFile(again)));
});

test("sources and masks that are no picture, damaged or too large are refused with a sentence", async () => {
  const whole = createCanvas(64, 64).encodeSync("png");
  const huge = Buffer.from(whole);
  huge.writeUInt32BE(7100, 16);
  huge.writeUInt32BE(7100, 20);
  const broken = { text: Buffer.from("not a picture"), empty: Buffer.alloc(0), cut: whole.subarray(0, 40), huge };
  const good = await savePicture("good.png", 64, 64, () => {});
  for (const [name, bytes] of Object.entries(broken)) {
    const path = join(root, `${name}.bin`);
    await writeFile(path, bytes);
    await assert.rejects(draw({ sourcePaths: [path] }), { reason: "invalid", message: /^The source image/ });
    await assert.rejects(draw({ sourcePaths: [good], maskPath: path }), { reason: "invalid", message: /^The mask/ });
  }
});

test("sizes and counts beyond the limits are refused", async () => {
  for (const changes of [{ width: 63 }, { height: 4097 }, { width: 100.5 }, { count: 0 }]) {
    await assert.rejects(draw(changes), { reason: "invalid" });
  }
});
