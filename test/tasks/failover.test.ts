import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { createLab, type Lab } from "../../lab/lab.ts";
import { createTestClock } from "../support/test-clock.ts";
import { eventually } from "../support/eventually.ts";
import { done, failed, startHandUpstream, type HandUpstream } from "./hand-upstream.ts";
import { openHouse, type TaskHouse } from "./task-house.ts";

let first: HandUpstream;
let second: HandUpstream;
let lab: Lab;
let house: TaskHouse;

const provider = ({ url }: HandUpstream, more = "") =>
  `{ type: runway, base_url: "${url}", keys: [key-1], allow_private_network: true${more} }`;
const yaml = (leaving = false) => `
providers:
  first: ${provider(first)}
  second: ${provider(second)}
  third: ${provider(second)}
  hailuo: { type: minimax-v1, base_url: "${lab.baseUrl("minimax-v1")}", keys: [lab-key], allow_private_network: true }
  ray: { type: luma, base_url: "${lab.baseUrl("luma")}", keys: [lab-key], allow_private_network: true }
${leaving ? "" : `  leaving: ${provider(first)}`}
models:
  pair: { kinds: [video], price: { per_second: 0.1 }, routes: [{ provider: first, model: gen4.5 }, { provider: second, model: gen4.5, priority: 1 }] }
  fixed: { kinds: [video], price: { per_second: 0.1 }, routes: [{ provider: first, model: veo3 }, { provider: second, model: veo3.1, priority: 1 }, { provider: third, model: gen4.5, priority: 2 }] }
  shorter: { kinds: [video], price: { per_second: 0.1 }, routes: [{ provider: hailuo, model: MiniMax-Hailuo-2.3 }, { provider: ray, model: ray-2, priority: 1 }] }
  leaves: { kinds: [video], price: { per_second: 0.1 }, routes: [${leaving ? "" : "{ provider: leaving, model: gen4.5 }, "}{ provider: second, model: gen4.5, priority: 1 }] }
tasks: { deadline: { video: 10m } }
`;

before(async () => {
  first = await startHandUpstream();
  second = await startHandUpstream();
  const clock = createTestClock();
  lab = await createLab({ now: clock.now, script: { minSeconds: 1, maxSeconds: 1, queueSeconds: 0 } });
  house = await openHouse({ yaml: yaml(), pace: clock });
});
after(async () => {
  await house.end();
  await first.close();
  await second.close();
  await lab.close();
});
afterEach(() => house.checkBooks());

const pollMs = 6_000;
const clipAt = (upstream: HandUpstream) => done(`${upstream.url}/media/clip.mp4`);
const counts = (prompt: string) => [first.of(prompt).length, second.of(prompt).length];

for (const [code, goesOn] of [
  ["INTERNAL.BAD_OUTPUT", true],
  ["SOMETHING.NEW", true],
  ["SAFETY.INPUT.TEXT", false],
  ["ASSET.INVALID", false],
] as const) {
  test(`a job that failed with ${code} is ${goesOn ? "" : "not "}tried elsewhere`, async () => {
    first.on("poll", code, () => failed(code));
    second.on("poll", code, () => clipAt(second));
    const id = await house.video("pair", code);
    const task = await house.ended(id, pollMs);
    assert.deepEqual([task.status, task.cost_usd, ...counts(code)], goesOn ? ["SUCCESS", 0.5, 1, 1] : ["FAILURE", 0, 1, 0]);
  });
}

test("a route that cannot make the length that was asked for is passed over", async () => {
  first.on("poll", "eight", () => failed("INTERNAL"));
  second.on("poll", "eight", () => clipAt(second));
  const id = await house.video("fixed", "eight", { duration: 8 });
  assert.equal((await house.ended(id, pollMs)).status, "SUCCESS");
  const { attempts } = await house.tables();
  assert.deepEqual(
    attempts.filter(({ task }) => task === id).map(({ provider: name }) => name),
    ["first", "second"],
  );
});

test("a video that another provider makes shorter, because no length was asked for, is not paid for as the longer one", async () => {
  // Hailuo makes 6 seconds or 10, Ray 5 or 9.
  lab.change({ failRate: 1 });
  const id = await house.video("shorter", "default length", {});
  await house.sent(id);
  lab.change({ failRate: 0 });
  const task = await house.ended(id, pollMs);
  assert.equal(task.status, "SUCCESS", JSON.stringify(task));
  assert.deepEqual(
    lab.jobs().map(({ type }) => type),
    ["minimax-v1", "luma"],
  );
  assert.equal(task.cost_usd, 0.5, "five seconds, not six");
});

