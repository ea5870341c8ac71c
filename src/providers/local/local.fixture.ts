/** What tests of the built-in generators' calls are made with. */
import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Answer, Call, CallFile, CallWork, JsonObject } from "../../core/call.ts";
import type { Refusal } from "../../core/refusal.ts";
import { isObject } from "../../dialects/json-reading.ts";
import type { Engines } from "../../engines/engines.ts";
import type { EngineJob, EngineName, EngineTable, RunOptions } from "../../engines/job.ts";
import { testMint, workOf } from "../call/call.fixture.ts";
import { createLocalProvider, type LocalOptions } from "./local.ts";

type Trick<E extends EngineName> = (job: EngineTable[E]["job"], options: RunOptions) => Promise<Omit<EngineTable[E]["result"], "engine">>;
export type Tricks = { [E in "text" | "embedding" | "speech" | "transcription" | "image"]?: Trick<E> };

/** Generators that do as the test says; what it does not say they cannot. */
function trickEngines(tricks: Tricks): Engines {
  return {
    async run(job, options = {}) {
      const result = await perform(tricks, job, options);
      if (isResultOf(job, result)) return result;
      throw new Error(`no ${job.engine} here`);
    },
    pids: () => [],
    close: () => Promise.resolve(),
  };
}

async function perform(tricks: Tricks, job: EngineJob, options: RunOptions): Promise<unknown> {
  const { engine } = job;
  if (engine === "text") return { engine, ...(await tricks.text?.(job, options)) };
  if (engine === "embedding") return { engine, ...(await tricks.embedding?.(job, options)) };
  if (engine === "speech") return { engine, ...(await tricks.speech?.(job, options)) };
  if (engine === "transcription") return { engine, ...(await tricks.transcription?.(job, options)) };
  return engine === "image" ? { engine, ...(await tricks.image?.(job, options)) } : null;
}

function isResultOf<J extends EngineJob>({ engine }: J, value: unknown): value is EngineTable[J["engine"]]["result"] {
  return isObject(value) && value.engine === engine && Object.keys(value).length > 1;
}

export type Shop = {
  workDir: string;
  ask(call: Call, work?: CallWork): Promise<Answer>;
  /** The names of what lies in the folder of the work. */
  left(): Promise<string[]>;
};

/** The provider with these generators, in a folder that is gone with the test. */
export async function openShop(
  context: Pick<TestContext, "after">,
  engines: Engines | Tricks,
  options: Partial<LocalOptions> = {},
): Promise<Shop> {
  const workDir = await mkdtemp(join(tmpdir(), "local-calls-"));
  context.after(() => rm(workDir, { recursive: true, force: true }));
  const { calls } = createLocalProvider({
    engines: isEngines(engines) ? engines : trickEngines(engines),
    workDir,
    cacheDir: join(workDir, "..", "no-models"),
    mint: testMint(),
    ...options,
  });
  return {
    workDir,
    ask(call, work = workOf()) {
      const answer = calls?.[call.operation];
      assert.ok(answer, `it answers ${call.operation}`);
      return answer(call, work);
    },
    left: () => readdir(workDir),
  };
}

function isEngines(given: Engines | Tricks): given is Engines {
  return "run" in given;
}

/** The value of a whole JSON reply, which is the same as its bytes. */
export function valueOf(answer: Answer): JsonObject {
  assert.ok(answer.state === "whole", JSON.stringify(answer));
  assert.equal(answer.mime, "application/json");
  assert.ok(isObject(answer.value));
  assert.deepEqual(JSON.parse(Buffer.from(answer.body).toString()), answer.value);
  return answer.value;
}

export function refusalIn(answer: Answer): Refusal {
  assert.ok(answer.state === "refused", JSON.stringify(answer));
  return answer.refusal;
}

export function fileOf(field: string, bytes: Uint8Array | string, mime = "application/octet-stream"): CallFile {
  return { field, name: field, mime, bytes: Buffer.from(bytes) };
}

/** Reads the first piece of a stream and leaves. */
export async function readOnePiece(answer: Answer): Promise<void> {
  assert.ok(answer.state === "stream", JSON.stringify(answer));
  const reader = answer.pieces[Symbol.asyncIterator]();
  assert.equal((await reader.next()).done, false);
  await reader.return?.();
}
