import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { DownloadButton, LinkButton } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/progress.tsx";
import { EmptyState, ErrorState } from "../../ui/states.tsx";
import { csvAddress, useNames, useUsage } from "./usage-data.ts";
import { UsageFilters } from "./usage-filters.tsx";
import { UsagePlots } from "./usage-plots.tsx";
import { useQuestion } from "./usage-question.ts";
import { UsageTable } from "./usage-table.tsx";
import { UsageTotals } from "./usage-totals.tsx";
import "./usage.css";

export function UsagePage() {
  const { isStaff } = useSeat();
  const { question, change, refresh } = useQuestion();
  const { all, grouped } = useUsage(question);
  const nameOf = useNames();
  const failed = all.error ?? grouped?.error ?? null;
  const total = all.data?.series[0];
  const shown = grouped === null ? all.data : grouped.data;
  // What is still shown of an earlier choice must not be named after the new one.
  const by = shown?.by === question.by ? question.by : null;
  return (
    <Page
      title={t("usage.title")}
      actions={
        <DownloadButton size="m" href={csvAddress(question, isStaff)} name="usage.csv">
          {t("usage.csv")}
        </DownloadButton>
      }
    >
      <UsageFilters question={question} change={change} refresh={refresh} step={all.data?.step} nameOf={nameOf} />
      {failed ? (
        <ErrorState error={failed} onRetry={() => void Promise.all([all.refetch(), grouped?.refetch()])} />
      ) : total === undefined || shown === undefined ? (
        <Skeleton width="100%" height="24rem" />
      ) : (
        <>
          <UsageTotals total={total.total} />
          {total.total.requests === 0 ? (
            <EmptyState title={t("usage.none")} icon="usage" action={<LinkButton to="/">{t("usage.none.action")}</LinkButton>}>
              {t("usage.none.hint")}
            </EmptyState>
          ) : (
            <>
              <UsagePlots series={shown.series} by={by} nameOf={nameOf} />
              <UsageTable
                series={shown.series}
                by={by}
                step={shown.step}
                nameOf={nameOf}
                onOnly={(narrowing) => change({ ...narrowing, by: null })}
              />
            </>
          )}
        </>
      )}
    </Page>
  );
}
