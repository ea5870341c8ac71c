import { t } from "../../i18n/translate.ts";
import { formatUsd, Money } from "../../ui/figures.tsx";
import { Meter } from "../../ui/stat.tsx";

type Budgeted = { spent_this_month_usd: number; monthly_budget_usd: number | null };

/** What an account spent this month, against its budget where it has one. */
export function MonthSpend({ account }: { account: Budgeted }) {
  const { spent_this_month_usd: spent, monthly_budget_usd: budget } = account;
  return (
    <div className="month-spend">
      <div>
        <Money usd={spent} /> <span className="muted">{budget === null ? "" : t("accounts.month.of", { budget: formatUsd(budget) })}</span>
      </div>
      {budget !== null && <Meter value={spent} most={budget} label={t("accounts.month")} />}
    </div>
  );
}
