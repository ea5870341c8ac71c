import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createCanvas } from "@napi-rs/canvas";
import { Failure } from "../../core/errors.ts";
import { imageActs, type TaskInput, type VideoInput } from "../../core/kinds.ts";
import type { Job, TaskProvider, Work } from "../../core/provider.ts";
import { createEngines, type Engines } from "../../engines/engines.ts";
import { createLocalProvider } from "./local.ts";

let workDir: string;
let engines: Engines;
let provider: TaskProvider;
before(async () => {
  workDir = await mkdtemp(join(tmpdir(), "local-test-"));
  engines = createEngines({ workDir });
  const { tasks } = createLocalProvider({ engines, workDir, cacheDir: join(workDir, "models"), songSeconds: 8 });
  assert.ok(tasks);
  provider = tasks;
});
after(async () => {
  await engines.close();
  await rm(workDir, { recursive: true, force: true });
});

const video: VideoInput = { prompt: "a cat in a meadow", durationSeconds: 1, aspectRatio: { width: 8, height: 1 } };

function job(taskId: string, task: TaskInput): Job {
  return { ...task, taskId, attempt: 1, model: "anything-v9", idempotencyKey: `${taskId}/1` };
}

function work(changes: Partial<Work> = {}): Work {
  return {
    signal: new AbortController().signal,
    credential: { id: "none", secret: "" },
    report: () => {},
    load: () => Promise.reject(new Failure("input_unreachable")),
    ...changes,
  };
}

test("it serves video, music, lyrics and pictures under any model name and can be asked again after a crash", () => {
  assert.deepEqual(Object.keys(provider.serves), ["video", "music", "lyrics", "image"]);
  assert.deepEqual(provider.serves.video?.("whatever"), { durations: { min: 1, max: 60 }, acts: ["generate", "extend", "remix"] });
  const acts = provider.serves.image?.("whatever").acts ?? [];
  assert.deepEqual(
    imageActs.filter((act) => !acts.includes(act)),
    ["swap"],
  );
  assert.equal(provider.recovery, "repeat");
  assert.equal(provider.lanes, "per-kind");
  assert.equal(provider.poll, undefined);
});

test("a video ends as files of the attempt's own folder, whatever an earlier try left there", async () => {
  const folder = join(workDir, "film-1");
  await mkdir(folder);
  await writeFile(join(folder, ".video.mp4.part"), "left by a crash");
  const progress: number[] = [];
  const started = await provider.start(job("film", { kind: "video", input: video }), work({ report: (share) => progress.push(share) }));
  assert.ok(started.state === "done" && started.output.kind === "video");
  assert.deepEqual(started.output.video, { from: "path", path: join(folder, "video.mp4") });
  assert.equal(started.output.durationSeconds, 1);
  assert.deepEqual((await readdir(folder)).toSorted(), ["cover.jpg", "video.mp4"]);
  assert.ok(progress.every(Number.isInteger) && progress.at(-1) === 100);
});

test("a source image is animated and does not stay among the results", async () => {
  const bytes = createCanvas(40, 30).encodeSync("png");
  const input: VideoInput = { ...video, image: { from: "file", id: "file_1" } };
  const started = await provider.start(
    job("photo", { kind: "video", input }),
    work({ load: () => Promise.resolve({ bytes, mime: "image/png" }) }),
  );
  assert.equal(started.state, "done");
  assert.deepEqual((await readdir(join(workDir, "photo-1"))).toSorted(), ["cover.jpg", "video.mp4"]);
});

test("a picture that cannot be fetched or read is refused with a sentence, and nothing stays behind", async () => {
  const input: VideoInput = { ...video, image: { from: "url", url: "http://pictures.example/1.png" } };
  const unreachable = await provider.start(job("unreachable", { kind: "video", input }), work());
  assert.ok(unreachable.state === "refused" && unreachable.refusal.class === "input_unreachable");
  const load = (): ReturnType<Work["load"]> => Promise.resolve({ bytes: Buffer.from("GIF89a"), mime: "image/gif" });
  const unreadable = await provider.start(job("unreadable", { kind: "video", input }), work({ load }));
  assert.ok(unreadable.state === "refused" && unreadable.refusal.class === "invalid");
  assert.match(unreadable.refusal.says ?? "", /^The source image/);
  assert.ok(!existsSync(join(workDir, "unreadable-1")));
});

test("cancelling refuses the job as cancelled; a crash refuses it as transient", async () => {
  const long = { ...video, durationSeconds: 10 };
  const stop = new AbortController();
  const report = (share: number): void => void (share >= 2 && stop.abort());
  const cancelled = await provider.start(job("stop", { kind: "video", input: long }), work({ signal: stop.signal, report }));
  assert.deepEqual(cancelled, { state: "refused", refusal: { class: "cancelled" } });
  assert.ok(!existsSync(join(workDir, "stop-1")));
  const crash = (share: number): void => void (share === 2 && engines.pids("video").forEach((pid) => process.kill(pid, "SIGKILL")));
  const crashed = await provider.start(job("crash", { kind: "video", input: long }), work({ report: crash }));
  assert.ok(crashed.state === "refused" && crashed.refusal.class === "transient");
  assert.match(crashed.refusal.cause ?? "", /SIGKILL/);
});

test("lyrics come at once, the same for a repeat of the task and others for another task", async () => {
  const ask = async (taskId: string): Promise<string> => {
    const started = await provider.start(job(taskId, { kind: "lyrics", input: { prompt: "old friends" } }), work());
    assert.ok(started.state === "done" && started.output.kind === "lyrics");
    return started.output.text;
  };
  assert.equal(await ask("one"), await ask("one"));
  assert.notEqual(await ask("one"), await ask("two"));
});

test("music gives two songs with audio, cover, title, tags, text, length and seed", async () => {
  const input = { mode: "inspiration" as const, description: "a short jazz tune about coffee", instrumental: false, seed: 7 };
  const started = await provider.start(job("songs", { kind: "music", input }), work());
  assert.ok(started.state === "done" && started.output.kind === "music");
  assert.equal(started.output.songs.length, 2);
  for (const song of started.output.songs) {
    assert.ok(song.audio.from === "path" && existsSync(song.audio.path));
    assert.ok(song.image?.from === "path" && existsSync(song.image.path));
    assert.ok(song.title !== "" && song.tags.startsWith("jazz") && song.lyrics.includes("coffee"));
    assert.ok(song.durationSeconds > 5 && song.durationSeconds < 15);
  }
  assert.equal(started.output.songs[0]?.seed, 7);
});
