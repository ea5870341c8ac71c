import { noLimits } from "../../src/core/accounts.ts";
import type { LeaseReply } from "../../src/core/lease.ts";
import { checkBooks, checkKeys, totalsOf } from "./books.ts";
import { epochMs } from "./machine.ts";
import { mostSkewMs, times, type Plan } from "./plan.ts";
import type { SharedDatabase } from "./shared-database.ts";
import { createStage, type Stage } from "./stage.ts";
import type { Customer } from "./watch.ts";
import { createWorld, type World } from "./world.ts";

/** What a run came to. */
export type Outcome = {
  violation: string | null;
  trace: string[];
  events: number;
  commits: number;
  calls: number;
  costNanos: number;
  unpaidNanos: number;
  longestWaitMs: number;
  /** Whether something happened that may cost us money. */
  isExcused: boolean;
};

/** Lets a plan happen and watches; everything that happens is noted down if it `isTold`. */
export async function runPlan(plan: Plan, database: SharedDatabase, isTold = false): Promise<Outcome> {
  database.clear();
  const world = createWorld(plan, database, isTold);
  const { timeline } = world;
  const customers = await openAccounts(world, plan);
  const stage = createStage(world, plan, customers);
  for (const act of plan.acts) timeline.plan(act.at, () => stage.play(act));
  timeline.plan(times.faultsEnd, stage.heal);
  let seen = 0;
  const events = await timeline.run(times.end, () => {
    if (world.commits > seen) checkBooks(world);
    seen = world.commits;
    return world.violation === null;
  });
  if (world.violation === null) await conclude(world, stage, customers);
  const { unpaid, cost, calls } = totalsOf(world);
  const { violation, trace, commits, excuses, longestWaitMs } = world;
  return { violation, trace, events, commits, calls, costNanos: cost, unpaidNanos: unpaid, longestWaitMs, isExcused: excuses.size > 0 };
}

async function openAccounts(world: World, { balances, capNanos }: Plan): Promise<Customer[]> {
  const customers = balances.map((_, place) => ({ account: `account-${place}`, key: `key-${place}` }));
  const none = { scopes: null, models: null, ips: null, expiresAt: null, revokedAt: null };
  const limits = { ...noLimits, spendCapNanos: capNanos };
  for (const [place, { account, key }] of customers.entries()) {
    await world.commit("operator", "createAccount", [{ id: account, name: account, starter: false, now: 1 }], false);
    await world.commit("operator", "credit", [{ id: `credit-of-${account}`, account, nanos: balances[place], note: "", now: 1 }], false);
    const about = { id: key, account, name: "k", lastFour: "abcd", hash: key, createdAt: 1, spentNanos: 0 };
    await world.commit("operator", "createKey", [{ ...about, ...none, limits }], false);
  }
  return customers;
}

/** After the last request: nodes keep nothing that they do not use, and what is left behind when they die comes back in time. */
async function conclude(world: World, { nodes }: Stage, customers: readonly Customer[]): Promise<void> {
  const { timeline, database, excuses } = world;
  checkKeys(world);
  const now = epochMs + timeline.now() + mostSkewMs;
  const names = new Set(nodes().map(({ machine }) => machine.id));
  // What a node could not give back because the store did not answer is nobody's when its time is over.
  const kept = database.ask("select node, amount from lease where until >= ?", excuses.size > 0 ? now : 0);
  if (kept.some(({ node }) => names.has(String(node)))) world.violate(`idle nodes keep ${JSON.stringify(kept)}`);
  const open = database.ask("select id from task where finished_at is null");
  if (open.length > 0) world.violate(`the run ended before its tasks: ${JSON.stringify(open)}`);
  for (const { account } of customers) {
    const available = Number(database.ask("select available from account where id = ?", account)[0]?.["available"]);
    const request = { account, node: "heir", epoch: 1, held: 0, needNanos: available, leastNanos: 0, extraNanos: 0, now, until: now };
    const [reply] = (await world.commit("heir", "lease", [request], false)).replies as LeaseReply[];
    if (reply?.grantedNanos !== available)
      world.violate(`of ${available} only ${reply?.grantedNanos} can be lent when all others are gone`);
    checkBooks(world);
  }
}
