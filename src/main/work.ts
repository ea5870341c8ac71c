import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import { createBreaker } from "../core/breaker.ts";
import { createCallGate } from "../core/call-gate.ts";
import { createCalls, type CallsNeeds } from "../core/calls.ts";
import { createChargeBook } from "../core/charge-book.ts";
import type { DeferredNeeds } from "../core/deferred.ts";
import { usdFromNanos } from "../core/money.ts";
import { createLeasedPurse, type PurseAct } from "../core/leased-purse.ts";
import type { Bulletin, Clock, Log, Store } from "../core/ports.ts";
import { createPurse, type Purse } from "../core/purse.ts";
import type { Catalog } from "../core/routing.ts";
import type { Tally } from "../core/tally.ts";
import { createTasks, type TasksNeeds } from "../core/tasks.ts";
import { meterOf } from "../dialects/meters/meter-of.ts";
import { showReply } from "../dialects/meters/reply-cost.ts";
import type { Services } from "../http/services.ts";

type WorkNeeds = Pick<TasksNeeds, "events" | "pulse" | "inHand" | "wake"> & {
  config: () => Config;
  store: Store;
  bulletin: Bulletin;
  node: string;
  catalog: Catalog;
  tally: Tally;
  clock: Clock;
  log: Log;
  observe: CallsNeeds["observe"];
  observeRefusal: CallsNeeds["observeRefusal"];
  observePurse: (act: PurseAct) => void;
};

type Work = Pick<Services, "tasks" | "calls"> & { deferred: DeferredNeeds; closePurse(): Promise<void> };

/** What clients ask for: long tasks and calls that are answered at once, paid from one purse; and calls for which nobody waits. */
export function createWork(needs: WorkNeeds): Work {
  const { config, store, catalog, tally, clock, log, events, pulse, inHand, wake, observe, observeRefusal } = needs;
  const random = Math.random;
  const { purse, closePurse } = openPurse(needs);
  store.onMoney(purse);
  const shared = { store, catalog, breaker: createBreaker(clock), purse, pulse, clock, random };
  const answering = {
    gate: createCallGate(tally),
    log,
    observeRefusal,
    patience: () => config().calls,
  };
  return {
    tasks: createTasks({
      ...shared,
      events,
      inHand,
      wake,
      deadlineMs: (kind) => config().tasks.deadlineMs[kind] ?? 600_000,
      defaultTasks: () => config().limits.concurrentTasks,
    }),
    calls: createCalls({ ...shared, ...answering, charges: createChargeBook(store, purse), observe }),
    closePurse,
    deferred: { ...shared, ...answering, meterOf, show },
  };
}

const tendMs = 1_000;

/** One process has the balances to itself; several lease their parts. */
function openPurse({ config, store, bulletin, node, clock, observePurse }: WorkNeeds): { purse: Purse; closePurse(): Promise<void> } {
  if (config().storeUrl === null) return { purse: createPurse(store), closePurse: async () => undefined };
  const monotonic = () => performance.now();
  const purse = createLeasedPurse({ store, bulletin, node, clock, monotonic, sleep, observe: observePurse });
  const timer = setInterval(() => void purse.tend(), tendMs);
  return {
    purse,
    closePurse() {
      clearInterval(timer);
      return purse.close();
    },
  };
}

const show: DeferredNeeds["show"] = (operation, whole, measured, costNanos, alias) => {
  const { body, mime } = showReply(operation, whole, measured, usdFromNanos(costNanos), alias);
  return whole.value === undefined
    ? { state: "whole", mime, body }
    : { state: "whole", mime, body, value: JSON.parse(Buffer.from(body).toString()) };
};
