import type { ReactNode } from "react";
import { t } from "../i18n/translate.ts";

export type Tone = "neutral" | "accent" | "good" | "warn" | "bad";

export function Badge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge badge--${tone}`}>{children}</span>;
}

/** The status of a task in words and colour. */
export function StatusBadge({ status }: { status: string }) {
  switch (status) {
    case "SUBMITTED":
      return <Badge>{t("ui.status.submitted")}</Badge>;
    case "QUEUED":
      return <Badge>{t("ui.status.queued")}</Badge>;
    case "IN_PROGRESS":
      return <Badge tone="accent">{t("ui.status.running")}</Badge>;
    case "SUCCESS":
      return <Badge tone="good">{t("ui.status.done")}</Badge>;
    case "FAILURE":
      return <Badge tone="bad">{t("ui.status.failed")}</Badge>;
    default:
      return <Badge>{status}</Badge>;
  }
}
