import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { done, failed, startHandUpstream, type HandUpstream } from "./hand-upstream.ts";
import { openHouse, type TaskHouse } from "./task-house.ts";

let first: HandUpstream;
let second: HandUpstream;
let house: TaskHouse;

before(async () => {
  first = await startHandUpstream();
  second = await startHandUpstream();
  const provider = ({ url }: HandUpstream, more = "") =>
    `{ type: runway, base_url: "${url}", keys: [key-1], allow_private_network: true${more} }`;
  house = await openHouse({
    yaml: `
providers:
  first: ${provider(first)}
  second: ${provider(second)}
  narrow: ${provider(second, ", limits: { concurrent: 1 }")}
models:
  pair: { kinds: [video], price: { per_second: 0.1 }, routes: [{ provider: first, model: gen4.5 }, { provider: second, model: gen4.5, priority: 1 }] }
  strait: { kinds: [video], price: { per_second: 0.1 }, routes: [{ provider: first, model: gen4.5 }, { provider: narrow, model: gen4.5, priority: 1 }] }
  narrow: { kinds: [video], price: { per_second: 0.1 }, routes: [{ provider: narrow, model: gen4.5 }] }
`,
  });
});
after(async () => {
  await house.end();
  await first.close();
  await second.close();
});
afterEach(() => house.checkBooks());

const pollMs = 6_000;
const askedAgain = async (upstream: HandUpstream, prompt: string) => {
  const polls = upstream.of(prompt)[0]?.polls ?? 0;
  house.clock.advance(pollMs);
  await eventually(() => (upstream.of(prompt)[0]?.polls ?? 0) > polls, { what: "a poll" });
};

test("a task that waits is cancelled free of charge and never sent", async () => {
  const blocker = await house.video("narrow", "occupies");
  await house.sent(blocker);
  const id = await house.video("narrow", "waits");
  const replies = await Promise.all([house.cancel(id), house.cancel(id)]);
  assert.deepEqual(
    replies.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409],
  );
  assert.equal(replies.find(({ status }) => status === 200)?.charged, false);
  await house.cancel(blocker);
  const next = await house.video("narrow", "after it");
  await house.sent(next);
  await house.cancel(next);
  assert.equal(second.of("waits").length, 0);
});

test("a cancel while the job is being sent waits for the answer and stops that job", async () => {
  const held = first.hold("start", "sending");
  const id = await house.video("pair", "sending");
  await held.came;
  const cancelled = house.cancel(id);
  held.go();
  assert.deepEqual(await cancelled, { status: 200, charged: false, code: "cancelled" });
  assert.deepEqual([first.of("sending").length, first.of("sending")[0]?.cancels, second.of("sending").length], [1, 1, 0]);
});

test("a cancel does not wait for ever for an upstream that is silent: what may run there is charged, and its answer changes nothing", async () => {
  const held = first.hold("start", "silent");
  const id = await house.video("pair", "silent");
  await held.came;
  assert.deepEqual(await house.cancel(id), { status: 200, charged: true, code: "cancelled" });
  held.go();
  const { status, cost_usd: cost } = await house.seen(id);
  assert.equal(status, "FAILURE");
  assert.ok(cost > 0);
  assert.equal(second.of("silent").length, 0);
});

test("a job whose upstream does not confirm is charged once, however often it is cancelled", async () => {
  first.on("cancel", "stubborn", () => ({ status: 500, body: {} }));
  const id = await house.video("pair", "stubborn");
  await house.sent(id);
  const replies = await Promise.all(Array.from({ length: 5 }, () => house.cancel(id)));
  assert.ok(replies.some(({ status }) => status === 200));
  assert.ok(
    replies.every(({ status, charged }) => (status === 200 && charged === true) || status === 409),
    JSON.stringify(replies),
  );
  const { status, cost_usd: cost } = await house.seen(id);
  assert.deepEqual([status, cost], ["FAILURE", 0.5]);
});

