import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../../lab/script.ts";
import type { CrashReport } from "../../test/crash/crash-run.ts";
import { createCallers } from "./callers.ts";
import { makeCallOrders } from "./call-orders.ts";
import { createClient } from "./client.ts";
import type { ClusterOptions, Evidence } from "./evidence.ts";
import { figuresOf } from "./figures.ts";
import { databaseKills, nodeKills, type Incident } from "./incident.ts";
import { planKills } from "./kill-plan.ts";
import { createLeaseWatch } from "./lease-watch.ts";
import { startLoad, type Load } from "./load.ts";
import { countOpen, readRows } from "./rows.ts";
import { customerCount, setStage, type Stage } from "./stage.ts";
import { runStorm } from "./storm.ts";
import { createTaskCustomers } from "./task-customers.ts";
import { judge } from "./verdicts.ts";

const mostOpenTasks = 200;
const mostOpenCalls = 60;
const tellEveryMs = 5_000;
const longestSettleMs = 8 * 60_000;

/** Kills nodes and the database again and again while customers use them, lets them finish in peace, and holds what is left against what was promised. */
export async function runCluster(options: ClusterOptions): Promise<CrashReport> {
  const { seed, minutes, createsPerSecond, tell } = options;
  const random = createRandom(seed);
  const tasks = Math.ceil(minutes * 60 * createsPerSecond * 1.1);
  const stage = await setStage({ seed, tasks, random, tell });
  let isGood = false;
  try {
    const evidence = await play(stage, options, random);
    const verdicts = judge(evidence);
    isGood = verdicts.every(({ broken }) => broken.length === 0);
    return { seed, verdicts, figures: figuresOf(evidence), folder: isGood ? null : stage.folder };
  } finally {
    await stage.end(!isGood);
  }
}

async function play(stage: Stage, options: ClusterOptions, random: () => number): Promise<Evidence> {
  const { url, fleet, database, observer, receiver, orders } = stage;
  const { seed, minutes, createsPerSecond, callsPerSecond, tell } = options;
  const closing = new AbortController();
  const ending = new AbortController();
  const client = createClient(url);
  const keyOf = (customer: number, n: number) => stage.customers[customer]?.keys[n % 3] ?? "";
  const isPoor = (customer: number) => stage.customers[customer]?.isPoor ?? false;
  const shared = { client, keyOf, isPoor, random: createRandom(seed + 2) };
  const customers = createTaskCustomers({ ...shared, receiver, signal: ending.signal });
  const callers = createCallers({ ...shared, seed });
  const durationMs = minutes * 60_000;
  const calls = makeCallOrders({ count: Math.ceil(minutes * 66 * callsPerSecond), customers: customerCount, keys: 3, random });
  const plan = planKills({ kills: options.kills, databaseKills: options.databaseKills, nodes: fleet.nodes.length, durationMs, random });

  const startedAt = Date.now();
  const taskLoad = startLoad({ orders, perSecond: createsPerSecond, most: mostOpenTasks, serve: customers.serve, signal: closing.signal });
  const callLoad = startLoad({
    orders: calls,
    perSecond: callsPerSecond,
    most: mostOpenCalls,
    serve: callers.serve,
    signal: closing.signal,
  });
  const watch = createLeaseWatch(observer);
  const incidents: Incident[] = [];
  const note = (incident: Incident) => {
    incidents.push(incident);
    // A gateway has no task in hand.
    if (incident.what === "node" && incident.role !== "gateway") watch.note(incident.node, incident.at);
  };
  const progress = setInterval(() => tell(describe({ startedAt, incidents, stage, client, callers, customers, taskLoad })), tellEveryMs);
  try {
    await Promise.all([runStorm({ plan, fleet, database, note, signal: ending.signal }), sleep(durationMs)]);
    closing.abort();
    const seconds = (Date.now() - startedAt) / 1_000;
    tell("no more kills and no more work: waiting until everything has ended");
    const closedAt = Date.now();
    const leases = watch.end(40_000);
    await fleet.settle();
    await becomesQuiet(stage, [taskLoad, callLoad], tell);
    const settledSeconds = (Date.now() - closedAt) / 1_000;
    ending.abort();
    await Promise.all([taskLoad.over, callLoad.over]);
    const known = { options, stage, client, callers, customers, taskLoad, callLoad, incidents, seconds, settledSeconds };
    const leased = await leases;
    const badStops = await fleet.stop();
    return { ...known, leases: leased, badStops, rows: await readRows(database.url, observer, seed) };
  } finally {
    clearInterval(progress);
    closing.abort();
    ending.abort();
  }
}

/** Returns when no task is open, no step is due and every customer knows; or when the time is up. */
async function becomesQuiet({ observer }: Stage, loads: readonly Load[], tell: (line: string) => void): Promise<void> {
  let toldAt = Date.now();
  for (const until = Date.now() + longestSettleMs; Date.now() < until; await sleep(250)) {
    const open = await countOpen(observer);
    const customers = loads.reduce((sum, load) => sum + load.open(), 0);
    if (open !== null && open.tasks + open.steps + customers === 0) return;
    if (Date.now() - toldAt > tellEveryMs) {
      toldAt = Date.now();
      tell(`open: ${open === null ? "the database does not answer" : `${open.tasks} tasks, ${open.steps} steps`}, ${customers} customers`);
    }
  }
  tell("it did not become quiet");
}

type Seen = Pick<Evidence, "stage" | "client" | "callers" | "customers" | "taskLoad" | "incidents"> & { startedAt: number };

function describe({ startedAt, incidents, stage, client, callers, customers, taskLoad }: Seen): string {
  const up = stage.fleet.nodes.filter((node) => node.isUp()).length;
  const whole = callers.outcomes.filter(({ is }) => is === "whole").length;
  return [
    `${String(Math.round((Date.now() - startedAt) / 1_000)).padStart(4)} s`,
    `kills ${nodeKills(incidents).length} + ${databaseKills(incidents).length}`,
    `${up} nodes up`,
    `tasks ${customers.acks.length} accepted, ${customers.told.length} ends told, ${taskLoad.open()} open`,
    `calls ${whole} whole of ${callers.outcomes.length}`,
    `complaints ${client.complaints.length}`,
  ].join(" · ");
}
