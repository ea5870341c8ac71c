import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createCanvas } from "@napi-rs/canvas";
import { ALL_FORMATS, FilePathSource, Input } from "mediabunny";
import { createEngines, type Engines } from "./engines.ts";
import { isRunning } from "./process-state.ts";
import { readImageHeader } from "../kit/image-header.ts";
import type { MusicJob, VideoJob } from "./job.ts";

let root: string;
let engines: Engines;
before(async () => {
  root = await mkdtemp(join(tmpdir(), "engines-test-"));
  engines = createEngines({ workDir: root });
});
after(async () => {
  await engines.close();
  await rm(root, { recursive: true, force: true });
});

function film(name: string, changes: Partial<VideoJob> = {}): VideoJob {
  return {
    engine: "video",
    outDir: join(root, name),
    prompt: "a boat on the sea",
    durationSeconds: 1,
    aspectRatio: { width: 16, height: 9 },
    ...changes,
  };
}

async function probe(
  path: string,
): Promise<{ codecs: string[]; width: number; height: number; seconds: number; colour: string | undefined }> {
  const input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  assert.ok(video && audio);
  const config = await video.getDecoderConfig();
  const seconds = await input.computeDuration();
  const found = {
    codecs: [config?.codec ?? "", (await audio.getDecoderConfig())?.codec ?? ""],
    width: video.displayWidth,
    height: video.displayHeight,
  };
  const colour = (await video.getColorSpace()).matrix ?? undefined;
  input.dispose();
  return { ...found, seconds, colour };
}

test("a film is an MP4 with picture and sound, index first, of the wished length and ratio, and has a cover", async () => {
  const progress: number[] = [];
  const result = await engines.run(film("wide", { durationSeconds: 2, aspectRatio: { width: 8, height: 3 } }), {
    onProgress: (share) => progress.push(share),
  });
  const { codecs, width, height, seconds, colour } = await probe(result.videoPath);
  assert.match(codecs[0] ?? "", /^avc1\.42/);
  assert.equal(codecs[1], "mp4a.40.2");
  assert.equal(colour, "bt709");
  assert.ok(Math.abs(seconds - 2) <= 0.2, `it lasts ${seconds} s`);
  assert.ok(Math.abs(width / height - 8 / 3) < 0.01);
  assert.deepEqual([result.width, result.height], [width, height]);
  const bytes = await readFile(result.videoPath);
  assert.ok(bytes.indexOf("moov") < bytes.indexOf("mdat"));
  assert.deepEqual(readImageHeader(await readFile(result.coverPath)), { format: "jpeg", width, height });
  assert.ok(progress.length > 20 && progress.at(-1) === 100, `progress was told ${progress.length} times`);
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  );
  assert.deepEqual((await readdir(join(root, "wide"))).toSorted(), ["cover.jpg", "video.mp4"]);
});

test("pictures of any shape are animated, and broken ones are refused with a sentence", async () => {
  const shapes = { dot: createCanvas(1, 1), ribbon: createCanvas(12_000, 10) };
  for (const [name, canvas] of Object.entries(shapes)) {
    const imagePath = join(root, `${name}.png`);
    await writeFile(imagePath, canvas.encodeSync("png"));
    const { videoPath } = await engines.run(film(name, { prompt: "", imagePath, aspectRatio: { width: 1, height: 8 } }));
    assert.ok((await probe(videoPath)).width === 160);
  }
  const whole = createCanvas(64, 64).encodeSync("png");
  const huge = Buffer.from(whole);
  huge.writeUInt32BE(60_000, 16);
  huge.writeUInt32BE(60_000, 20);
  const broken = { text: Buffer.from("not a picture"), empty: Buffer.alloc(0), cut: whole.subarray(0, 40), huge };
  for (const [name, bytes] of Object.entries(broken)) {
    const imagePath = join(root, `${name}.bin`);
    await writeFile(imagePath, bytes);
    await assert.rejects(engines.run(film(name, { imagePath })), { reason: "invalid", message: /^The source image/ });
    assert.ok(!existsSync(join(root, name)));
  }
});

const song: MusicJob = { engine: "music", outDir: "", tags: "rock, happy", instrumental: false, lengthSeconds: 8, seed: 42, variations: 1 };
const digest = async (path: string): Promise<string> =>
  createHash("sha256")
    .update(await readFile(path))
    .digest("hex");

test("two songs differ, the same seed gives the same bytes, and progress covers both", async () => {
  const progress: number[] = [];
  const both = await engines.run({ ...song, outDir: join(root, "both"), variations: 2 }, { onProgress: (share) => progress.push(share) });
  const again = await engines.run({ ...song, outDir: join(root, "again") });
  const [first, second] = both.songs;
  assert.ok(first && second && again.songs[0]);
  assert.equal(await digest(first.audioPath), await digest(again.songs[0].audioPath));
  assert.notEqual(await digest(first.audioPath), await digest(second.audioPath));
  assert.equal(first.seed, 42);
  assert.equal(first.lyrics, second.lyrics);
  assert.ok(progress.some((share) => share > 10 && share < 50) && progress.at(-1) === 100);
  const { codec, sampleRate, seconds } = await listen(first.audioPath);
  assert.deepEqual([codec, sampleRate], ["mp3", 44_100]);
  assert.ok(Math.abs(seconds - first.durationSeconds) < 0.2 && seconds > 5 && seconds < 14);
  assert.deepEqual(readImageHeader(await readFile(first.coverPath)), { format: "jpeg", width: 1024, height: 1024 });
});