test("a job that ends while it is being cancelled is a success, and the cancel says that it came too late", async () => {
  const id = await house.video("pair", "photo finish");
  await house.sent(id);
  const held = first.hold("cancel", "photo finish");
  const cancelled = house.cancel(id);
  await held.came;
  first.on("poll", "photo finish", () => done(`${first.url}/media/clip.mp4`));
  house.clock.advance(pollMs);
  await house.reach(id, ["SUCCESS"]);
  held.go();
  assert.equal((await cancelled).status, 409);
  assert.deepEqual([(await house.seen(id)).status, (await house.seen(id)).cost_usd], ["SUCCESS", 0.5]);
});

test("a job that has failed upstream and is cancelled before that was noticed costs nothing", async () => {
  first.on("poll", "failed already", () => failed("INTERNAL.BAD_OUTPUT"));
  const id = await house.video("pair", "failed already");
  await house.sent(id);
  assert.deepEqual(await house.cancel(id), { status: 200, charged: false, code: "cancelled" });
  assert.equal(second.of("failed already").length, 0);
});

test("a job that fails over while it is being cancelled leaves nothing running anywhere", async () => {
  const id = await house.video("pair", "in between");
  await house.sent(id);
  const held = first.hold("cancel", "in between");
  const cancelled = house.cancel(id);
  await held.came;
  first.on("poll", "in between", () => failed("INTERNAL.BAD_OUTPUT"));
  await askedAgain(first, "in between");
  await eventually(() => second.of("in between").length > 0, { withinMs: 3_000 }).catch(() => null);
  held.go();
  assert.deepEqual(await cancelled, { status: 200, charged: false, code: "cancelled" });
  assert.deepEqual(
    second.of("in between").map(({ cancels }) => cancels),
    second.of("in between").map(() => 1),
    "what was begun meanwhile is stopped too",
  );
});

test("a poll that sees the cancelled job before the cancel is answered does not make the cancel fail", async () => {
  const id = await house.video("pair", "seen first");
  await house.sent(id);
  const held = first.hold("cancel", "seen first");
  const cancelled = house.cancel(id);
  await held.came;
  first.on("poll", "seen first", () => ({ body: { status: "CANCELLED" } }));
  await askedAgain(first, "seen first");
  await new Promise((resolve) => setTimeout(resolve, 100));
  held.go();
  assert.deepEqual(await cancelled, { status: 200, charged: false, code: "cancelled" });
});

test("a task that waits for another provider after its first failed is cancelled free of charge", async () => {
  const blocker = await house.video("narrow", "blocker");
  await house.sent(blocker);
  first.on("poll", "left over", () => failed("INTERNAL.BAD_OUTPUT"));
  const id = await house.video("strait", "left over");
  await house.sent(id);
  await askedAgain(first, "left over");
  await eventually(async () => (await house.tables()).attempts.some(({ task, state }) => task === id && state === "ENDED"));
  assert.deepEqual(await house.cancel(id), { status: 200, charged: false, code: "cancelled" });
  await house.cancel(blocker);
  house.clock.advance(pollMs);
  assert.deepEqual([second.of("left over").length, first.of("left over")[0]?.cancels], [0, 0]);
});

test("a cancel while the result is being stored comes too late, and one that is repeated too", async () => {
  const fetched = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  first.media.set("slow.mp4", (_request, response) => {
    fetched.resolve();
    void go.promise.then(() => first.media.get("clip.mp4")?.(_request, response));
  });
  first.on("poll", "storing", () => done(`${first.url}/media/slow.mp4`));
  const id = await house.video("pair", "storing");
  await house.sent(id);
  house.clock.advance(pollMs);
  await fetched.promise;
  const cancels = [house.cancel(id), house.cancel(id)];
  go.resolve();
  const statuses = (await Promise.all(cancels)).map(({ status }) => status);
  assert.deepEqual(statuses, [409, 409]);
  assert.equal((await house.seen(id)).status, "SUCCESS");
});
