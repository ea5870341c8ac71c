import { useQuery } from "@tanstack/react-query";
import { client, read, type Reply } from "../../api/client.ts";
import { t } from "../../i18n/translate.ts";
import { Badge } from "../../ui/badge.tsx";
import { Money, Time } from "../../ui/figures.tsx";
import { EmptyState, ErrorState } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";

/** The processes that share the database. */
export function NodeTable() {
  const nodes = useQuery({
    queryKey: ["nodes"],
    queryFn: () => read(client.GET("/admin/v1/nodes")),
    refetchInterval: 10_000,
  });
  return (
    <section className="stack stack--s">
      <h2>{t("system.nodes")}</h2>
      {nodes.isError && nodes.data === undefined ? (
        <ErrorState error={nodes.error} onRetry={() => void nodes.refetch()} />
      ) : (
        <Table
          caption={t("system.nodes")}
          columns={columns()}
          rows={nodes.data?.data}
          rowKey={({ id }) => id}
          empty={<EmptyState title={t("system.nodes.none")} icon="system" />}
        />
      )}
    </section>
  );
}

type Node = Reply<"/admin/v1/nodes">["data"][number];

function columns(): Column<Node>[] {
  return [
    { key: "name", head: t("system.nodes.name"), cell: ({ name }) => <span className="system-node">{name}</span> },
    { key: "role", head: t("system.nodes.role"), cell: ({ role }) => <Badge>{role}</Badge> },
    { key: "version", head: t("system.nodes.version"), hide: "narrow", cell: ({ version }) => version },
    {
      key: "started",
      head: t("system.nodes.started"),
      align: "end",
      hide: "narrow",
      cell: ({ started_at: at }) => <Time at={at} />,
    },
    { key: "seen", head: t("system.nodes.seen"), align: "end", cell: ({ seen_at: at }) => <Time at={at} /> },
    {
      key: "leased",
      head: t("system.nodes.leased"),
      align: "end",
      hide: "narrow",
      cell: ({ leased_usd: usd }) => <Money usd={usd} />,
    },
  ];
}
