import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openPostgresStore } from "../../src/store/postgres.ts";
import { booksAgree } from "../../test/store/fixture.ts";
import { createSamples } from "../gateways/samples.ts";
import { measureGaps } from "./gap.ts";
import { gather } from "./gather.ts";
import { measureLives, measureLoneLives } from "./lives.ts";
import { rowsOf, slotRowsOf } from "./report.ts";
import { closeSeats, openSeats, type Seat } from "./seats.ts";
import { tellSlots } from "./slots.ts";
import { measureDelays } from "./start-delay.ts";
import { measureWaiting } from "./waiting.ts";

// Without Redis the last one is missing.
const titles = ["Genway", "pg-boss, sent again", "pg-boss, retried", "BullMQ, everysec"];
const noPostgres = "no PostgreSQL on this machine";
const patient = { timeout: 120_000 };
let seats: Seat[] = [];
before(async () => {
  seats = await openSeats(titles);
});
after(() => closeSeats(seats));

test("what is asked while a commit is under way shares the next one, and hears of its failure", async () => {
  const groups: string[][] = [];
  const write = gather<string>(async (items) => {
    groups.push(items);
    if (items.includes("bad")) throw new Error("refused");
  });
  const first = [write("a"), write("b")];
  await new Promise((resolve) => setImmediate(resolve));
  const second = [write("c"), write("bad")];
  assert.deepEqual(
    (await Promise.allSettled([...first, ...second])).map(({ status }) => status),
    ["fulfilled", "fulfilled", "rejected", "rejected"],
  );
  await write("d");
  assert.deepEqual(groups, [["a", "b"], ["c", "bad"], ["d"]]);
});

test("every engine ends every task, and the books agree then", patient, async (context) => {
  if (seats.length === 0) return context.skip(noPostgres);
  const samples = createSamples();
  await measureLives(seats, samples, { tasks: 10, polls: 3, rounds: 1, clients: 4 });
  await measureLoneLives(seats, samples, { tasks: 2, polls: 3, rounds: 1 });
  for (const { title, place } of seats) {
    assert.ok(samples.median(title, "tasks a second") > 0, title);
    const store = await openPostgresStore(place.databaseUrl);
    assert.equal((await store.listTasks({ account: null, status: "SUCCESS", limit: 100 })).length, 12, title);
    assert.equal((await store.listTasks({ account: null, status: "QUEUED", limit: 100 })).length, 0, title);
    assert.ok(await booksAgree(store), `the books of ${title}`);
    await store.close();
  }
});

test("polls are counted while jobs wait, and starts are timed", patient, async (context) => {
  if (seats.length === 0) return context.skip(noPostgres);
  const samples = createSamples();
  await measureWaiting(seats, samples, { waiting: 800, polls: 50, rounds: 1 });
  await measureDelays(seats, samples, { seconds: 0.5, perSecond: 20 });
  for (const { title, kind } of seats) {
    assert.ok(samples.median(title, "polls a second") > 0, title);
    if (kind !== "pg-boss-resend") assert.ok(samples.median(title, "elsewhere p50") > 0, title);
  }
  const rows = rowsOf(samples, titles, { polls: 3, waiting: 800 });
  assert.ok(rows.some(({ label, cells }) => label.startsWith("database, times") && cells?.[0] === "1.00") || process.platform !== "linux");
});

test(
  "a process killed while it submits or ends tasks leaves rows and jobs in agreement where both are in one transaction",
  patient,
  async (context) => {
    if (seats.length === 0) return context.skip(noPostgres);
    const samples = createSamples();
    await measureGaps(seats, samples, { kills: 1, due: 300 });
    for (const title of ["Genway", "pg-boss, retried"]) {
      assert.ok(samples.median(title, "gap tasks") > 0, title);
      for (const metric of ["gap lost", "gap ghosts", "gap again"]) assert.equal(samples.median(title, metric), 0, `${title}: ${metric}`);
    }
  },
);

test("a limit that is a row outlives the process that filled it", patient, async (context) => {
  if (seats.length === 0) return context.skip(noPostgres);
  const genway = seats.filter(({ kind }) => kind === "genway");
  const stories = await tellSlots(genway, { tasks: 6, slots: 3, jobMs: 1_000, withinMs: 20_000 });
  assert.equal(stories[0]?.mostOpen, 3);
  assert.ok((stories[0]?.endedSeconds ?? Infinity) < 20);
  assert.deepEqual(
    slotRowsOf([{ keeping: "rows", mostOpen: 3, unheardSeconds: Number.NaN, endedSeconds: Infinity }]).map(({ cells }) => cells),
    [["3", "–", "not in time"]],
  );
});