async function listen(path: string): Promise<{ codec: string | null; sampleRate: number; seconds: number }> {
  const input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
  const track = await input.getPrimaryAudioTrack();
  assert.ok(track);
  const found = { codec: track.codec, sampleRate: track.sampleRate, seconds: await input.computeDuration() };
  input.dispose();
  return found;
}

/** Starts a long film and resolves once frames are being drawn. */
function begin(name: string, signal?: AbortSignal): { under: Promise<void>; outcome: Promise<unknown> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const outcome = engines.run(film(name, { durationSeconds: 10 }), {
    ...(signal && { signal }),
    onProgress: (share) => share >= 2 && resolve(),
  });
  return { under: promise, outcome };
}

test("cancelling ends the process at once and leaves no file", async () => {
  const stop = new AbortController();
  const { under, outcome } = begin("cancelled", stop.signal);
  await under;
  const [pid] = engines.pids("video");
  stop.abort();
  await assert.rejects(outcome, { reason: "cancelled" });
  assert.ok(pid !== undefined && !isRunning(pid));
  assert.ok(!existsSync(join(root, "cancelled")));
});

test("a crash of the process costs one job, and the next gets a new process", async () => {
  const { under, outcome } = begin("crashed");
  await under;
  const [pid] = engines.pids("video");
  assert.ok(pid !== undefined);
  process.kill(pid, "SIGKILL");
  await assert.rejects(outcome, { reason: "crashed" });
  assert.ok(!existsSync(join(root, "crashed")));
  const next = await engines.run(film("after crash"));
  assert.ok(existsSync(next.videoPath));
  assert.notEqual(engines.pids("video")[0], pid);
});

test("a process that outgrows its memory is ended and the job says so", async () => {
  const small = createEngines({ workDir: root, memoryLimitBytes: 90 * 2 ** 20 });
  await assert.rejects(small.run(film("greedy", { durationSeconds: 10 })), { reason: "memory" });
  await small.close();
});

test("a process is replaced after its share of jobs, and closing refuses what runs and what waits", async () => {
  const short = createEngines({ workDir: root, jobsPerProcess: 1 });
  await short.run(film("only", { aspectRatio: { width: 8, height: 1 } }));
  assert.deepEqual(short.pids("video"), []);
  const running = short.run(film("running", { durationSeconds: 10 }));
  const waiting = short.run(film("waiting"));
  const ends = Promise.all([assert.rejects(running, { reason: "closed" }), assert.rejects(waiting, { reason: "closed" })]);
  await short.close();
  await ends;
  await assert.rejects(short.run(film("late")), { reason: "closed" });
});

test("a job that makes no progress is given up", async () => {
  const impatient = createEngines({ workDir: root, stallMs: 1 });
  await assert.rejects(impatient.run(film("stalled")), { reason: "stalled" });
  await impatient.close();
});

test("a parent that is killed takes its engine with it", async () => {
  const script = `
    const { createEngines } = await import(${JSON.stringify(new URL("./engines.ts", import.meta.url).href)});
    const engines = createEngines({ workDir: ${JSON.stringify(root)} });
    const job = ${JSON.stringify(film("orphan", { durationSeconds: 10 }))};
    await engines.run(job, { onProgress: (share) => share === 2 && console.log(engines.pids("video")[0]) });`;
  const parent = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(createInterface({ input: parent.stdout }), "line")) as [string];
  const pid = Number(line);
  assert.ok(isRunning(pid));
  parent.kill("SIGKILL");
  const killedAt = performance.now();
  while (isRunning(pid) && performance.now() - killedAt < 5000) await sleep(20);
  assert.ok(!isRunning(pid), "the engine is still running");
});

for (const closing of [false, true]) {
  test(`an idle engine does not keep its parent alive${closing ? ", and closing it can be awaited" : ""}`, () => leaveIdle(closing));
}

async function leaveIdle(closing: boolean): Promise<void> {
  const script = `
    const { createEngines } = await import(${JSON.stringify(new URL("./engines.ts", import.meta.url).href)});
    const engines = createEngines({ workDir: ${JSON.stringify(root)} });
    await engines.run(${JSON.stringify(film("brief", { aspectRatio: { width: 8, height: 1 } }))});
    console.log(engines.pids("video")[0]);
    if (${closing}) await engines.close();`;
  const parent = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"], timeout: 20_000 });
  const [line] = (await once(createInterface({ input: parent.stdout }), "line")) as [string];
  const [code] = (await once(parent, "exit")) as [number | null];
  assert.equal(code, 0);
  const until = performance.now() + 2000;
  while (isRunning(Number(line)) && performance.now() < until) await sleep(20);
  assert.ok(!isRunning(Number(line)));
}
