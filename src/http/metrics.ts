import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { ObservedCall } from "../core/calls.ts";
import { createCallMetrics } from "./calls/call-metrics.ts";
import { createFleetMetrics, type FleetMetrics, type FleetNeeds } from "./fleet-metrics.ts";
import { createQueueMetrics, type QueueMetrics, type QueueNeeds } from "./queue-metrics.ts";

export type Metrics = Omit<QueueMetrics & FleetMetrics, "handOver"> & {
  countRequest(method: string, route: string, status: number, seconds: number): void;
  countCall(call: ObservedCall): void;
  countRefusal(provider: string, why: string): void;
  books(differences: number): void;
  /** What /ready found. */
  checks(checks: Record<string, string>): void;
  limitsShared(by: string, isThere: boolean): void;
  countAlert(kind: string): void;
  expose(): Promise<{ type: string; text: string }>;
  /** How long the event loop was kept waiting, since somebody asked last. */
  eventLoop(): Promise<{ p50Ms: number; p99Ms: number }>;
};

export type MetricsNeeds = QueueNeeds &
  FleetNeeds & { /** Of one process among several on a machine; its figures carry it. */ number?: number };

// A database that is slow or away must not keep the other figures from whoever looks; its own are told the next time.
const patienceMs = 1_000;

/** Figures for Prometheus. */
export function createMetrics({ number, ...needs }: MetricsNeeds): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (number !== undefined) registry.setDefaultLabels({ worker: String(number) });
  collectDefaultMetrics({ register: registry });
  const requests = createRequestMetrics(registers);
  const states = createStateMetrics(registers);
  const calls = createCallMetrics(registers);
  const queues = createQueueMetrics(registers, needs);
  const fleet = createFleetMetrics(registers, needs);
  return {
    ...queues,
    ...fleet,
    ...states,
    countRequest: requests.count,
    countCall: calls.count,
    countRefusal: calls.countRefusal,
    async expose() {
      requests.handOver();
      calls.handOver();
      await withinPatience(Promise.all([queues.handOver(), fleet.handOver()]));
      return { type: registry.contentType, text: await registry.metrics() };
    },
    async eventLoop() {
      const lagOf = async (name: string) =>
        (await registry.getSingleMetric(`nodejs_eventloop_lag_${name}seconds`)?.get())?.values[0]?.value;
      // The first of these gauges reads for the others.
      await lagOf("");
      return { p50Ms: 1000 * ((await lagOf("p50_")) ?? 0), p99Ms: 1000 * ((await lagOf("p99_")) ?? 0) };
    },
  };
}

async function withinPatience(work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, patienceMs);
  await Promise.race([work, late.promise]);
  clearTimeout(timer);
}

type RequestMetrics = { count: Metrics["countRequest"]; handOver(): void };

function createRequestMetrics(registers: Registry[]): RequestMetrics {
  const requests = new Counter({
    name: "genway_http_requests_total",
    help: "Replies by method, route and status",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const duration = new Histogram({
    name: "genway_http_request_seconds",
    help: "Time to reply",
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers,
  });
  // Counted in plain numbers and handed over when somebody looks: labels are costly for the busiest routes.
  const counted = new Map<string, { labels: { method: string; route: string; status: string }; count: number }>();
  return {
    count(method, route, status, seconds) {
      const place = `${method} ${route} ${status}`;
      const seen = counted.get(place);
      if (seen === undefined) counted.set(place, { labels: { method, route, status: String(status) }, count: 1 });
      else seen.count++;
      duration.observe(seconds);
    },
    handOver() {
      requests.reset();
      for (const { labels, count } of counted.values()) requests.inc(labels, count);
    },
  };
}

function createStateMetrics(registers: Registry[]): Pick<Metrics, "books" | "checks" | "limitsShared" | "countAlert"> {
  const differences = new Gauge({ name: "genway_books_differences", help: "Differences that the last look at the books found", registers });
  const ok = new Gauge({ name: "genway_check_ok", help: "1 while a check of /ready is ok", labelNames: ["check"], registers });
  const shared = new Gauge({
    name: "genway_limits_shared",
    help: "1 while limits are shared with other nodes",
    labelNames: ["by"],
    registers,
  });
  const alerts = new Counter({ name: "genway_alerts_total", help: "Alerts about budgets and balances", labelNames: ["kind"], registers });
  return {
    countAlert: (kind) => alerts.inc({ kind }),
    books: (count) => differences.set(count),
    checks(checks) {
      for (const [check, says] of Object.entries(checks)) ok.set({ check }, says === "ok" ? 1 : 0);
    },
    limitsShared: (by, isThere) => shared.set({ by }, isThere ? 1 : 0),
  };
}
