import type { ReactNode } from "react";
import { locale, t } from "../../i18n/translate.ts";
import { AlignedUsd, digitsFor } from "../../ui/aligned-usd.tsx";
import { Count } from "../../ui/figures.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { narrowings, type Narrowing, type Point, type Side, type UsageSeries } from "./usage-question.ts";
import { formatMs, formatShare } from "./usage-totals.tsx";

type TableProps = {
  series: readonly UsageSeries[];
  by: Side | null;
  step: string;
  nameOf: (side: Side, value: string) => string;
  onOnly: (narrowing: Partial<Record<Narrowing | "account", string>>) => void;
};

type Row = { name: string; point: Point };

/** The numbers of the plots: by time, or by name for the whole time. */
export function UsageTable({ series, by, step, nameOf, onOnly }: TableProps) {
  const rows: Row[] =
    by === null
      ? (series[0]?.points ?? []).map((point) => ({ name: String(point.at), point })).toReversed()
      : series.map(({ name, total }) => ({ name, point: total }));
  const title = by === null ? t("usage.byTime") : t("usage.byName", { side: t(`usage.by.${by}`) });
  return (
    <section className="stack stack--s">
      <h2>{title}</h2>
      <div className="usage-table">
        <Table
          caption={title}
          columns={[firstColumn({ by, step, nameOf, onOnly }), ...figures(rows)]}
          rows={rows}
          rowKey={({ name }) => name}
        />
      </div>
    </section>
  );
}

function firstColumn({ by, step, nameOf, onOnly }: Omit<TableProps, "series">): Column<Row> {
  if (by === null) return { key: "at", head: t("ui.time"), cell: ({ point }) => <Moment at={point.at} step={step} /> };
  return {
    key: "name",
    head: t(`usage.by.${by}`),
    cell: ({ name }) => <Name by={by} value={name} nameOf={nameOf} onOnly={onOnly} />,
  };
}

/** When a step begins: a day of the calendar in UTC, else the time here. */
function Moment({ at, step }: { at: number; step: string }) {
  const look =
    step === "day" ? ({ dateStyle: "medium", timeZone: "UTC" } as const) : ({ dateStyle: "medium", timeStyle: "short" } as const);
  return (
    <time className="number usage-moment" dateTime={new Date(at * 1000).toISOString()} title={new Date(at * 1000).toISOString()}>
      {new Intl.DateTimeFormat(locale(), look).format(at * 1000)}
    </time>
  );
}

function figures(rows: readonly Row[]): Column<Row>[] {
  const digits = digitsFor(rows.map(({ point }) => point.cost_usd));
  const column = (key: string, head: ReactNode, cell: (point: Point) => ReactNode, hide?: "narrow"): Column<Row> => ({
    key,
    head,
    align: "end",
    cell: ({ point }) => cell(point),
    ...(hide && { hide }),
  });
  return [
    column("requests", t("usage.requests"), ({ requests }) => <Count value={requests} />),
    column("errors", t("usage.errors"), ({ errors }) => <Count value={errors} />),
    column("rate", t("usage.errorRate"), ({ requests, errors }) => formatShare(requests === 0 ? null : errors / requests), "narrow"),
    column("spend", t("usage.spend"), ({ cost_usd: usd }) => <AlignedUsd usd={usd} digits={digits} />),
    column("input", t("usage.tokens.input"), ({ input_tokens: tokens }) => <Count value={tokens} />, "narrow"),
    column("output", t("usage.tokens.output"), ({ output_tokens: tokens }) => <Count value={tokens} />, "narrow"),
    column("p50", <span title={t("usage.latency")}>p50</span>, ({ p50_ms: ms }) => formatMs(ms), "narrow"),
    column("p95", <span title={t("usage.latency")}>p95</span>, ({ p95_ms: ms }) => formatMs(ms), "narrow"),
    column("p99", <span title={t("usage.latency")}>p99</span>, ({ p99_ms: ms }) => formatMs(ms), "narrow"),
    column("wait", t("usage.wait.p95"), ({ wait_p95_ms: ms }) => formatMs(ms), "narrow"),
  ];
}

type NameProps = Pick<TableProps, "nameOf" | "onOnly"> & { by: Side; value: string };

function Name({ by, value, nameOf, onOnly }: NameProps) {
  const text = nameOf(by, value);
  const side = by === "account" ? by : narrowings.find((name) => name === by);
  if (side === undefined || value === "*" || value === "") return <span className="usage-name">{text}</span>;
  return (
    <button
      type="button"
      className="usage-name usage-name--link"
      title={t("usage.only", { name: text })}
      onClick={() => onOnly({ [side]: value })}
    >
      {text}
    </button>
  );
}
