import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { done, startHandUpstream, type HandReply, type HandUpstream } from "./hand-upstream.ts";
import { openHouse, type TaskHouse } from "./task-house.ts";

let first: HandUpstream;
let second: HandUpstream;
let house: TaskHouse;

const provider = ({ url }: HandUpstream, keys: string) =>
  `{ type: runway, base_url: "${url}", keys: [${keys}], allow_private_network: true, limits: { concurrent: 1 } }`;
const route = (name: string, priority = 0) => `{ provider: ${name}, model: gen4.5, priority: ${priority} }`;

before(async () => {
  first = await startHandUpstream();
  second = await startHandUpstream();
  house = await openHouse({
    yaml: `
providers:
  first: ${provider(first, "key-1")}
  second: ${provider(second, "key-1")}
  keyed: ${provider(first, "empty, good")}
models:
  pair: { kinds: [video], price: { per_second: 0.1 }, routes: [${route("first")}, ${route("second", 1)}] }
  alone: { kinds: [video], price: { per_second: 0.1 }, routes: [${route("keyed")}] }
tasks: { deadline: { video: 10m } }
`,
  });
});
after(async () => {
  await house.end();
  await first.close();
  await second.close();
});
afterEach(() => house.checkBooks());

// A definite no: after a 503 nobody would know whether the job was begun.
const out: HandReply = { status: 401, body: { error: "the account is closed" } };
const pollMs = 6_000;

function make(upstream: HandUpstream, prompt: string): void {
  upstream.on("poll", prompt, () => done(`${upstream.url}/media/clip.mp4`));
}

async function attemptsOf(id: string) {
  const { attempts } = await house.tables();
  return attempts.filter(({ task }) => task === id);
}

async function resting(): Promise<string[]> {
  const { body } = await house.gateway.admin("GET", "/admin/v1/attention");
  const rows = body["data"] as { kind: string; provider: string | null }[];
  return rows.filter(({ kind }) => kind === "breaker").map(({ provider: name }) => String(name));
}

/** Asks for as many videos as it takes until the first provider rests; they are left to be ended. */
async function wearOut(name: string, most: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 1; n <= most; n++) {
    const prompt = `${name} ${n}`;
    first.on("start", prompt, () => out);
    make(second, prompt);
    assert.deepEqual(await resting(), []);
    const id = await house.video("pair", prompt);
    await eventually(async () => ((await attemptsOf(id))[0]?.cause ?? null) !== null, { what: "a no" });
    assert.equal(first.of(prompt).length, 1);
    ids.push(id);
  }
  assert.deepEqual(await resting(), ["first"]);
  return ids;
}

async function endAll(ids: readonly string[]): Promise<void> {
  for (const id of ids) assert.equal((await house.ended(id, pollMs)).status, "SUCCESS");
}

test("a provider that refuses five jobs rests, and is tried again with one task", async () => {
  const worn = await wearOut("worn", 5);
  make(second, "spared");
  const id = await house.video("pair", "spared");
  await eventually(() => second.of("spared").length === 1);
  assert.equal(first.of("spared").length, 0);
  await endAll([...worn, id]);
  assert.equal((await attemptsOf(id)).length, 1, "it went there at once");

  house.clock.advance(120_000);
  make(first, "well again");
  await endAll([await house.video("pair", "well again")]);
  assert.equal(first.of("well again").length, 1);
  assert.deepEqual(await resting(), []);
});

test("tasks that wait for a provider when it closes go elsewhere, and nothing is sent to it for them", async () => {
  const held = first.hold("start", "the first");
  const prompts = ["the first", ...Array.from({ length: 8 }, (_, n) => `behind it ${n}`)];
  for (const prompt of prompts) {
    first.on("start", prompt, () => out);
    make(second, prompt);
  }
  // One at a time is taken, the others wait.
  const ids: string[] = [];
  for (const prompt of prompts) ids.push(await house.video("pair", prompt));
  await held.came;
  held.go();
  const asked = async () => (await Promise.all(ids.map(attemptsOf))).map(([attempt]) => attempt?.cause ?? null);
  const causes = await eventually(async () => (await asked()).every((cause) => cause !== null) && asked(), { what: "an answer to all" });
  assert.deepEqual(
    causes.map((cause) => cause?.includes("nothing was sent")),
    prompts.map((_, at) => at >= 5),
  );
  assert.deepEqual(
    prompts.map((prompt) => first.of(prompt).length),
    prompts.map((_, at) => (at < 5 ? 1 : 0)),
  );
  await endAll(ids);
});

test("with nowhere else to go a task is sent to a place that rests, and its success ends the rest", async () => {
  house.clock.advance(120_000);
  const worn = await wearOut("a probe", 1);
  await house.gateway.admin("PATCH", "/admin/v1/providers/second", { off: true });
  make(first, "only here");
  const id = await house.video("pair", "only here");
  await house.sent(id);
  assert.deepEqual(await resting(), []);
  await house.gateway.admin("PATCH", "/admin/v1/providers/second", { off: false });
  await endAll([...worn, id]);
});

for (const [why, reply] of [
  ["refused", { status: 401, body: { error: "no such key" } }],
  ["full", { status: 429, body: { error: "slow down" }, headers: { "retry-after": "600" } }],
] as const) {
  test(`a task whose key is ${why} is made with another key of the same provider`, async () => {
    for (let n = 0; n < 4; n++) {
      const prompt = `key ${why} ${n}`;
      first.on("start", prompt, ({ id, key }) => (key === "empty" ? reply : { body: { id } }));
      make(first, prompt);
      await endAll([await house.video("alone", prompt)]);
      assert.equal(first.of(prompt).at(-1)?.key, "good");
      assert.ok(first.of(prompt).length <= 2, `${first.of(prompt).length} jobs`);
    }
  });
}
