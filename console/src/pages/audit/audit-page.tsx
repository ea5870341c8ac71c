import { Link } from "wouter";
import { client, read, type Reply } from "../../api/client.ts";
import { usePaged } from "../../api/paged.ts";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Time } from "../../ui/figures.tsx";
import { Page } from "../../ui/page.tsx";
import { EmptyState, ErrorState } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import "./audit.css";

type Act = Reply<"/admin/v1/audit">["data"][number];

export function AuditPage() {
  const { accounts } = useSeat();
  const list = usePaged(
    ["audit"],
    (query) => read(client.GET("/admin/v1/audit", { params: { query } })),
    ({ id }) => id,
  );
  const nameOf = (id: string) => accounts.find((account) => account.id === id)?.name;
  return (
    <Page title={t("audit.title")} hint={t("audit.hint")}>
      {list.error ? (
        <ErrorState error={list.error} onRetry={list.refetch} />
      ) : (
        <Table
          caption={t("audit.title")}
          columns={columns(nameOf)}
          rows={list.rows}
          rowKey={({ id }) => id}
          more={list.more}
          empty={
            <EmptyState title={t("audit.none")} icon="audit">
              {t("audit.none.hint")}
            </EmptyState>
          }
        />
      )}
    </Page>
  );
}

function columns(nameOf: (account: string) => string | undefined): Column<Act>[] {
  return [
    { key: "at", head: t("ui.time"), width: "9rem", cell: ({ at }) => <Time at={at} /> },
    { key: "actor", head: t("audit.actor"), hide: "narrow", cell: ({ actor }) => <span className="audit-text">{actor}</span> },
    { key: "act", head: t("audit.act"), cell: ({ act }) => <code>{act}</code> },
    {
      key: "subject",
      head: t("audit.subject"),
      cell: ({ act, subject }) => <Subject act={act} subject={subject} name={nameOf(subject)} />,
    },
    { key: "detail", head: t("audit.detail"), hide: "narrow", cell: (act) => <Detail act={act} /> },
  ];
}

function Subject({ act, subject, name }: { act: string; subject: string; name: string | undefined }) {
  if (name !== undefined) {
    return (
      <Link href={`/accounts/${subject}`} className="audit-text" title={subject}>
        {name}
      </Link>
    );
  }
  if (act.startsWith("task.")) {
    return (
      <Link href={`/tasks/${subject}`} className="audit-text mono">
        {subject}
      </Link>
    );
  }
  return <span className="audit-text mono">{subject}</span>;
}

function Detail({ act: { act, detail } }: { act: Act }) {
  const short = JSON.stringify(detail) ?? "";
  if (short === "{}" || short === "" || short === "null") return <span className="muted">–</span>;
  return (
    <details className="audit-detail">
      <summary className="mono truncate" title={t("audit.detail.of", { act })}>
        {short}
      </summary>
      <CodeBlock code={JSON.stringify(detail, null, 2)} label={t("audit.detail.of", { act })} />
    </details>
  );
}
