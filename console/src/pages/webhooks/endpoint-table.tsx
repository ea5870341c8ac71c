import { Link } from "wouter";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Time } from "../../ui/figures.tsx";
import { EmptyState, ErrorState } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { useEndpoints, type Endpoint } from "./webhook-data.ts";

/** Subscriptions with their events and state. */
export function EndpointTable({ account, onCreate }: { account: string | null; onCreate: (() => void) | null }) {
  const { isStaff, accounts } = useSeat();
  const list = useEndpoints(account);
  if (list.error) return <ErrorState error={list.error} onRetry={list.refetch} />;
  const nameOf = (id: string) => accounts.find((each) => each.id === id)?.name ?? id;
  return (
    <Table
      caption={t("webhooks.tab.endpoints")}
      columns={columns(isStaff ? nameOf : null)}
      rows={list.rows}
      rowKey={({ id }) => id}
      more={list.more}
      empty={
        <EmptyState
          title={t("webhooks.none")}
          icon="webhook"
          action={
            onCreate && (
              <Button icon="plus" onClick={onCreate}>
                {t("webhooks.new")}
              </Button>
            )
          }
        >
          {t("webhooks.none.hint")}
        </EmptyState>
      }
    />
  );
}

function columns(nameOf: ((account: string) => string) | null): Column<Endpoint>[] {
  return [
    {
      key: "url",
      head: t("webhooks.url"),
      cell: ({ id, url }) => (
        <Link href={`/webhooks/${id}`} className="webhooks-url">
          {url}
        </Link>
      ),
    },
    ...(nameOf
      ? [
          {
            key: "account",
            head: t("webhooks.account"),
            hide: "narrow" as const,
            cell: ({ account }: Endpoint) => (
              <Link href={`/accounts/${account}`} className="webhooks-url">
                {nameOf(account)}
              </Link>
            ),
          },
        ]
      : []),
    {
      key: "events",
      head: t("webhooks.events"),
      hide: "narrow",
      cell: ({ events }) => (
        <div className="row webhooks-badges">
          {events.map((event) => (
            <Badge key={event}>{event}</Badge>
          ))}
        </div>
      ),
    },
    { key: "state", head: t("webhooks.state"), cell: ({ disabled }) => <EndpointState disabled={disabled} /> },
    { key: "created", head: t("webhooks.createdAt"), align: "end", hide: "narrow", cell: ({ created_at: at }) => <Time at={at} /> },
  ];
}

export function EndpointState({ disabled }: { disabled: boolean }) {
  return disabled ? (
    <span title={t("webhooks.disabled.hint")}>
      <Badge tone="bad">{t("webhooks.disabled")}</Badge>
    </span>
  ) : (
    <Badge tone="good">{t("webhooks.active")}</Badge>
  );
}
