import assert from "node:assert/strict";
import test from "node:test";
import { barLine, createProgress } from "./progress-bar.ts";
import { taskRecord, testShell } from "./shell.fixture.ts";

const shown = { label: "video", progress: 50, status: "IN_PROGRESS", elapsedMs: 12_000, columns: 80 };

test("half of the bar is filled at 50 per cent", () => {
  assert.equal(barLine(shown), `video ${"█".repeat(20)}${"░".repeat(20)}  50%  running  0:12`);
});

test("the bar is never wider than the terminal, and gives way to the words on a narrow one", () => {
  for (const columns of [20, 30, 40, 60, 200]) assert.ok(barLine({ ...shown, columns }).length < columns, String(columns));
  assert.doesNotMatch(barLine({ ...shown, columns: 30 }), /█/);
});

test("progress outside 0 to 100 fills the bar, or leaves it empty, and no more", () => {
  assert.match(barLine({ ...shown, progress: 140 }), /█{40} 100%/);
  assert.match(barLine({ ...shown, progress: -5 }), /░{40}   0%/);
});

test("a terminal gets one line drawn over itself, and a clean one at the end", () => {
  const shell = testShell({ isTerminal: true });
  const progress = createProgress(shell, "music");
  progress.show(taskRecord({ progress: 10 }));
  progress.end();
  assert.equal(shell.noted.length, 0);
  assert.ok(shell.drawn[0]?.startsWith("\r\u001b[2Kmusic "));
  assert.equal(shell.drawn.at(-1), "\r\u001b[2K");
});

test("elsewhere a line is written for each change of state and every fifth of the way", () => {
  const shell = testShell();
  const progress = createProgress(shell, "music");
  for (const at of [0, 1, 5, 19, 20, 39, 75]) progress.show(taskRecord({ progress: at }));
  progress.show(taskRecord({ status: "SUCCESS", progress: 100 }));
  progress.end();
  assert.deepEqual(shell.noted, ["music: running 0%", "music: running 20%", "music: running 60%", "music: done"]);
  assert.deepEqual(shell.drawn, []);
});
