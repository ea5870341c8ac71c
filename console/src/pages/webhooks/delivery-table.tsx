import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { asApiError } from "../../api/api-error.ts";
import { useSeat } from "../../app/session.tsx";
import { formatNumber, isKey, t } from "../../i18n/translate.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Time } from "../../ui/figures.tsx";
import { EmptyState, ErrorState } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { toast } from "../../ui/toast.tsx";
import { BodyDialog } from "./body-dialog.tsx";
import { resend, type Delivery, type useDeliveries } from "./webhook-data.ts";

type DeliveryTableProps = { list: ReturnType<typeof useDeliveries>; showsTarget: boolean };

/** Messages with what became of them; each can be sent again. */
export function DeliveryTable({ list, showsTarget }: DeliveryTableProps) {
  const { canWrite } = useSeat();
  if (list.error) return <ErrorState error={list.error} onRetry={list.refetch} />;
  return (
    <Table
      caption={t("webhooks.deliveries")}
      columns={columns(showsTarget, canWrite)}
      rows={list.rows}
      rowKey={({ id }) => id}
      more={list.more}
      empty={
        <EmptyState title={t("webhooks.deliveries.none")} icon="webhook">
          {t("webhooks.deliveries.none.hint")}
        </EmptyState>
      }
    />
  );
}

function columns(showsTarget: boolean, canWrite: boolean): Column<Delivery>[] {
  const target: Column<Delivery> = {
    key: "to",
    head: t("webhooks.delivery.to"),
    hide: "narrow",
    cell: (delivery) => <Target delivery={delivery} />,
  };
  const again: Column<Delivery> = {
    key: "again",
    head: <HiddenHead text={t("webhooks.resend")} />,
    align: "end",
    cell: (delivery) => <Resend delivery={delivery} />,
  };
  return [
    { key: "at", head: t("ui.time"), hide: "narrow", cell: ({ created_at: at }) => <Time at={at} /> },
    {
      key: "type",
      head: t("webhooks.delivery.type"),
      cell: (delivery) => <What delivery={delivery} />,
    },
    ...(showsTarget ? [target] : []),
    { key: "state", head: t("webhooks.state"), cell: (delivery) => <StateCell delivery={delivery} /> },
    {
      key: "attempts",
      head: t("webhooks.delivery.attempts"),
      align: "end",
      hide: "narrow",
      cell: ({ attempts }) => formatNumber(attempts),
    },
    { key: "last", head: t("webhooks.delivery.last"), hide: "narrow", cell: (delivery) => <Answer delivery={delivery} /> },
    ...(canWrite ? [again] : []),
  ];
}

/** What a message is about; its type opens what was sent. */
function What({ delivery }: { delivery: Delivery }) {
  const { type, task } = delivery;
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="webhooks-what">
      <button type="button" className="webhooks-type" onClick={() => setOpen(true)} title={t("webhooks.body.show")}>
        <code>{type}</code>
      </button>
      {task !== null && (
        <Link href={`/tasks/${task}`} className="mono webhooks-task" title={task}>
          {t("webhooks.delivery.task")} …{task.slice(-8)}
        </Link>
      )}
      {isOpen && <BodyDialog delivery={delivery} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** A heading that is only read out; positioned, so that it cannot widen the page. */
function HiddenHead({ text }: { text: string }) {
  return (
    <span className="webhooks-head">
      <span className="visually-hidden">{text}</span>
    </span>
  );
}

/** The state; on a phone, which has no room for its column, also the answer. */
function StateCell({ delivery }: { delivery: Delivery }) {
  return (
    <>
      <DeliveryState state={delivery.state} />
      <div className="webhooks-narrow">
        <Answer delivery={delivery} />
      </div>
    </>
  );
}

function Target({ delivery: { webhook, url } }: { delivery: Delivery }) {
  if (webhook !== null) {
    return (
      <Link href={`/webhooks/${webhook}`} className="webhooks-url">
        {url}
      </Link>
    );
  }
  return (
    <div className="webhooks-what">
      <span className="webhooks-url">{url}</span>
      <span className="muted">{t("webhooks.delivery.inline")}</span>
    </div>
  );
}

function DeliveryState({ state }: { state: string }) {
  const tones: Record<string, Tone> = { delivered: "good", failed: "bad", dropped: "warn", pending: "accent" };
  const key = `webhooks.state.${state}`;
  return <Badge tone={tones[state] ?? "neutral"}>{isKey(key) ? t(key) : state}</Badge>;
}

function Answer({ delivery: { last_status: status, last_error: error, delivered_at: at } }: { delivery: Delivery }) {
  return (
    <div className="webhooks-what">
      <span>
        {status !== null && <span className="number">{t("webhooks.delivery.status", { status: String(status) })} </span>}
        {at !== null && (
          <span className="muted">
            {t("webhooks.delivery.took")} <Time at={at} />
          </span>
        )}
      </span>
      {error !== null && error !== `answered ${status}` && <span className="webhooks-error">{error}</span>}
      {status === null && error === null && at === null && <span className="muted">–</span>}
    </div>
  );
}

function Resend({ delivery }: { delivery: Delivery }) {
  const { isStaff } = useSeat();
  const cache = useQueryClient();
  const again = useMutation({
    mutationFn: () => resend(delivery, isStaff),
    onSuccess: () => toast(t("webhooks.resend.done"), "good"),
    onError: (error) => toast(asApiError(error).message, "bad"),
    onSettled: () => cache.invalidateQueries({ queryKey: ["deliveries"] }),
  });
  return (
    <Button size="s" icon="refresh" busy={again.isPending} aria-label={t("webhooks.resend")} onClick={() => again.mutate()}>
      <span className="webhooks-again">{t("webhooks.resend")}</span>
    </Button>
  );
}
