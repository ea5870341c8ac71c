import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { checkTarget, fileName, resultsOf, targetPaths } from "./result-files.ts";
import { inFolder, taskRecord } from "./shell.fixture.ts";

const asset = (id: string, mime: string) => ({ id, kind: "audio", url: `http://h/assets/${id}?s=1`, mime, bytes: 1 });
const song = (id: string, title: string) => ({ title, audio_url: `http://h/assets/${id}?s=1` });
const music = taskRecord({
  assets: [asset("a", "audio/mpeg"), asset("b", "audio/mpeg")],
  result: { songs: [song("a", "Calm Sea"), song("b", "Calm Sea")] },
});

test("the results of each kind have their titles and the extensions of their types", () => {
  assert.deepEqual(resultsOf(music, "x"), [
    { title: "Calm Sea", extension: ".mp3", url: "http://h/assets/a?s=1" },
    { title: "Calm Sea", extension: ".mp3", url: "http://h/assets/b?s=1" },
  ]);
  const video = taskRecord({ assets: [asset("v", "video/webm")], result: { video_url: "http://h/assets/v?s=1" } });
  assert.deepEqual(resultsOf(video, "a boat"), [{ title: "a boat", extension: ".webm", url: "http://h/assets/v?s=1" }]);
  assert.deepEqual(resultsOf(taskRecord({ result: { title: "", text: "la" } }), "snow"), [
    { title: "snow", extension: ".txt", text: "la" },
  ]);
});

test("the first song gets the name that was given, the second the same with -2", () => {
  const results = resultsOf(music, "x");
  assert.deepEqual(targetPaths("/home", "out/sea.mp3", results, "id"), ["/home/out/sea.mp3", "/home/out/sea-2.mp3"]);
  assert.deepEqual(targetPaths("/home", "sea", results, "id"), ["/home/sea", "/home/sea-2"]);
});

test("without a name the title gives one, and no file that is there is overwritten", async () => {
  await inFolder(async (cwd) => {
    const results = resultsOf(music, "x");
    assert.deepEqual(targetPaths(cwd, undefined, results, "0000-12345678"), [join(cwd, "calm-sea.mp3"), join(cwd, "calm-sea-2.mp3")]);
    writeFileSync(join(cwd, "calm-sea-2.mp3"), "");
    const others = [join(cwd, "calm-sea-12345678.mp3"), join(cwd, "calm-sea-12345678-2.mp3")];
    assert.deepEqual(targetPaths(cwd, undefined, results, "0000-12345678"), others);
    mkdirSync(join(cwd, "songs"));
    assert.deepEqual(targetPaths(cwd, "songs", results, "id"), [join(cwd, "songs/calm-sea.mp3"), join(cwd, "songs/calm-sea-2.mp3")]);
  });
});

test("a title becomes a name that any system takes", () => {
  assert.equal(fileName('../../etc/passwd: "x"?'), "etc-passwd-x");
  assert.equal(fileName("Été à la mer"), "été-à-la-mer");
  assert.equal(fileName("?!"), "genway");
  assert.ok(fileName("word ".repeat(100)).length <= 60);
});

test("a folder that is not there is found out before anything is started", async () => {
  await inFolder(async (cwd) => {
    await assert.rejects(checkTarget(cwd, "absent/sea.mp3"), /Nothing was started: there is no folder/);
    await checkTarget(cwd, "sea.mp3");
    await checkTarget(cwd, undefined);
  });
});
