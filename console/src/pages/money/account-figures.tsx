import { t } from "../../i18n/translate.ts";
import { formatUsd, Money } from "../../ui/figures.tsx";
import { Meter, Stat, Stats } from "../../ui/stat.tsx";

type Figures = {
  available_usd: number;
  held_usd: number;
  used_usd: number;
  spent_this_month_usd?: number;
  monthly_budget_usd?: number | null;
};

/** What an account has, holds and has spent; and this month against its budget, where that is known. */
export function AccountFigures({ account }: { account: Figures }) {
  const { spent_this_month_usd: spent, monthly_budget_usd: budget = null } = account;
  return (
    <Stats>
      <Stat label={t("accounts.available")}>
        <Money usd={account.available_usd} />
      </Stat>
      <Stat label={t("accounts.held")} hint={t("accounts.held.hint")}>
        <Money usd={account.held_usd} />
      </Stat>
      <Stat label={t("accounts.used")} hint={t("accounts.used.hint")}>
        <Money usd={account.used_usd} />
      </Stat>
      {spent !== undefined && (
        <Stat
          label={t("accounts.month")}
          hint={
            budget === null ? (
              t("accounts.month.none")
            ) : (
              <span className="stack stack--s">
                {t("accounts.month.of", { budget: formatUsd(budget) })}
                <Meter value={spent} most={budget} label={t("accounts.month")} />
              </span>
            )
          }
        >
          <Money usd={spent} />
        </Stat>
      )}
    </Stats>
  );
}
