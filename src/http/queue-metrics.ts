import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Clock, Store } from "../core/ports.ts";
import { lanesOf, slotsOf, type Catalog } from "../core/routing.ts";

export type QueueMetrics = {
  observePollLag(ms: number): void;
  /** A look for work, and what this process then has in hand. */
  countLook(look: { ms: number; tasks: number; polls: number; chores: number }): void;
  countChore(chore: string, ms: number, isDone: boolean): void;
  countDelivery(state: string): void;
  /** Reads what stands in the store; done when somebody looks. */
  handOver(): Promise<void>;
};

export type QueueNeeds = { store: Pick<Store, "queueDepth" | "gates">; catalog: Catalog; workers: () => number; clock: Clock };

/** Figures about what waits, what is being done, and how long that takes. */
export function createQueueMetrics(registers: Registry[], { store, catalog, workers, clock }: QueueNeeds): QueueMetrics {
  const lag = new Histogram({
    name: "genway_poll_lag_seconds",
    help: "How late polls are claimed",
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30],
    registers,
  });
  const looks = new Histogram({
    name: "genway_look_seconds",
    help: "Time of looks for work",
    buckets: [0.002, 0.005, 0.02, 0.1, 0.5, 2],
    registers,
  });
  const place = { labelNames: ["lane", "phase"], registers };
  const depth = new Gauge({ name: "genway_steps", help: "Rows waiting, by queue and phase", ...place });
  const overdue = new Gauge({ name: "genway_steps_overdue_seconds", help: "How long the oldest of those rows has been due", ...place });
  const slot = { labelNames: ["lane", "credential"], registers };
  const used = new Gauge({ name: "genway_slots_used", help: "Provider slots in use", ...slot });
  const limit = new Gauge({ name: "genway_slots_limit", help: "Provider slots that there are", ...slot });
  const inHand = new Gauge({ name: "genway_in_hand", help: "What this process is doing now", labelNames: ["work"], registers });
  const chores = new Counter({ name: "genway_chores_total", help: "Chores by outcome", labelNames: ["chore", "outcome"], registers });
  const choreTime = new Counter({ name: "genway_chore_seconds_total", help: "Time of chores", labelNames: ["chore"], registers });
  const deliveries = new Counter({
    name: "genway_webhooks_total",
    help: "Tries of webhooks by outcome",
    labelNames: ["outcome"],
    registers,
  });
  let last = { tasks: 0, polls: 0, chores: 0 };

  return {
    observePollLag: (ms) => lag.observe(ms / 1000),
    countLook({ ms, ...now }) {
      looks.observe(ms / 1000);
      last = now;
    },
    countChore(chore, ms, isDone) {
      chores.inc({ chore, outcome: isDone ? "done" : "failed" });
      choreTime.inc({ chore }, ms / 1000);
    },
    countDelivery: (state) => deliveries.inc({ outcome: state === "pending" ? "retried" : state }),
    async handOver() {
      for (const [work, count] of Object.entries(last)) inHand.set({ work }, count);
      const [rows, gates] = await Promise.all([store.queueDepth().catch(() => []), store.gates().catch(() => [])]);
      for (const gauge of [depth, overdue, used, limit]) gauge.reset();
      for (const installed of catalog.providers())
        for (const lane of lanesOf(installed))
          for (const { id } of installed.credentials) limit.set({ lane, credential: id }, slotsOf(installed, workers()));
      const now = clock();
      for (const { lane, phase, count, dueAt } of rows) {
        depth.set({ lane, phase }, count);
        overdue.set({ lane, phase }, Math.max(0, now - dueAt) / 1000);
      }
      for (const { lane, credential, used: count } of gates) used.set({ lane, credential }, count);
    },
  };
}
