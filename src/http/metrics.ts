import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { ObservedCall } from "../core/calls.ts";
import { usdFromNanos } from "../core/money.ts";
import type { Store } from "../core/ports.ts";

export type Metrics = {
  observePollLag(ms: number): void;
  countRequest(method: string, route: string, status: number, seconds: number): void;
  countCall(call: ObservedCall): void;
  countRefusal(provider: string, why: string): void;
  books(differences: number): void;
  expose(): Promise<{ type: string; text: string }>;
};

type CallLabels = { operation: string; model: string; provider: string };

/** Figures for Prometheus. */
export function createMetrics(store: Store): Metrics {
  const registers = [new Registry()];
  const [registry] = registers;
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
  const of = ["operation", "model", "provider"];
  const calls = new Counter({ name: "genway_calls_total", help: "Calls that were answered", labelNames: of, registers });
  const tokens = new Counter({ name: "genway_call_tokens_total", help: "Tokens of calls", labelNames: [...of, "direction"], registers });
  const cost = new Counter({ name: "genway_call_cost_usd_total", help: "What calls cost", labelNames: of, registers });
  const time = new Histogram({
    name: "genway_call_seconds",
    help: "Time of calls, to their last byte",
    labelNames: ["operation", "provider"],
    buckets: [0.05, 0.25, 1, 2.5, 5, 10, 30, 60, 300],
    registers,
  });
  const refusals = new Counter({
    name: "genway_call_refusals_total",
    help: "Tries of calls that a provider refused, by reason",
    labelNames: ["provider", "class"],
    registers,
  });
  const differences = new Gauge({ name: "genway_books_differences", help: "Differences that the last look at the books found", registers });
  const depth = new Gauge({ name: "genway_steps", help: "Rows waiting, by queue and phase", labelNames: ["lane", "phase"], registers });
  const slots = new Gauge({ name: "genway_slots_used", help: "Provider slots in use", labelNames: ["lane", "credential"], registers });
  // Counted in plain numbers and handed over when somebody looks: labels are costly for the busiest routes.
  const counted = new Map<string, { labels: { method: string; route: string; status: string }; count: number }>();
  const called = new Map<string, { labels: CallLabels; calls: number; input: number; output: number; nanos: number }>();
  return {
    observePollLag: (ms) => lag.observe(ms / 1000),
    countRequest(method, route, status, seconds) {
      const place = `${method} ${route} ${status}`;
      const seen = counted.get(place);
      if (seen === undefined) counted.set(place, { labels: { method, route, status: String(status) }, count: 1 });
      else seen.count++;
      duration.observe(seconds);
    },
    countCall({ operation, model, provider, measured, costNanos, ms }) {
      const place = `${operation} ${provider} ${model}`;
      let seen = called.get(place);
      if (seen === undefined) {
        seen = { labels: { operation, model, provider }, calls: 0, input: 0, output: 0, nanos: 0 };
        called.set(place, seen);
      }
      seen.calls++;
      seen.input += measured.inputTokens ?? 0;
      seen.output += measured.outputTokens ?? 0;
      seen.nanos += costNanos;
      time.observe({ operation, provider }, ms / 1000);
    },
    countRefusal: (provider, why) => refusals.inc({ provider, class: why }),
    books: (count) => differences.set(count),
    async expose() {
      requests.reset();
      for (const { labels, count } of counted.values()) requests.inc(labels, count);
      for (const counter of [calls, cost, tokens]) counter.reset();
      for (const { labels, calls: count, input, output, nanos } of called.values()) {
        calls.inc(labels, count);
        cost.inc(labels, usdFromNanos(nanos));
        tokens.inc({ ...labels, direction: "input" }, input);
        tokens.inc({ ...labels, direction: "output" }, output);
      }
      depth.reset();
      for (const { lane, phase, count } of await store.queueDepth()) depth.set({ lane, phase }, count);
      slots.reset();
      for (const { lane, credential, used } of await store.gates()) slots.set({ lane, credential }, used);
      return { type: registry?.contentType ?? "text/plain", text: (await registry?.metrics()) ?? "" };
    },
  };
}
