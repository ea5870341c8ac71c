import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { JsonObject } from "../../core/call.ts";
import { EngineError } from "../../engines/engine-error.ts";
import type { SpeechJob } from "../../engines/job.ts";
import { callOf, eventsIn, textOfStream, workOf } from "../call/call.fixture.ts";
import { openShop, readOnePiece, refusalIn, type Shop, type Tricks } from "./local.fixture.ts";

const recording = randomBytes(200_000);

function speaking(jobs: SpeechJob[] = []): Tricks {
  return {
    async speech(job) {
      jobs.push(job);
      const path = join(job.outDir, "speech");
      await writeFile(path, recording);
      return { path, mime: "audio/mpeg", durationSeconds: 2 };
    },
  };
}

async function waitUntilEmpty(shop: Shop): Promise<void> {
  while ((await shop.left()).length > 0) await nextTurn();
}

test("a recording goes out in pieces, and its folder goes with the last one", async (t) => {
  const jobs: SpeechJob[] = [];
  const shop = await openShop(t, speaking(jobs));
  const answer = await shop.ask(callOf("speech", { input: "Good morning." }));
  assert.ok(answer.state === "stream" && answer.mime === "audio/mpeg");
  assert.equal((await shop.left()).length, 1);
  const pieces: Uint8Array[] = [];
  for await (const piece of answer.pieces) pieces.push(piece);
  assert.ok(pieces.length > 1 && Buffer.concat(pieces).equals(recording));
  assert.deepEqual(await shop.left(), []);
  const { outDir: _outDir, ...job } = jobs[0] ?? assert.fail();
  assert.deepEqual(job, { engine: "speech", text: "Good morning.", voice: "alloy", speed: 1, format: "mp3" });
});

test("voice, speed and format are those asked for", async (t) => {
  const jobs: SpeechJob[] = [];
  const shop = await openShop(t, speaking(jobs));
  await shop.ask(callOf("speech", { input: "x", voice: "onyx", speed: 1.5, response_format: "flac" }));
  await shop.ask(callOf("speech", { input: "x", voice: { id: "nova" } }));
  assert.deepEqual(
    jobs.map(({ voice, speed, format }) => [voice, speed, format]),
    [
      ["onyx", 1.5, "flac"],
      ["nova", 1, "mp3"],
    ],
  );
  for (const [body, param] of [
    [{ input: " " }, "input"],
    [{ input: "x", speed: 5 }, "speed"],
    [{ input: "x", response_format: "midi" }, "response_format"],
    [{ input: "x", stream_format: "rtp" }, "stream_format"],
  ] as const) {
    const refusal = refusalIn(await shop.ask(callOf("speech", body)));
    assert.deepEqual([refusal.class, refusal.param], ["invalid", param]);
  }
});

test("nothing stays when the listener leaves in the middle, before the first piece, or when there is no recording", async (t) => {
  const shop = await openShop(t, speaking());
  const left = await shop.ask(callOf("speech", { input: "x" }));
  await readOnePiece(left);
  assert.deepEqual(await shop.left(), []);

  const gone = new AbortController();
  await shop.ask(callOf("speech", { input: "x" }), workOf({ signal: gone.signal }));
  gone.abort();
  await waitUntilEmpty(shop);

  const silent = await openShop(t, { speech: () => Promise.reject(new EngineError("stalled", "The generator stopped making progress.")) });
  assert.equal(refusalIn(await silent.ask(callOf("speech", { input: "x" }))).class, "transient");
  assert.deepEqual(await silent.left(), []);
});

test("as events the recording is told in base64, and its use at the end", async (t) => {
  const shop = await openShop(t, speaking());
  const answer = await shop.ask(callOf("speech", { input: "Good morning.", stream_format: "sse" }));
  assert.ok(answer.state === "stream" && answer.mime === "text/event-stream");
  const events = eventsIn(await textOfStream(answer)) as JsonObject[];
  const done = events.pop();
  assert.deepEqual(done, { type: "speech.audio.done", usage: { input_tokens: 3, output_tokens: 0, total_tokens: 3 } });
  assert.ok(events.every(({ type }) => type === "speech.audio.delta"));
  assert.ok(Buffer.concat(events.map(({ audio }) => Buffer.from(String(audio), "base64"))).equals(recording));
  assert.deepEqual(await shop.left(), []);
});
