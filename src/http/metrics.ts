import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { ObservedCall } from "../core/calls.ts";
import { createCallMetrics } from "./calls/call-metrics.ts";
import type { Store } from "../core/ports.ts";

export type Metrics = {
  observePollLag(ms: number): void;
  countRequest(method: string, route: string, status: number, seconds: number): void;
  countCall(call: ObservedCall): void;
  countRefusal(provider: string, why: string): void;
  books(differences: number): void;
  limitsShared(by: string, isThere: boolean): void;
  expose(): Promise<{ type: string; text: string }>;
};

/** Figures for Prometheus; those of one process among several carry its number. */
export function createMetrics(store: Store, worker?: number): Metrics {
  const registers = [new Registry()];
  const [registry] = registers;
  if (worker !== undefined) registry?.setDefaultLabels({ worker: String(worker) });
  collectDefaultMetrics({ register: registry });
  const lag = new Histogram({
    name: "genway_poll_lag_seconds",
    help: "How late polls are claimed",
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30],
    registers,
  });
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
  const differences = new Gauge({ name: "genway_books_differences", help: "Differences that the last look at the books found", registers });
  const depth = new Gauge({ name: "genway_steps", help: "Rows waiting, by queue and phase", labelNames: ["lane", "phase"], registers });
  const slots = new Gauge({ name: "genway_slots_used", help: "Provider slots in use", labelNames: ["lane", "credential"], registers });
  const limits = new Gauge({
    name: "genway_limits_shared",
    help: "1 while limits are shared with other nodes",
    labelNames: ["by"],
    registers,
  });
  // Counted in plain numbers and handed over when somebody looks: labels are costly for the busiest routes.
  const counted = new Map<string, { labels: { method: string; route: string; status: string }; count: number }>();
  const calls = createCallMetrics(registers);
  return {
    observePollLag: (ms) => lag.observe(ms / 1000),
    countRequest(method, route, status, seconds) {
      const place = `${method} ${route} ${status}`;
      const seen = counted.get(place);
      if (seen === undefined) counted.set(place, { labels: { method, route, status: String(status) }, count: 1 });
      else seen.count++;
      duration.observe(seconds);
    },
    countCall: calls.count,
    countRefusal: calls.countRefusal,
    books: (count) => differences.set(count),
    limitsShared: (by, isThere) => limits.set({ by }, isThere ? 1 : 0),
    async expose() {
      requests.reset();
      for (const { labels, count } of counted.values()) requests.inc(labels, count);
      calls.handOver();
      depth.reset();
      for (const { lane, phase, count } of await store.queueDepth()) depth.set({ lane, phase }, count);
      slots.reset();
      for (const { lane, credential, used } of await store.gates()) slots.set({ lane, credential }, used);
      return { type: registry?.contentType ?? "text/plain", text: (await registry?.metrics()) ?? "" };
    },
  };
}
