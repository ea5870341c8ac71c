import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { asApiError } from "../../api/api-error.ts";
import { client, read } from "../../api/client.ts";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Time } from "../../ui/figures.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { toast } from "../../ui/toast.tsx";
import { getAttention, placeOf, type AttentionKind, type Matter } from "./attention.ts";
import "./attention.css";

const few = 4;
const pollMs = 10_000;

/** What an operator should look at first: nothing is shown when all is well. */
export function Attention() {
  const [isWhole, setWhole] = useState(false);
  const query = useQuery({ queryKey: ["attention"], queryFn: getAttention, refetchInterval: pollMs, retry: false });
  const matters = query.data?.matters ?? [];
  if (matters.length === 0) return null;
  const shown = isWhole ? matters : matters.slice(0, few);
  return (
    <section className="card card--flush attention" aria-labelledby="attention-title">
      <header className="attention__head row">
        <Icon name="alert" />
        <h2 id="attention-title">{t("tasks.attention")}</h2>
        <Badge tone="warn">{query.data?.hasMore ? `${matters.length}+` : matters.length}</Badge>
      </header>
      <ul>
        {shown.map((matter) => (
          <Line key={`${matter.kind} ${matter.id}`} matter={matter} />
        ))}
      </ul>
      {matters.length > few && (
        <div className="attention__more">
          <Button size="s" variant="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? t("tasks.attentionLess") : t("tasks.attentionMore", { n: matters.length - few })}
          </Button>
        </div>
      )}
    </section>
  );
}

const tones: Record<AttentionKind, Tone> = {
  unknown_outcome: "warn",
  dead_letter: "bad",
  stranded: "warn",
  breaker: "bad",
  books: "bad",
  alert: "warn",
};
const icons: Record<AttentionKind, IconName> = {
  unknown_outcome: "tasks",
  dead_letter: "webhook",
  stranded: "tasks",
  breaker: "plug",
  books: "money",
  alert: "money",
};

function Line({ matter }: { matter: Matter }) {
  const { accounts } = useSeat();
  const account = accounts.find(({ id }) => id === matter.account)?.name ?? matter.account;
  return (
    <li className="attention__line">
      <span className="attention__icon">
        <Icon name={icons[matter.kind]} />
      </span>
      <div className="attention__words">
        <div className="row">
          <Badge tone={tones[matter.kind]}>{t(`tasks.attention.${matter.kind}`)}</Badge>
          <span className="attention__what">{[matter.provider, account].filter(Boolean).join(" · ")}</span>
          <span className="small muted">{matter.until === null ? <Time at={matter.at} /> : <Until at={matter.until} />}</span>
        </div>
        <p className="small muted attention__says" title={matter.cause ?? undefined}>
          {matter.cause === null ? matter.says : `${matter.says} ${matter.cause}`}
        </p>
      </div>
      <div className="attention__acts">
        {matter.delivery !== null && <Resend delivery={matter.delivery} />}
        <Link href={placeOf(matter)} className="button button--plain button--s">
          {t("tasks.attention.look")}
        </Link>
      </div>
    </li>
  );
}

function Until({ at }: { at: number }) {
  return (
    <>
      {t("tasks.attention.until")} <Time at={at} look="clock" />
    </>
  );
}

/** Sends a webhook's message again. */
export function Resend({ delivery }: { delivery: string }) {
  const { canWrite } = useSeat();
  const cache = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  if (!canWrite) return null;
  const run = async () => {
    setBusy(true);
    try {
      await read(client.POST("/admin/v1/deliveries/{id}/resend", { params: { path: { id: delivery } } }));
      toast(t("tasks.resent"), "good");
    } catch (error) {
      toast(asApiError(error).message, "bad");
    }
    setBusy(false);
    await Promise.all([cache.invalidateQueries({ queryKey: ["attention"] }), cache.invalidateQueries({ queryKey: ["task"] })]);
  };
  return (
    <Button size="s" icon="refresh" busy={isBusy} onClick={() => void run()}>
      {t("tasks.resend")}
    </Button>
  );
}
