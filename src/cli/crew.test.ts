import assert from "node:assert/strict";
import test from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { createCrew, type Crew } from "./crew.ts";
import type { Ending, Member } from "./crew-roster.ts";
import type { Greeting } from "./greeting.ts";

const greeting: Greeting = { url: "http://127.0.0.1:1", adminKey: null, firstKey: null };

type Actor = { number: number; told: string[]; serve(): Promise<void>; end(how?: Partial<Ending>): Promise<void> };

/** A crew whose processes do what the test says, in a time that passes when the test says. */
function stage(count: number) {
  const actors: Actor[] = [];
  const noted: string[] = [];
  const pauses: { ms: number; end: () => void }[] = [];
  let now = 0;
  const note = (detail: object, says: string) => void noted.push(`${says} ${JSON.stringify(detail)}`);
  const hire = (number: number): Member => {
    const serving = Promise.withResolvers<Greeting | null>();
    const ended = Promise.withResolvers<Ending>();
    const told: string[] = [];
    actors.push({
      number,
      told,
      serve: () => (serving.resolve(greeting), settle()),
      end: ({ code = 0, signal = null } = {}) => (serving.resolve(null), ended.resolve({ code, signal }), settle()),
    });
    return {
      number,
      pid: 100 + actors.length,
      serving: serving.promise,
      ended: ended.promise,
      figures: async () => ({ type: "text/plain", text: `# HELP x X\nx{worker="${number}"} 1\n` }),
      tell: (what) => void told.push(what),
      kill: (signal) => void told.push(signal),
    };
  };
  const crew: Crew = createCrew({
    count,
    hire,
    log: { info: note, warn: note, error: note },
    clock: () => now,
    pause: (ms) => new Promise<void>((end) => void pauses.push({ ms, end })),
  });
  return {
    crew,
    actors,
    noted,
    at: (index: number) => actors[index] ?? assert.fail(`there are ${actors.length} processes`),
    pass: (ms: number) => void (now += ms),
    /** Lets the pauses end that are waited for; answers how long they are. */
    async wait(): Promise<number[]> {
      const over = pauses.splice(0);
      for (const { end } of over) end();
      await settle();
      return over.map(({ ms }) => ms);
    },
  };
}

async function settle(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await turn();
}

async function staged(count: number) {
  const scene = stage(count);
  const started = scene.crew.start();
  for (let index = 0; index < count; index++) await scene.at(index).serve();
  assert.deepEqual(await started, greeting);
  return scene;
}

test("the first one starts alone, and the others when it serves", async () => {
  const { crew, actors, at } = stage(3);
  const started = crew.start();
  await settle();
  assert.equal(actors.length, 1);
  await at(0).serve();
  assert.deepEqual(await started, greeting);
  assert.deepEqual(
    actors.map(({ number }) => number),
    [0, 1, 2],
  );
});

test("a first one that cannot start is not tried again", async () => {
  const { crew, actors, at } = stage(3);
  const started = crew.start();
  await at(0).end({ code: 2 });
  assert.deepEqual(await started, { code: 2, signal: null });
  assert.equal(actors.length, 1);
});

test("one that dies is replaced at once under the number that is free, and later the more often it dies young", async () => {
  const { at, actors, wait, pass, noted } = await staged(2);
  pass(60_000);
  await at(1).end({ code: null, signal: "SIGKILL" });
  assert.match(noted[0] ?? "", /a worker ended; another one takes its place .*"worker":1.*SIGKILL/);
  const delays: number[] = [];
  for (let life = 2; life < 6; life++) {
    delays.push(...(await wait()));
    assert.equal(at(life).number, 1);
    await at(life).serve();
    pass(100);
    await at(life).end({ code: 1 });
  }
  assert.deepEqual(delays, [0, 250, 500, 1_000]);
  assert.equal(actors.length, 6);
});

test("while others serve, starting anew is never given up", async () => {
  const { crew, at, wait } = await staged(2);
  let isLost = false;
  void crew.lost.then(() => (isLost = true));
  await at(1).end({ code: 1 });
  const delays: number[] = [];
  for (let life = 2; life < 12; life++) {
    delays.push(...(await wait()));
    await at(life).end({ code: 1 });
  }
  assert.deepEqual(delays.slice(1), [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000]);
  assert.ok(!isLost);
});

test("when none serves and none can be started five times in a row, the crew is lost", async () => {
  const { crew, at, wait } = await staged(1);
  await at(0).end({ code: 1 });
  for (let life = 1; life <= 5; life++) {
    await wait();
    await at(life).end({ code: 1 });
  }
  await crew.lost;
});

test("a renewal replaces one after the other, each when its successor serves, and they do not share a number", async () => {
  const { crew, at, actors, noted } = await staged(2);
  const renewed = crew.renew();
  await settle();
  assert.deepEqual([actors.length, at(2).number, at(0).told], [3, 2, []]);
  await at(2).serve();
  assert.deepEqual([at(0).told, actors.length], [["leave"], 3], "the next one waits for the end of the first");
  await at(0).end();
  assert.equal(at(3).number, 0);
  await at(3).serve();
  assert.deepEqual(at(1).told, ["leave"]);
  await at(1).end();
  assert.equal(await renewed, true);
  assert.deepEqual([actors.length, noted], [4, []]);
});

test("a renewal whose new process cannot start leaves the old ones alone", async () => {
  const { crew, at, actors } = await staged(2);
  const renewed = crew.renew();
  await at(2).end({ code: 1 });
  assert.equal(await renewed, false);
  assert.deepEqual([actors.length, at(0).told, at(1).told], [3, [], []]);
});

test("one that dies while its successor starts is replaced by that one alone", async () => {
  const { crew, at, actors, wait } = await staged(1);
  const renewed = crew.renew();
  await at(0).end({ code: 1 });
  await at(1).serve();
  await wait();
  assert.equal(await renewed, true);
  assert.equal(actors.length, 2);
});

test("one that does not leave in time is killed", async () => {
  const { crew, at, wait } = await staged(1);
  void crew.renew();
  await at(1).serve();
  await wait();
  assert.deepEqual(at(0).told, ["leave", "SIGKILL"]);
});

test("a stop tells all of them, ends those that are still starting, and is good when they end well", async () => {
  const { crew, at } = stage(2);
  void crew.start();
  await at(0).serve();
  const stopped = crew.stop();
  assert.deepEqual([at(0).told, at(1).told], [["stop"], ["SIGTERM"]]);
  await at(0).end();
  await at(1).end({ code: null, signal: "SIGTERM" });
  assert.equal(await stopped, true);
});

test("a stop is not good when one ends badly or must be killed, and nothing is started any more", async () => {
  const { crew, at, actors, wait } = await staged(2);
  const stopped = crew.stop();
  await at(0).end({ code: 1 });
  assert.deepEqual(await wait(), [9_800, 9_800]);
  assert.deepEqual(at(1).told, ["stop", "SIGKILL"]);
  await at(1).end({ code: null, signal: "SIGKILL" });
  assert.equal(await stopped, false);
  assert.equal(actors.length, 2);
});

test("the figures are those of all that serve, with how many they are and how many had to be replaced", async () => {
  const { crew, at, wait } = await staged(2);
  await at(0).end({ code: 1 });
  await wait();
  await at(2).serve();
  const { text } = await crew.figures();
  assert.match(text, /^x\{worker="1"\} 1\nx\{worker="0"\} 1$/m);
  assert.match(text, /^genway_workers 2$/m);
  assert.match(text, /^genway_workers_replaced_total 1$/m);
});