test("a job whose provider leaves the configuration ends at its deadline, free of charge", async () => {
  const id = await house.video("leaves", "left behind");
  await house.sent(id);
  writeFileSync(join(house.gateway.dataDir, "test.yaml"), yaml(true));
  await eventually(() => house.gateway.logged.some((line) => line.startsWith("the configuration was read anew")), { withinMs: 10_000 });
  const task = await house.ended(id, 20_000);
  assert.deepEqual([task.status, task.error?.code, task.cost_usd, ...counts("left behind")], ["FAILURE", "expired", 0, 1, 0]);
});

test("a task whose deadline passes while it waits for another provider ends as expired", async () => {
  first.on("poll", "too late", () => failed("INTERNAL"));
  second.on("start", "too late", () => ({ status: 429, body: { error: "busy" }, headers: { "retry-after": "60" } }));
  const id = await house.video("pair", "too late");
  const task = await house.ended(id, 20_000);
  assert.deepEqual([task.status, task.cost_usd], ["FAILURE", 0]);
});

test("a task is tried eight times in all, whoever says no", async () => {
  for (const upstream of [first, second])
    upstream.on("start", "nobody wants it", () => ({ status: 429, body: { error: "busy" }, headers: { "retry-after": "1" } }));
  const id = await house.video("pair", "nobody wants it");
  const task = await house.ended(id, 3_000);
  assert.deepEqual([task.status, task.cost_usd], ["FAILURE", 0]);
  assert.ok(first.of("nobody wants it").length + second.of("nobody wants it").length <= 8, String(counts("nobody wants it")));
});

test("a provider that failed the job is not given it again because the next one is busy", async () => {
  first.on("poll", "no way back", () => failed("INTERNAL"));
  let tries = 0;
  second.on("start", "no way back", ({ id }) => (++tries < 3 ? { status: 429, body: { error: "busy" } } : { body: { id } }));
  second.on("poll", "no way back", () => clipAt(second));
  const id = await house.video("pair", "no way back");
  const task = await house.ended(id, pollMs);
  assert.deepEqual([task.status, first.of("no way back").length], ["SUCCESS", 1]);
});

test("what a switched-off provider has is followed, and what fails is not given to it", async () => {
  first.on("poll", "switched", () => failed("INTERNAL"));
  const id = await house.video("pair", "switched");
  await house.sent(id);
  await house.gateway.admin("PATCH", "/admin/v1/providers/second", { off: true });
  const task = await house.ended(id, pollMs);
  await house.gateway.admin("PATCH", "/admin/v1/providers/second", { off: false });
  assert.deepEqual([task.status, task.cost_usd, ...counts("switched")], ["FAILURE", 0, 1, 0]);
});

test("progress goes forward, whatever the upstream says of it", async () => {
  const told: unknown[] = [0.9, 0.1, 7, -3, "NaN", null, "seven", { of: 1 }, 1e308];
  let at = 0;
  first.on("poll", "odd progress", () =>
    at < told.length ? { body: { status: ["RUNNING", "PENDING", "SIMMERING"][at % 3], progress: told[at++] } } : clipAt(first),
  );
  const id = await house.video("pair", "odd progress");
  await house.sent(id);
  const seen: number[] = [];
  while (at < told.length) {
    const polls = first.of("odd progress")[0]?.polls ?? 0;
    house.clock.advance(20_000);
    await eventually(() => (first.of("odd progress")[0]?.polls ?? 0) > polls);
    seen.push((await house.seen(id)).progress);
  }
  assert.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b),
  );
  assert.ok(
    seen.every((value) => Number.isInteger(value) && value <= 99),
    String(seen),
  );
  assert.equal((await house.ended(id, 20_000)).status, "SUCCESS");
});

test("a job that is done without a result for ever ends at its deadline as expired, free of charge", async () => {
  first.on("poll", "empty", () => ({ body: { status: "SUCCEEDED", output: [] } }));
  const id = await house.video("pair", "empty");
  await house.sent(id);
  const task = await house.ended(id, 20_000);
  assert.deepEqual([task.status, task.error?.code, task.cost_usd, ...counts("empty")], ["FAILURE", "expired", 0, 1, 0]);
});
