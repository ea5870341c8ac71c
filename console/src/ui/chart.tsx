import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { formatNumber, locale, t } from "../i18n/translate.ts";

/** One line or row of bars; values go with the times of the chart, null where there is nothing. */
export type Series = { name: string; values: readonly (number | null)[] };

type ChartProps = {
  title: string;
  /** Unix seconds. */
  times: readonly number[];
  series: readonly Series[];
  kind?: "line" | "bars" | "area";
  format?: (value: number) => string;
  height?: number;
};

/** A plot over time, with the same numbers as a table for whoever cannot see it. */
export function Chart({ title, times, series, kind = "line", format = plain, height = 220 }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null || times.length === 0) return;
    const draw = () => new uPlot(optionsFor({ element, series, kind, format, height }), dataFor(times, series), element);
    let plot = draw();
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    const redraw = () => {
      plot.destroy();
      plot = draw();
    };
    const themed = new MutationObserver(redraw);
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", redraw);
    return () => {
      dark.removeEventListener("change", redraw);
      themed.disconnect();
      resized.disconnect();
      plot.destroy();
    };
  }, [times, series, kind, format, height]);
  return (
    <figure className="chart" aria-label={title}>
      <div ref={place} aria-hidden="true" className="chart__plot" style={{ minHeight: `${height}px` }} />
      <details className="chart__table">
        <summary>{t("ui.asTable")}</summary>
        <div className="table-scroll">
          <SeriesTable title={title} times={times} series={series} format={format} />
        </div>
      </details>
    </figure>
  );
}

function SeriesTable({
  title,
  times,
  series,
  format,
}: {
  title: string;
  times: readonly number[];
  series: readonly Series[];
  format: (value: number) => string;
}) {
  const date = new Intl.DateTimeFormat(locale(), { dateStyle: "short", timeStyle: "short" });
  return (
    <table className="table table--dense">
      <caption className="visually-hidden">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{t("ui.time")}</th>
          {series.map(({ name }) => (
            <th key={name} scope="col" className="cell--end">
              {name || title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {times.map((at, row) => (
          <tr key={at}>
            <th scope="row">{date.format(at * 1000)}</th>
            {series.map(({ name, values }) => (
              <td key={name} className="cell--end number">
                {shown(values[row] ?? null, format)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Drawing = Required<Pick<ChartProps, "series" | "kind" | "format" | "height">> & { element: HTMLElement };

function optionsFor({ element, series, kind, format, height }: Drawing): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const grid = { stroke: colour("border"), width: 1 };
  const font = `12px ${style.getPropertyValue("--font")}`;
  const bars = uPlot.paths.bars?.({ size: [0.7, 40] });
  return {
    width: element.clientWidth || 600,
    height,
    padding: [10, 22, 0, 0],
    legend: { show: series.length > 1 || series[0]?.name !== "", live: true },
    cursor: { points: { size: 7 }, drag: { x: false, y: false } },
    scales: {
      x: { range: (plot, min, max) => (kind === "bars" ? widened(plot, min, max) : [min, max]) },
      y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.1 : 1] },
    },
    axes: [
      {
        stroke: colour("muted"),
        grid: { show: false },
        ticks: { show: false },
        font,
        space: 70,
        values: (_plot, marks, _axis, _space, step) => timeLabels(marks, step),
      },
      {
        stroke: colour("muted"),
        grid,
        ticks: { show: false },
        font,
        size: 64,
        values: (_plot, marks) => marks.map((mark) => format(mark)),
      },
    ],
    series: [
      {
        label: t("ui.time"),
        value: (_plot, at) =>
          at === null ? "–" : new Intl.DateTimeFormat(locale(), { dateStyle: "short", timeStyle: "short" }).format(at * 1000),
      },
      ...series.map(({ name }, index) => {
        const stroke = colour(`series-${(index % 8) + 1}`);
        return {
          label: name,
          stroke,
          width: 1.75,
          spanGaps: false,
          points: { show: false, filter: lonelyPoints, size: 6, fill: stroke },
          value: (_plot: uPlot, value: number | null) => shown(value, format),
          ...(kind === "bars" && bars && { paths: bars, fill: stroke, width: 0 }),
          ...(kind === "area" && { fill: `${stroke}22` }),
        };
      }),
    ],
  };
}

/** Half a step more at both ends, so that the outer bars are whole. */
function widened(plot: uPlot, min: number, max: number): [number, number] {
  const [first = 0, second = first + 1] = plot.data[0];
  return [min - (second - first) / 2, max + (second - first) / 2];
}

/** Points with nothing on either side: no line shows them. */
function lonelyPoints(plot: uPlot, series: number): number[] {
  const values = plot.data[series] ?? [];
  return Array.from(values.keys()).filter((at) => isThere(values[at]) && !isThere(values[at - 1]) && !isThere(values[at + 1]));
}

function isThere(value: number | null | undefined): boolean {
  return value !== null && value !== undefined;
}

/** Times in the reader's way, with the day wherever a new one begins. */
function timeLabels(marks: readonly number[], step: number): string[] {
  const day = new Intl.DateTimeFormat(locale(), { month: "short", day: "numeric" });
  const clock = new Intl.DateTimeFormat(locale(), { hour: "2-digit", minute: "2-digit" });
  let before = "";
  return marks.map((mark) => {
    const today = day.format(mark * 1000);
    const isNew = today !== before;
    before = today;
    if (step >= 86_400) return today;
    return isNew ? `${clock.format(mark * 1000)}\n${today}` : clock.format(mark * 1000);
  });
}

function dataFor(times: readonly number[], series: readonly Series[]): uPlot.AlignedData {
  return [[...times], ...series.map(({ values }) => [...values])];
}

function shown(value: number | null, format: (value: number) => string): string {
  return value === null ? "–" : format(value);
}

function plain(value: number): string {
  return formatNumber(value, { maximumFractionDigits: 2 });
}
