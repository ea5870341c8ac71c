import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createEngines, type Engines } from "../engines.ts";
import { isRunning } from "../process-state.ts";
import type { TextJob, TextPiece } from "../job.ts";

let root: string;
let engines: Engines;
before(async () => {
  root = await mkdtemp(join(tmpdir(), "text-process-test-"));
  engines = createEngines({ workDir: root, mostWaiting: 1 });
});
after(async () => {
  await engines.close();
  await rm(root, { recursive: true, force: true });
});

function ask(maxTokens: number, changes: Partial<TextJob> = {}): TextJob {
  return {
    engine: "text",
    outDir: join(root, "out"),
    cacheDir: join(root, "models"),
    ask: { prompts: ["Once upon a time"] },
    choices: 1,
    bestOf: 1,
    maxTokens,
    temperature: 0,
    topP: 1,
    stop: [],
    frequencyPenalty: 0,
    presencePenalty: 0,
    logitBias: {},
    alternatives: null,
    echo: false,
    ...changes,
  };
}

/** A job that would write for many seconds; resolves `under` with the process that has begun it. */
function begin(signal?: AbortSignal): { under: Promise<number>; outcome: Promise<unknown>; pieces: TextPiece[] } {
  const { promise, resolve } = Promise.withResolvers<number>();
  const pieces: TextPiece[] = [];
  const outcome = engines.run(ask(200, { choices: 100, alternatives: 0 }), {
    ...(signal && { signal }),
    onPiece: (piece) => {
      pieces.push(piece);
      resolve(engines.pids("text")[0] ?? 0);
    },
  });
  return { under: promise, outcome, pieces };
}

const writes = async (): Promise<void> => {
  const { choices } = await engines.run(ask(4));
  assert.equal(choices[0]?.text, ", there was a");
};

test("a cancelled text leaves its process and its model alive for the next one", async () => {
  const stop = new AbortController();
  const { under, outcome, pieces } = begin(stop.signal);
  const pid = await under;
  stop.abort();
  const heard = pieces.length;
  await assert.rejects(outcome, { reason: "cancelled" });
  assert.equal(pieces.length, heard, "nothing is told after the cancel");
  await writes();
  assert.deepEqual(engines.pids("text"), [pid]);
});

test("a job cancelled before its process was ready is never done, and the process serves the next", async () => {
  const fresh = createEngines({ workDir: root });
  const stop = new AbortController();
  const outcome = fresh.run(ask(4), { signal: stop.signal });
  while (fresh.pids("text").length === 0) await new Promise((resolve) => setImmediate(resolve));
  const pids = fresh.pids("text");
  stop.abort();
  await assert.rejects(outcome, { reason: "cancelled" });
  assert.equal((await fresh.run(ask(4))).choices[0]?.text, ", there was a");
  assert.deepEqual(fresh.pids("text"), pids);
  await fresh.close();
});

test("a process that does not answer a cancel is ended", async () => {
  const stop = new AbortController();
  const { under, outcome } = begin(stop.signal);
  const pid = await under;
  process.kill(pid, "SIGSTOP");
  const began = performance.now();
  stop.abort();
  await assert.rejects(outcome, { reason: "cancelled" });
  assert.ok(performance.now() - began > 900, "it was given a moment");
  assert.ok(!isRunning(pid));
});

test("a killed process costs one job, one more may wait for the next process, and a third is refused", async () => {
  const { under, outcome } = begin();
  const pid = await under;
  const waiting = writes();
  await assert.rejects(engines.run(ask(4)), { reason: "busy" });
  process.kill(pid, "SIGKILL");
  await assert.rejects(outcome, { reason: "crashed" });
  await waiting;
  assert.notEqual(engines.pids("text")[0], pid);
});

test("what an engine may use can be set for it alone", async () => {
  const tight = createEngines({ workDir: root, memoryLimitBytes: { text: 90 * 2 ** 20 } });
  await assert.rejects(tight.run(ask(200, { choices: 100 })), { reason: "memory" });
  await tight.close();
});
