import { t } from "../../i18n/translate.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { formatUsd, Time } from "../../ui/figures.tsx";
import { useNow } from "../../ui/now.ts";
import { Meter } from "../../ui/stat.tsx";
import type { Key, KeyAct } from "./key.ts";

/** One key: what it may do, what it spent, and what can be done with it. */
export function KeyCard({ of: key, onAct }: { of: Key; onAct: ((doing: KeyAct) => void) | null }) {
  const isOver = key.revoked_at !== null;
  const limits = limitsOf(key);
  return (
    <li className="accounts-key">
      <div className="stack stack--s grow">
        <div className="row">
          <span className="accounts-key__name">{key.name}</span>
          <code className="muted">…{key.last_four}</code>
          <KeyState of={key} />
        </div>
        <div className="row accounts-key__limits">
          {limits.length === 0 && key.spend_cap_usd === null && <span className="muted small">{t("accounts.key.unlimited")}</span>}
          {limits.map(({ text, title }) => (
            <span key={text} title={title}>
              <Badge>{text}</Badge>
            </span>
          ))}
        </div>
        <div className="row small muted">
          <Spent of={key} />
          <span>
            {t("accounts.key.made")} <Time at={key.created_at} />
          </span>
          {key.expires_at !== null && (
            <span>
              {t("accounts.key.expires.at")} <Time at={key.expires_at} />
            </span>
          )}
        </div>
      </div>
      {onAct && !isOver && (
        <div className="row accounts-key__acts">
          <Button size="s" onClick={() => onAct({ act: "limits", of: key })}>
            {t("accounts.key.limits")}
          </Button>
          <Button size="s" onClick={() => onAct({ act: "rotate", of: key })}>
            {t("accounts.key.rotate")}
          </Button>
          <Button size="s" onClick={() => onAct({ act: "revoke", of: key })}>
            {t("accounts.key.revoke")}
          </Button>
        </div>
      )}
    </li>
  );
}

function KeyState({ of: { revoked_at: revoked, expires_at: expires } }: { of: Key }) {
  const now = useNow(20_000);
  if (revoked !== null) {
    return (
      <Badge tone="bad">
        {t("accounts.key.revoked")} <Time at={revoked} />
      </Badge>
    );
  }
  if (expires !== null && expires <= now) return <Badge tone="warn">{t("accounts.key.expired")}</Badge>;
  return <Badge tone="good">{t("accounts.key.active")}</Badge>;
}

function Spent({ of: { spent_usd: spent, spend_cap_usd: cap } }: { of: Key }) {
  if (cap === null) return <span className="number">{t("accounts.key.spent", { spent: formatUsd(spent) })}</span>;
  const text = t("accounts.key.spentOf", { spent: formatUsd(spent), cap: formatUsd(cap) });
  return (
    <span className="accounts-key__spent number">
      {text}
      <Meter value={spent} most={cap} label={text} />
    </span>
  );
}

function limitsOf(key: Key): { text: string; title: string }[] {
  const { scopes, models, ips, requests_per_minute: rpm, tokens_per_minute: tpm, concurrent_calls: calls, concurrent_tasks: tasks } = key;
  return [
    ...(scopes === null ? [] : [{ text: t("accounts.key.scopes.count", { n: scopes.length }), title: scopes.join(", ") }]),
    ...(models === null ? [] : [{ text: t("accounts.key.models.count", { n: models.length }), title: models.join(", ") }]),
    ...(ips === null ? [] : [{ text: t("accounts.key.ips.count", { n: ips.length }), title: ips.join(", ") }]),
    ...(rpm === null ? [] : [{ text: t("accounts.key.rpm.short", { n: rpm }), title: t("accounts.key.rpm") }]),
    ...(tpm === null ? [] : [{ text: t("accounts.key.tpm.short", { n: tpm }), title: t("accounts.key.tpm") }]),
    ...(calls === null ? [] : [{ text: t("accounts.key.calls.short", { n: calls }), title: t("accounts.key.calls") }]),
    ...(tasks === null ? [] : [{ text: t("accounts.key.tasks.short", { n: tasks }), title: t("accounts.key.tasks") }]),
  ];
}
