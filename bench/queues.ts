/** Why PostgreSQL itself is the engine, measured: our store beside pg-boss and BullMQ, in one run: `node run.mjs bench/queues.ts [--quick] [--markdown]`. */
import { parseArgs } from "node:util";
import { machine } from "./gateways/page.ts";
import { createSamples } from "./gateways/samples.ts";
import { markdownTable, plainTable } from "./gateways/table.ts";
import { measureGaps } from "./queues/gap.ts";
import { measureHolds } from "./queues/holds.ts";
import { measureLives, measureLoneLives } from "./queues/lives.ts";
import { rowsOf, slotRowsOf, slotTitles } from "./queues/report.ts";
import { closeSeats, openSeats, type Seat } from "./queues/seats.ts";
import { findRedis } from "./queues/servers.ts";
import { tellSlots } from "./queues/slots.ts";
import { measureDelays } from "./queues/start-delay.ts";
import { versions } from "./queues/versions.ts";
import { measureWaiting } from "./queues/waiting.ts";

const flag = { type: "boolean", default: false } as const;
const { values } = parseArgs({ options: { quick: flag, markdown: flag } });

const plans = {
  usual: {
    lives: { tasks: 500, polls: 8, rounds: 3, clients: 64 },
    lone: { tasks: 30, polls: 8, rounds: 3 },
    waiting: { waiting: 20_000, polls: 500, rounds: 5 },
    delays: { seconds: 3, perSecond: 40 },
    gaps: { kills: 4, due: 2_000 },
    holds: { jobs: 1_000, askEveryMs: 15_000, seconds: 16 },
    slots: { tasks: 60, slots: 20, jobMs: 4_000, withinMs: 40_000 },
  },
  quick: {
    lives: { tasks: 150, polls: 8, rounds: 1, clients: 64 },
    lone: { tasks: 20, polls: 8, rounds: 1 },
    waiting: { waiting: 2_000, polls: 200, rounds: 1 },
    delays: { seconds: 1, perSecond: 40 },
    gaps: { kills: 1, due: 500 },
    holds: null,
    slots: null,
  },
};
const longestMs = 900_000;

const tooLong = setTimeout(() => {
  console.error(`not done after ${longestMs / 1_000} s: this machine is too busy for figures that mean anything`);
  process.exit(1);
}, longestMs);
const seats = await openSeats();
try {
  if (seats.length === 0) console.log("nothing to compare: there is no PostgreSQL on this machine");
  else await compare(seats);
} finally {
  await closeSeats(seats);
  clearTimeout(tooLong);
}

async function compare(compared: readonly Seat[]): Promise<void> {
  const plan = values.quick ? plans.quick : plans.usual;
  const samples = createSamples();
  const began = performance.now();
  const tell = (what: string) => console.error(`${((performance.now() - began) / 1_000).toFixed(0).padStart(4)} s  ${what}`);
  if (findRedis() === null) tell("BullMQ is skipped: there is no redis-server on the PATH");
  tell("whole lives of tasks");
  await measureLives(compared, samples, plan.lives);
  await measureLoneLives(compared, samples, plan.lone);
  tell(`${plan.waiting.waiting} waiting jobs`);
  await measureWaiting(compared, samples, plan.waiting);
  tell("from request to start");
  await measureDelays(compared, samples, plan.delays);
  tell("processes killed while they submit and while they end tasks");
  await measureGaps(compared, samples, plan.gaps);
  if (plan.holds !== null) {
    tell("jobs held for minutes");
    await measureHolds(compared, samples, plan.holds);
  }
  const stories = plan.slots === null ? [] : await tellSlots(compared, plan.slots);
  tell("done");
  const table = values.markdown ? markdownTable : plainTable;
  const titles = compared.map(({ title }) => title);
  const { polls } = plan.lives;
  console.log(`\n${table(titles, rowsOf(samples, titles, { polls, waiting: plan.waiting.waiting }))}\n`);
  if (stories.length > 0) console.log(`${table(slotTitles, slotRowsOf(stories))}\n`);
  const [first] = compared;
  if (first !== undefined) console.log(`${versions(first.cluster)}; ${machine()}`);
}
