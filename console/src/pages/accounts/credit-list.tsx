import { client, read, type Reply } from "../../api/client.ts";
import { usePaged } from "../../api/paged.ts";
import { t } from "../../i18n/translate.ts";
import { Money, Time } from "../../ui/figures.tsx";
import { EmptyState, ErrorState } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import type { Account } from "./account-list.tsx";

/** What was credited to an account and taken back, newest first. */
export function CreditList({ account }: { account: Account }) {
  const list = usePaged(
    ["credits", account.id],
    (query) => read(client.GET("/admin/v1/credits", { params: { query: { ...query, account: account.id } } })),
    ({ id }) => id,
  );
  return (
    <section className="stack stack--s">
      <h2>{t("accounts.credits")}</h2>
      {list.error ? (
        <ErrorState error={list.error} onRetry={list.refetch} />
      ) : (
        <Table
          caption={t("accounts.credits")}
          columns={columns()}
          rows={list.rows}
          rowKey={({ id }) => id}
          more={list.more}
          empty={
            <EmptyState title={t("accounts.credits.none")} icon="money">
              {t("accounts.credits.none.hint")}
            </EmptyState>
          }
        />
      )}
    </section>
  );
}

type Credit = Reply<"/admin/v1/credits">["data"][number];

function columns(): Column<Credit>[] {
  return [
    { key: "at", head: t("ui.time"), cell: ({ created_at: at }) => <Time at={at} />, width: "10rem" },
    {
      key: "note",
      head: t("accounts.credits.note"),
      cell: ({ note }) => (note === "" ? <span className="muted">–</span> : <span className="accounts-note">{note}</span>),
    },
    { key: "amount", head: t("accounts.credits.amount"), align: "end", cell: ({ amount_usd: usd }) => <Money usd={usd} sign /> },
  ];
}
