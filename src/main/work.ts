import type { Config } from "../config/config.ts";
import { createBreaker } from "../core/breaker.ts";
import { createCallGate } from "../core/call-gate.ts";
import { createCalls, type CallsNeeds } from "../core/calls.ts";
import { createChargeBook } from "../core/charge-book.ts";
import type { DeferredNeeds } from "../core/deferred.ts";
import { usdFromNanos } from "../core/money.ts";
import type { Clock, Log, Store } from "../core/ports.ts";
import { createPurse } from "../core/purse.ts";
import type { Catalog } from "../core/routing.ts";
import { createTasks, type TasksNeeds } from "../core/tasks.ts";
import { meterOf } from "../dialects/meters/meter-of.ts";
import { showReply } from "../dialects/meters/reply-cost.ts";
import type { Services } from "../http/services.ts";

type WorkNeeds = Pick<TasksNeeds, "events" | "inHand" | "wake"> & {
  config: () => Config;
  store: Store;
  catalog: Catalog;
  clock: Clock;
  log: Log;
  observe: CallsNeeds["observe"];
  observeRefusal: CallsNeeds["observeRefusal"];
};

/** What clients ask for: long tasks and calls that are answered at once, paid from one purse; and calls for which nobody waits. */
export function createWork(needs: WorkNeeds): Pick<Services, "tasks" | "calls"> & { deferred: DeferredNeeds } {
  const { config, store, catalog, clock, log, events, inHand, wake, observe, observeRefusal } = needs;
  const random = Math.random;
  const purse = createPurse(store);
  store.onMoney(purse);
  const shared = { store, catalog, purse, clock, random };
  const answering = {
    breaker: createBreaker(clock),
    gate: createCallGate(clock),
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
    calls: createCalls({ ...shared, ...answering, charges: createChargeBook(store), observe }),
    deferred: { ...shared, ...answering, meterOf, show },
  };
}

const show: DeferredNeeds["show"] = (operation, whole, measured, costNanos, alias) => {
  const { body, mime } = showReply(operation, whole, measured, usdFromNanos(costNanos), alias);
  return whole.value === undefined
    ? { state: "whole", mime, body }
    : { state: "whole", mime, body, value: JSON.parse(Buffer.from(body).toString()) };
};
