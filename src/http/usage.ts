import type { FastifyReply } from "fastify";
import { Type, type Static } from "typebox";
import { Failure } from "../core/errors.ts";
import { usdFromNanos } from "../core/money.ts";
import { usageSides, type UsagePoint, type UsageQuestion, type UsageSeries } from "../core/usage-series.ts";
import { admin, namedAccount } from "./admin/acts.ts";
import { csvLines, Format, sendCsv } from "./csv.ts";
import { operation } from "./operation.ts";
import type { Services } from "./services.ts";
import { Moment, nullable } from "./wire.ts";

const steps = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
type Step = keyof typeof steps;

const text = Type.Optional(Type.String({ maxLength: 200 }));

const SeriesQuery = Type.Object({
  from: Moment,
  to: Moment,
  step: Type.Optional(
    Type.Union([Type.Literal("minute"), Type.Literal("hour"), Type.Literal("day")], { description: "by the range unless given" }),
  ),
  by: Type.Optional(
    Type.Union(
      usageSides.map((side) => Type.Literal(side)),
      { description: "one series for each value of it" },
    ),
  ),
  key: text,
  provider: text,
  model: text,
  operation: text,
  format: Format,
});

const ms = nullable(Type.Number());
const Point = Type.Object({
  at: Type.Integer({ description: "unix seconds at which the step begins" }),
  requests: Type.Integer(),
  errors: Type.Integer({ description: "of the requests; what its client cancelled is none" }),
  cost_usd: Type.Number(),
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  p50_ms: ms,
  p95_ms: ms,
  p99_ms: ms,
  wait_p50_ms: ms,
  wait_p95_ms: ms,
});

const SeriesReply = Type.Object({
  object: Type.Literal("usage.series"),
  from: Type.Integer(),
  to: Type.Integer(),
  step: Type.String(),
  by: nullable(Type.String()),
  series: Type.Array(Type.Object({ name: Type.String(), total: Point, points: Type.Array(Point) })),
});

type Asked = Static<typeof SeriesQuery>;

const group = { tag: "usage", errors: "plain", auth: "client", scope: "usage" } as const;

const getUsage = operation({
  ...group,
  method: "GET",
  url: "/v1/usage",
  summary: "Requests, cost, tokens and speed of this account, over time",
  query: SeriesQuery,
  reply: SeriesReply,
  run: ({ query, caller, reply }, services) => answerSeries(caller.account.id, query, reply, services),
});

const getUsageSeries = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/usage/series",
  summary: "Requests, cost, tokens and speed of all accounts or one, over time",
  query: Type.Object({ ...SeriesQuery.properties, account: text }),
  reply: SeriesReply,
  async run({ query, reply }, services) {
    const account = query.account === undefined ? null : (await namedAccount(services, query.account)).id;
    return answerSeries(account, query, reply, services);
  },
});

async function answerSeries(account: string | null, query: Asked, reply: FastifyReply, { store, clock }: Services): Promise<unknown> {
  const { key, provider, model, operation: name, format } = query;
  const range = rangeOf(query, clock());
  const question: UsageQuestion = {
    account,
    by: query.by ?? null,
    from: range.from,
    to: range.to,
    stepMs: steps[range.step],
    ...(key !== undefined && { key }),
    ...(provider !== undefined && { provider }),
    ...(model !== undefined && { model }),
    ...(name !== undefined && { operation: name }),
  };
  const series = await store.usageSeries(question);
  if (format === "csv") return sendCsv(reply, "usage", [table(series)]);
  return {
    object: "usage.series",
    from: range.from / 1000,
    to: range.to / 1000,
    step: range.step,
    by: question.by,
    series: series.map(({ name: shown, total, points }) => ({ name: shown, total: pointRecord(total), points: points.map(pointRecord) })),
  };
}

const hourMs = steps.hour;
const mostPoints = 1_500;
const mostPointsEach = 400;

/** Whole steps that hold what was asked for: the last day unless told. */
function rangeOf({ from, to, step, by }: Asked, now: number): { from: number; to: number; step: Step } {
  const end = to === undefined ? now : Number(to) * 1000;
  const begin = from === undefined ? end - 24 * hourMs : Number(from) * 1000;
  if (begin >= end) throw new Failure("invalid_request", { says: "'from' must be before 'to'.", param: "from" });
  const chosen = step ?? usualStep(end - begin);
  const width = steps[chosen];
  const range = { from: Math.floor(begin / width) * width, to: Math.ceil(end / width) * width, step: chosen };
  const most = by === undefined ? mostPoints : mostPointsEach;
  if ((range.to - range.from) / width > most)
    throw new Failure("invalid_request", {
      says: `That is more than ${most} points${by === undefined ? "" : " with 'by'"}; take a longer 'step' or a shorter range.`,
      param: "step",
    });
  return range;
}

function usualStep(rangeMs: number): Step {
  if (rangeMs <= 3 * hourMs) return "minute";
  return rangeMs <= 8 * 24 * hourMs ? "hour" : "day";
}

function pointRecord(point: UsagePoint): Static<typeof Point> {
  return {
    at: point.at / 1000,
    requests: point.requests,
    errors: point.errors,
    cost_usd: usdFromNanos(point.costNanos),
    input_tokens: point.inputTokens,
    output_tokens: point.outputTokens,
    p50_ms: point.p50Ms,
    p95_ms: point.p95Ms,
    p99_ms: point.p99Ms,
    wait_p50_ms: point.waitP50Ms,
    wait_p95_ms: point.waitP95Ms,
  };
}

function table(series: readonly UsageSeries[]): string {
  const lines = series.flatMap(({ name, points }) => points.map((point) => [name, ...Object.values(pointRecord(point))]));
  return csvLines([["name", ...Object.keys(Point.properties)], ...lines]);
}

export const usageSeriesOperations = [getUsage, getUsageSeries];
