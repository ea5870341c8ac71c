import { Link } from "wouter";
import { client, read, type Reply } from "../../api/client.ts";
import { usePaged } from "../../api/paged.ts";
import { useSeat } from "../../app/session.tsx";
import { isKey, t } from "../../i18n/translate.ts";
import { useAddress } from "../../ui/address.ts";
import { AlignedUsd, digitsFor } from "../../ui/aligned-usd.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button, DownloadButton } from "../../ui/button.tsx";
import { Field, TextInput } from "../../ui/field.tsx";
import { Time } from "../../ui/figures.tsx";
import { EmptyState, ErrorState } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";

type Row = Reply<"/v1/ledger">["data"][number];
type Range = { from?: string; to?: string };

/** Every movement of an account's money, with the balance after it. */
export function Ledger({ account }: { account: { id: string; name: string } }) {
  const { isStaff } = useSeat();
  const { search, change } = useAddress();
  const from = search.get("from") ?? "";
  const to = search.get("to") ?? "";
  const range: Range = { ...(from !== "" && { from: dayStart(from, 0) }), ...(to !== "" && { to: dayStart(to, 1) }) };
  const list = usePaged(
    ["ledger", account.id, range],
    (page) => {
      const query = { ...page, ...range };
      return isStaff
        ? read(client.GET("/admin/v1/accounts/{id}/ledger", { params: { path: { id: account.id }, query } }))
        : read(client.GET("/v1/ledger", { params: { query } }));
    },
    ({ id }) => id,
  );
  const base = isStaff ? `/admin/v1/accounts/${encodeURIComponent(account.id)}/ledger` : "/v1/ledger";
  return (
    <section className="stack stack--s">
      <div className="row row--between money-ledger-head">
        <div>
          <h2>{t("money.ledger")}</h2>
          <p className="muted small">{t("money.ledger.hint")}</p>
        </div>
        <Tools
          from={from}
          to={to}
          change={change}
          csv={`${base}?${new URLSearchParams({ format: "csv", ...range }).toString()}`}
          name={account.name}
        />
      </div>
      <Unposted usd={list.first?.unposted_usd ?? 0} />
      {list.error ? (
        <ErrorState error={list.error} onRetry={list.refetch} />
      ) : (
        <Table
          caption={t("money.ledger")}
          columns={columns(digitsFor((list.rows ?? []).flatMap((row) => [row.amount_usd, row.held_usd, row.balance_usd])))}
          rows={list.rows}
          rowKey={({ id, kind }) => `${id} ${kind}`}
          more={list.more}
          empty={
            <EmptyState title={from || to ? t("money.ledger.noneHere") : t("money.ledger.none")} icon="money">
              {t("money.ledger.none.hint")}
            </EmptyState>
          }
        />
      )}
    </section>
  );
}

/** What is gone from the balance and has no row yet. */
function Unposted({ usd }: { usd: number }) {
  if (usd === 0) return null;
  return (
    <p className="small muted">
      {t("money.ledger.unposted")} <AlignedUsd usd={-usd} digits={digitsFor([usd])} />
    </p>
  );
}

type ToolsProps = { from: string; to: string; change: ReturnType<typeof useAddress>["change"]; csv: string; name: string };

function Tools({ from, to, change, csv, name }: ToolsProps) {
  return (
    <div className="row money-ledger-tools">
      <Field label={t("money.ledger.from")}>
        <TextInput type="date" value={from} max={to || undefined} onChange={(value) => change({ from: value })} />
      </Field>
      <Field label={t("money.ledger.to")}>
        <TextInput type="date" value={to} min={from || undefined} onChange={(value) => change({ to: value })} />
      </Field>
      {(from !== "" || to !== "") && (
        <Button variant="quiet" onClick={() => change({ from: null, to: null })}>
          {t("money.ledger.clear")}
        </Button>
      )}
      <DownloadButton size="m" href={csv} name={`ledger-${name}.csv`}>
        {t("money.ledger.csv")}
      </DownloadButton>
    </div>
  );
}

/** Unix seconds at which a day begins here; the next one for the end of a range. */
function dayStart(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return String(Math.floor(new Date(year, month - 1, date + later).getTime() / 1000));
}

function columns(digits: number): Column<Row>[] {
  return [
    { key: "at", head: t("ui.time"), width: "8rem", cell: ({ at }) => <Time at={at} /> },
    { key: "kind", head: t("money.ledger.kind"), width: "6rem", cell: ({ kind }) => <Kind kind={kind} /> },
    { key: "what", head: t("money.ledger.what"), hide: "narrow", cell: (row) => <What row={row} /> },
    { key: "amount", head: t("money.ledger.amount"), align: "end", cell: ({ amount_usd: usd }) => <Change usd={usd} digits={digits} /> },
    {
      key: "held",
      head: t("money.ledger.held"),
      align: "end",
      hide: "narrow",
      cell: ({ held_usd: usd }) => <Change usd={usd} digits={digits} />,
    },
    {
      key: "balance",
      head: t("money.ledger.balance"),
      align: "end",
      cell: ({ balance_usd: usd }) => <AlignedUsd usd={usd} digits={digits} />,
    },
  ];
}

function Kind({ kind }: { kind: string }) {
  const key = `money.kind.${kind}`;
  const tone = { credit: "good", charge: "accent", settle: "accent" }[kind];
  return <Badge tone={tone === "good" || tone === "accent" ? tone : "neutral"}>{isKey(key) ? t(key) : kind}</Badge>;
}

function What({ row: { task, note } }: { row: Row }) {
  return (
    <span className="money-what">
      {note !== "" && <span>{note}</span>}
      {task !== null && (
        <Link href={`/tasks/${task}`} className="mono">
          {t("money.task")} {task}
        </Link>
      )}
      {note === "" && task === null && <span className="muted">–</span>}
    </span>
  );
}

function Change({ usd, digits }: { usd: number; digits: number }) {
  if (usd === 0) return <span className="muted">–</span>;
  return (
    <span className={usd > 0 ? "money-plus" : undefined}>
      <AlignedUsd usd={usd} digits={digits} sign />
    </span>
  );
}
