import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { done, running, startHandUpstream, type HandUpstream } from "./hand-upstream.ts";
import { openHouse, type TaskHouse } from "./task-house.ts";

let first: HandUpstream;
let second: HandUpstream;
let house: TaskHouse;

const provider = ({ url }: HandUpstream, keys = "key-1") =>
  `{ type: runway, base_url: "${url}", keys: [${keys}], allow_private_network: true, limits: { concurrent: 1 } }`;
const route = (name: string, priority = 0) => `{ provider: ${name}, model: gen4.5, priority: ${priority} }`;

function file({ keys = "empty, good", gone = false } = {}): string {
  return `
providers:
  first: ${provider(first)}
  second: ${provider(second)}
  keyed: ${provider(first, keys)}
  ${gone ? "" : `passing: ${provider(first)}`}
models:
  pair: { kinds: [video], price: { per_second: 0.1 }, routes: [${route("first")}, ${route("second", 1)}] }
  alone: { kinds: [video], price: { per_second: 0.1 }, routes: [${route("first")}] }
  keyed: { kinds: [video], price: { per_second: 0.1 }, routes: [${route("keyed")}] }
  moving: { kinds: [video], price: { per_second: 0.1 }, routes: [${gone ? "" : `${route("passing")}, `}${route("second", 1)}] }
tasks: { deadline: { video: 10m } }
`;
}

before(async () => {
  first = await startHandUpstream();
  second = await startHandUpstream();
  house = await openHouse({ yaml: file() });
});
after(async () => {
  await house.end();
  await first.close();
  await second.close();
});
afterEach(() => house.checkBooks());

const pollMs = 6_000;

/** Asks for two videos: the first takes the only slot until it is let go, the second waits. */
async function twoInLine(model: string, name: string): Promise<{ ids: [string, string]; go: () => void; waits: string }> {
  const [runs, waits] = [`${name} that runs`, `${name} that waits`];
  let isOver = false;
  first.on("poll", runs, () => (isOver ? done(`${first.url}/media/clip.mp4`) : running(0.1)));
  for (const each of [first, second]) each.on("poll", waits, () => done(`${each.url}/media/clip.mp4`));
  const one = await house.video(model, runs);
  await house.sent(one);
  return { ids: [one, await house.video(model, waits)], go: () => (isOver = true), waits };
}

async function change(yaml: string): Promise<void> {
  const earlier = house.gateway.logged.length;
  writeFileSync(join(house.gateway.dataDir, "test.yaml"), yaml);
  await eventually(() => house.gateway.logged.slice(earlier).some((line) => /configuration/.test(line)), { what: "the new file" });
}

async function stranded(): Promise<string[]> {
  const { body } = await house.gateway.admin("GET", "/admin/v1/attention");
  const rows = body["data"] as { kind: string; says: string; provider: string | null }[];
  return rows.filter(({ kind }) => kind === "stranded").map(({ says }) => says);
}

test("what waits for a provider that is switched off goes to the next after a minute, what runs there goes on", async () => {
  const { ids, go, waits } = await twoInLine("pair", "one");
  await house.gateway.admin("PATCH", "/admin/v1/providers/first", { off: true });
  assert.equal((await house.ended(ids[1], pollMs)).status, "SUCCESS");
  assert.deepEqual([first.of(waits).length, second.of(waits).length], [0, 1]);
  await house.gateway.admin("PATCH", "/admin/v1/providers/first", { off: false });
  go();
  assert.equal((await house.ended(ids[0], pollMs)).status, "SUCCESS");
});

test("with no other provider it waits until the one is on again", async () => {
  const { ids, go, waits } = await twoInLine("alone", "another");
  await house.gateway.admin("PATCH", "/admin/v1/providers/first", { off: true });
  go();
  assert.equal((await house.ended(ids[0], pollMs)).status, "SUCCESS");
  for (let minutes = 0; minutes < 3; minutes++) house.clock.advance(60_000);
  assert.equal((await house.seen(ids[1])).status, "SUBMITTED");
  assert.deepEqual(await stranded(), ["A task waits for 'first', which is switched off; no other provider can do it."]);
  await house.gateway.admin("PATCH", "/admin/v1/providers/first", { off: false });
  assert.equal((await house.ended(ids[1], pollMs)).status, "SUCCESS");
  assert.equal(first.of(waits).length, 1);
  assert.deepEqual(await stranded(), []);
});

test("what waits for a provider that is taken out of the file goes to the next", async () => {
  const { ids, waits } = await twoInLine("moving", "a third");
  await change(file({ gone: true }));
  assert.equal((await house.ended(ids[1], pollMs)).status, "SUCCESS");
  assert.deepEqual([first.of(waits).length, second.of(waits).length], [0, 1]);
  assert.equal((await house.ended(ids[0], pollMs)).error?.code, "expired", "nobody can ask about the one that ran there");
  await change(file());
});

test("what waits for a key that is taken out of the file goes to another", async () => {
  for (const name of ["a fourth that runs", "a fourth that waits"])
    first.on("start", name, ({ id, key }) => (key === "empty" ? { status: 401, body: { error: "no money" } } : { body: { id } }));
  const { ids, waits } = await twoInLine("keyed", "a fourth");
  await eventually(() => first.of(waits).some(({ key }) => key === "empty"));
  assert.deepEqual(
    first.of(waits).map(({ key }) => key),
    ["empty"],
  );
  await change(file({ keys: "empty, other" }));
  assert.equal((await house.ended(ids[1], pollMs)).status, "SUCCESS");
  assert.deepEqual(
    first.of(waits).map(({ key }) => key),
    ["empty", "other"],
  );
  assert.equal((await house.ended(ids[0], pollMs)).error?.code, "expired");
});
