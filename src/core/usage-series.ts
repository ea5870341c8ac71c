import { percentile } from "./speed-scale.ts";

/** What usage can be told apart by. */
export const usageSides = ["model", "key", "account", "provider", "operation", "outcome"] as const;
export type UsageSide = (typeof usageSides)[number];

export type UsageQuestion = {
  /** Null: of all accounts. */
  account: string | null;
  key?: string;
  provider?: string;
  model?: string;
  operation?: string;
  /** Whole steps. */
  from: number;
  to: number;
  stepMs: number;
  by: UsageSide | null;
};

/** Sums of one kind of request: alike in name, outcome, speed and wait. */
export type UsageSum = {
  at: number;
  name: string;
  outcome: string;
  speed: number;
  wait: number;
  requests: number;
  inputTokens: number;
  outputTokens: number;
  costNanos: number;
};

export type UsagePoint = {
  at: number;
  requests: number;
  errors: number;
  costNanos: number;
  inputTokens: number;
  outputTokens: number;
  p50Ms: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
  waitP50Ms: number | null;
  waitP95Ms: number | null;
};

export type UsageSeries = { name: string; total: UsagePoint; points: UsagePoint[] };

/** So many names have a series of their own; the others share one. */
export const mostNames = 20;
export const otherNames = "*";

/** Series of points without gaps, the one with the most requests first; the one of all other names last. */
export function seriesOf(
  sums: Iterable<UsageSum>,
  { from, to, stepMs, by }: Pick<UsageQuestion, "from" | "to" | "stepMs" | "by">,
): UsageSeries[] {
  const drafts = new Map<string, { total: Draft; points: Map<number, Draft> }>();
  const draftOf = (name: string) => {
    const known = drafts.get(name);
    if (known !== undefined) return known;
    const made = { total: emptyDraft(), points: new Map<number, Draft>() };
    drafts.set(name, made);
    return made;
  };
  if (by === null) draftOf("");
  for (const sum of sums) {
    const { total, points } = draftOf(sum.name);
    const point = points.get(sum.at) ?? emptyDraft();
    points.set(sum.at, point);
    add(total, sum);
    add(point, sum);
  }
  const series = [...drafts].map(([name, { total, points }]) => {
    const all: UsagePoint[] = [];
    for (let at = from; at < to; at += stepMs) all.push(pointOf(at, points.get(at) ?? nothing));
    return { name, total: pointOf(from, total), points: all };
  });
  const isOther = (name: string) => Number(by !== null && name === otherNames);
  return series.sort((a, b) => isOther(a.name) - isOther(b.name) || b.total.requests - a.total.requests || (a.name < b.name ? -1 : 1));
}

type Draft = Pick<UsagePoint, "requests" | "errors" | "costNanos" | "inputTokens" | "outputTokens"> & {
  speeds: Map<number, number>;
  waits: Map<number, number>;
};

function emptyDraft(): Draft {
  return { requests: 0, errors: 0, costNanos: 0, inputTokens: 0, outputTokens: 0, speeds: new Map(), waits: new Map() };
}

const nothing = emptyDraft();

function add(draft: Draft, { outcome, speed, wait, requests, inputTokens, outputTokens, costNanos }: UsageSum): void {
  draft.requests += requests;
  draft.costNanos += costNanos;
  draft.inputTokens += inputTokens;
  draft.outputTokens += outputTokens;
  // What its client gave up is nobody's failure; and how soon something failed says nothing about how fast it is.
  if (outcome === "ok") draft.speeds.set(speed, (draft.speeds.get(speed) ?? 0) + requests);
  else if (outcome !== "cancelled") draft.errors += requests;
  if (wait >= 0) draft.waits.set(wait, (draft.waits.get(wait) ?? 0) + requests);
}

function pointOf(at: number, { speeds, waits, ...sums }: Draft): UsagePoint {
  return {
    at,
    ...sums,
    p50Ms: shown(percentile(speeds, 0.5)),
    p95Ms: shown(percentile(speeds, 0.95)),
    p99Ms: shown(percentile(speeds, 0.99)),
    waitP50Ms: shown(percentile(waits, 0.5)),
    waitP95Ms: shown(percentile(waits, 0.95)),
  };
}

// A step of the scale is wider than what is cut off here.
function shown(ms: number | null): number | null {
  return ms === null ? null : Number(ms.toPrecision(3));
}
