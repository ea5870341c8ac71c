import { Counter, Histogram, type Registry } from "prom-client";
import type { ObservedCall } from "../../core/calls.ts";
import { usdFromNanos } from "../../core/money.ts";

type Labels = { operation: string; model: string; provider: string };
type Sums = { labels: Labels; calls: number; input: number; output: number; nanos: number };

export type CallMetrics = {
  count(call: ObservedCall): void;
  countRefusal(provider: string, why: string): void;
  /** Hands the sums to the registry; done when somebody looks. */
  handOver(): void;
};

/** Figures about calls, kept as plain numbers in between: labels are costly where thousands are counted in a second. */
export function createCallMetrics(registers: Registry[]): CallMetrics {
  const labelNames = ["operation", "model", "provider"];
  const calls = new Counter({ name: "genway_calls_total", help: "Calls that were answered", labelNames, registers });
  const tokens = new Counter({
    name: "genway_call_tokens_total",
    help: "Tokens of calls",
    labelNames: [...labelNames, "direction"],
    registers,
  });
  const cost = new Counter({ name: "genway_call_cost_usd_total", help: "What calls cost", labelNames, registers });
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
  const sums = new Map<string, Sums>();

  return {
    count({ operation, model, provider, measured, costNanos, ms }) {
      const place = `${operation} ${provider} ${model}`;
      const known = sums.get(place) ?? { labels: { operation, model, provider }, calls: 0, input: 0, output: 0, nanos: 0 };
      sums.set(place, known);
      known.calls++;
      known.input += measured.inputTokens ?? 0;
      known.output += measured.outputTokens ?? 0;
      known.nanos += costNanos;
      time.observe({ operation, provider }, ms / 1000);
    },
    countRefusal: (provider, why) => refusals.inc({ provider, class: why }),
    handOver() {
      for (const counter of [calls, tokens, cost]) counter.reset();
      for (const { labels, calls: count, input, output, nanos } of sums.values()) {
        calls.inc(labels, count);
        cost.inc(labels, usdFromNanos(nanos));
        tokens.inc({ ...labels, direction: "input" }, input);
        tokens.inc({ ...labels, direction: "output" }, output);
      }
    },
  };
}
