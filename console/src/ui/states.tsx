import type { ReactNode } from "react";
import { asApiError } from "../api/api-error.ts";
import { t } from "../i18n/translate.ts";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";
import type { Tone } from "./badge.tsx";

/** What a page says when there is nothing to show, and what to do about it. */
export function EmptyState({
  title,
  icon = "sparkle",
  children,
  action,
}: {
  title: string;
  icon?: IconName;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="state">
      <span className="state__icon">
        <Icon name={icon} />
      </span>
      <p className="state__title">{title}</p>
      {children && <div className="state__text">{children}</div>}
      {action}
    </div>
  );
}

/** What a page says when it could not load; with the request id for whoever looks into the log. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { status, message, code, requestId } = asApiError(error);
  return (
    <div className="state" role="alert">
      <span className="state__icon state__icon--bad">
        <Icon name="alert" />
      </span>
      <p className="state__title">{status === 0 ? t("ui.unreachable") : t("ui.failed")}</p>
      <div className="state__text">
        {message}
        <div className="small muted mono">{[code, requestId].filter(Boolean).join(" · ")}</div>
      </div>
      {onRetry && (
        <Button icon="refresh" onClick={onRetry}>
          {t("ui.retry")}
        </Button>
      )}
    </div>
  );
}

/** A short remark in place. */
export function Notice({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <div className={`notice notice--${tone}`} role={tone === "bad" ? "alert" : undefined}>
      <Icon name={tone === "bad" || tone === "warn" ? "alert" : "info"} />
      <div className="grow">{children}</div>
    </div>
  );
}
