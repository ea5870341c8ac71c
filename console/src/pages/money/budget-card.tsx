import { useQuery } from "@tanstack/react-query";
import { client, read } from "../../api/client.ts";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { Badge } from "../../ui/badge.tsx";
import { formatUsd, Time } from "../../ui/figures.tsx";
import { Notice } from "../../ui/states.tsx";
import { MonthSpend } from "./month-spend.tsx";

type Budgeted = {
  id: string;
  monthly_budget_usd?: number | null;
  budget_alerts?: number[];
  spent_this_month_usd?: number;
};

/** What an account means to spend in a month, and the alerts it got. */
export function BudgetCard({ account }: { account: Budgeted }) {
  const { isStaff } = useSeat();
  const alerts = useQuery({
    queryKey: ["alerts", account.id],
    queryFn: () => {
      const limit = "20";
      return isStaff
        ? read(client.GET("/admin/v1/alerts", { params: { query: { limit, account: account.id } } }))
        : read(client.GET("/v1/alerts", { params: { query: { limit } } }));
    },
  });
  const { monthly_budget_usd: budget, spent_this_month_usd: spent, budget_alerts: marks = [] } = account;
  return (
    <section className="card stack">
      <h2>{t("money.budget")}</h2>
      {budget === undefined ? null : budget === null ? (
        <p className="muted">{t("money.budget.none")}</p>
      ) : (
        <div className="stack stack--s">
          <MonthSpend account={{ spent_this_month_usd: spent ?? 0, monthly_budget_usd: budget }} />
          <p className="muted small">
            {t("money.budget.marksAt", { marks: marks.map((mark) => `${mark} % (${formatUsd((budget * mark) / 100)})`).join(", ") })}
          </p>
        </div>
      )}
      {alerts.isError && <Notice tone="bad">{alerts.error.message}</Notice>}
      {alerts.data?.data.length === 0 && <p className="muted small">{t("money.alerts.none")}</p>}
      {alerts.data !== undefined && alerts.data.data.length > 0 && (
        <ul className="money-alerts">
          {alerts.data.data.map(({ id, kind, says, at }) => (
            <li key={id} className="money-alert">
              <Badge tone={kind === "balance" ? "bad" : "warn"}>{t(`money.alert.${kind}`)}</Badge>
              <span className="grow">{says}</span>
              <span className="muted small">
                <Time at={at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
