import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, read } from "../../api/client.ts";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/progress.tsx";
import { EmptyState, ErrorState } from "../../ui/states.tsx";
import { AccountFigures } from "./account-figures.tsx";
import { BudgetCard } from "./budget-card.tsx";
import { BudgetDialog } from "./budget-dialog.tsx";
import { CreditDialog } from "./credit-dialog.tsx";
import { Ledger } from "./ledger.tsx";
import "./money.css";

export function MoneyPage() {
  const { account, isStaff } = useSeat();
  if (account === null) {
    return (
      <Page title={t("money.title")}>
        <EmptyState
          title={t("money.noAccount")}
          icon="money"
          action={isStaff && <LinkButton to="/accounts">{t("accounts.title")}</LinkButton>}
        />
      </Page>
    );
  }
  return isStaff ? <StaffMoney account={account} /> : <ClientMoney account={account} />;
}

type Named = { id: string; name: string };

/** Money of the chosen account, with what an operator may do about it. */
function StaffMoney({ account }: { account: Named }) {
  const { canWrite } = useSeat();
  const [doing, setDoing] = useState<"credit" | "budget" | null>(null);
  const { id } = account;
  const query = useQuery({
    queryKey: ["accounts", "one", id],
    queryFn: () => read(client.GET("/admin/v1/accounts/{id}", { params: { path: { id } } })),
    refetchInterval: 30_000,
  });
  const { data } = query;
  const actions = canWrite && data && (
    <>
      <Button onClick={() => setDoing("budget")}>{t("money.budget.set")}</Button>
      <Button variant="primary" icon="plus" onClick={() => setDoing("credit")}>
        {t("money.credit.add")}
      </Button>
    </>
  );
  return (
    <Page title={t("money.title")} hint={account.name} actions={actions}>
      {query.isError && data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : data === undefined ? (
        <Skeleton width="100%" height="6rem" />
      ) : (
        <>
          <AccountFigures account={data} />
          <BudgetCard account={data} />
        </>
      )}
      <Ledger account={account} />
      {data && doing === "credit" && <CreditDialog account={data} onClose={() => setDoing(null)} />}
      {data && doing === "budget" && <BudgetDialog account={data} onClose={() => setDoing(null)} />}
    </Page>
  );
}

/** Money as the owner of a key sees it. */
function ClientMoney({ account }: { account: Named }) {
  const query = useQuery({
    queryKey: ["balance", account.id],
    queryFn: () => read(client.GET("/v1/balance")),
    refetchInterval: 30_000,
  });
  const budget = useQuery({ queryKey: ["budget", account.id], queryFn: () => read(client.GET("/v1/budget")), refetchInterval: 30_000 });
  return (
    <Page title={t("money.title")} hint={account.name}>
      {query.isError && query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <Skeleton width="100%" height="6rem" />
      ) : (
        <>
          <AccountFigures account={query.data} />
          <BudgetCard account={{ id: account.id, ...budget.data }} />
        </>
      )}
      <Ledger account={account} />
    </Page>
  );
}
