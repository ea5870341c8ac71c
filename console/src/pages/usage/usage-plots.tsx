import { useMemo, useState, type ReactNode } from "react";
import { formatNumber, t } from "../../i18n/translate.ts";
import { Chart, type Series } from "../../ui/chart.tsx";
import { formatUsd } from "../../ui/figures.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import type { Point, Side, UsageSeries } from "./usage-question.ts";
import { formatMs, formatShare } from "./usage-totals.tsx";

type Percentile = "p50" | "p95" | "p99";
type PlotsProps = { series: readonly UsageSeries[]; by: Side | null; nameOf: (side: Side, value: string) => string };

const mostPlotted = 8;

/** Requests, spend, tokens, latency, errors and waiting over time; one line for each name, or one for each percentile. */
export function UsagePlots({ series, by, nameOf }: PlotsProps) {
  const [percentile, setPercentile] = useState<Percentile>("p95");
  const plotted = series.slice(0, mostPlotted);
  const times = useMemo(() => series[0]?.points.map(({ at }) => at) ?? [], [series]);
  const lines = (of: (point: Point) => number | null): Series[] =>
    plotted.map(({ name, points }) => ({ name: by === null ? "" : nameOf(by, name), values: points.map(of) }));
  const parts = (of: Record<string, (point: Point) => number | null>): Series[] =>
    Object.entries(of).map(([name, value]) => ({ name, values: plotted[0]?.points.map(value) ?? [] }));
  const isOne = by === null;
  const kind = isOne ? "bars" : "line";
  return (
    <div className="stack stack--s">
      {series.length > mostPlotted && <p className="muted small">{t("usage.topOnly", { n: mostPlotted })}</p>}
      <div className="usage-plots">
        <Plot title={t("usage.requests")} times={times} kind={kind} series={lines(({ requests }) => requests)} format={formatWhole} />
        <Plot title={t("usage.spend")} times={times} kind={kind} series={lines(({ cost_usd: usd }) => usd)} format={formatUsd} />
        <Plot
          title={t("usage.tokens")}
          times={times}
          series={
            isOne
              ? parts({
                  [t("usage.tokens.input")]: (point) => point.input_tokens,
                  [t("usage.tokens.output")]: (point) => point.output_tokens,
                })
              : lines(({ input_tokens: input, output_tokens: output }) => input + output)
          }
          format={formatWhole}
        />
        <Plot title={t("usage.errorRate")} times={times} series={lines(errorShare)} format={formatShare} />
        <Plot
          title={t("usage.latency")}
          times={times}
          series={
            isOne
              ? parts({ p50: ({ p50_ms: ms }) => ms, p95: ({ p95_ms: ms }) => ms, p99: ({ p99_ms: ms }) => ms })
              : lines((point) => point[`${percentile}_ms`])
          }
          format={formatMs}
          tools={!isOne && <PercentileChoice value={percentile} onChange={setPercentile} />}
        />
        <Plot
          title={isOne ? t("usage.wait") : t("usage.wait.p95")}
          times={times}
          series={
            isOne ? parts({ p50: (point) => point.wait_p50_ms, p95: (point) => point.wait_p95_ms }) : lines((point) => point.wait_p95_ms)
          }
          format={formatMs}
        />
      </div>
    </div>
  );
}

type PlotProps = {
  title: string;
  times: readonly number[];
  series: readonly Series[];
  kind?: "line" | "bars";
  format: (value: number) => string;
  tools?: ReactNode;
};

function Plot({ title, times, series, kind = "line", format, tools }: PlotProps) {
  const same = useSame(series);
  const isEmpty = same.every(({ values }) => values.every((value) => value === null));
  return (
    <section className="card stack stack--s">
      <div className="row row--between usage-plot__head">
        <h2>{title}</h2>
        {tools}
      </div>
      {isEmpty ? (
        <p className="usage-plot__none muted small">{t("usage.plot.none")}</p>
      ) : (
        <Chart title={title} times={times} series={same} kind={kind} format={format} height={200} />
      )}
    </section>
  );
}

/** The same object while the same is in it, so that a plot is drawn again only when there is something new. */
function useSame(series: readonly Series[]): readonly Series[] {
  const text = JSON.stringify(series);
  // oxlint-disable-next-line react/exhaustive-deps -- the text stands for the series
  return useMemo(() => series, [text]);
}

function PercentileChoice({ value, onChange }: { value: Percentile; onChange: (value: Percentile) => void }) {
  return (
    <Tabs
      label={t("usage.percentile")}
      look="pill"
      tabs={[
        { value: "p50", label: "p50" },
        { value: "p95", label: "p95" },
        { value: "p99", label: "p99" },
      ]}
      value={value}
      onChange={onChange}
    />
  );
}

function errorShare({ requests, errors }: Point): number | null {
  return requests === 0 ? null : errors / requests;
}

/** Counts; a mark of the scale between two of them has no label. */
function formatWhole(value: number): string {
  if (!Number.isInteger(value)) return "";
  return formatNumber(value, value >= 100_000 ? { notation: "compact", maximumFractionDigits: 1 } : {});
}
