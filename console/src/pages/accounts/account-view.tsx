import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { client, read } from "../../api/client.ts";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Field, TextInput } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/progress.tsx";
import { ErrorState, Notice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { AccountFigures } from "../money/account-figures.tsx";
import { BudgetDialog } from "../money/budget-dialog.tsx";
import { CreditDialog } from "../money/credit-dialog.tsx";
import type { Account } from "./account-list.tsx";
import { CreditList } from "./credit-list.tsx";
import { KeyList } from "./key-list.tsx";

/** One account: its money, its keys, its credits. */
export function AccountView({ id }: { id: string }) {
  const account = useQuery({
    queryKey: ["accounts", "one", id],
    queryFn: () => read(client.GET("/admin/v1/accounts/{id}", { params: { path: { id } } })),
  });
  const { data } = account;
  return (
    <Page
      title={data?.name ?? t("accounts.title")}
      hint={
        <span className="accounts-crumbs">
          <Link href="/accounts">{t("accounts.back")}</Link>
          <span className="row accounts-id">
            <code className="truncate">{id}</code>
            <CopyButton text={id} />
          </span>
        </span>
      }
      actions={data && <Actions account={data} />}
    >
      {account.isError && data === undefined ? (
        <ErrorState error={account.error} onRetry={() => void account.refetch()} />
      ) : data === undefined ? (
        <Skeleton width="100%" height="6rem" />
      ) : (
        <>
          {data.frozen && <Notice tone="bad">{t("accounts.frozen.notice")}</Notice>}
          <AccountFigures account={data} />
          <KeyList account={data} />
          <CreditList account={data} />
        </>
      )}
    </Page>
  );
}

type Doing = "rename" | "freeze" | "credit" | "budget" | null;

function Actions({ account }: { account: Account }) {
  const { canWrite, switchAccount } = useSeat();
  const [doing, setDoing] = useState<Doing>(null);
  const [, go] = useLocation();
  const change = useAccountChange(account.id);
  const close = () => setDoing(null);
  const showMoney = () => {
    switchAccount(account.id);
    go("/money");
  };
  return (
    <>
      {account.frozen && <Badge tone="bad">{t("accounts.frozen")}</Badge>}
      <LinkButton to={`/usage?account=${account.id}`} icon="usage">
        {t("accounts.usage")}
      </LinkButton>
      <Button icon="money" onClick={showMoney}>
        {t("accounts.money")}
      </Button>
      {canWrite && (
        <>
          <Button onClick={() => setDoing("rename")}>{t("accounts.rename")}</Button>
          {account.frozen ? (
            <Button onClick={() => void change({ frozen: false }).then(() => toast(t("accounts.unfreeze.done"), "good"))}>
              {t("accounts.unfreeze")}
            </Button>
          ) : (
            <Button onClick={() => setDoing("freeze")}>{t("accounts.freeze")}</Button>
          )}
          <Button onClick={() => setDoing("budget")}>{t("money.budget.set")}</Button>
          <Button variant="primary" icon="plus" onClick={() => setDoing("credit")}>
            {t("money.credit.add")}
          </Button>
        </>
      )}
      {doing === "rename" && <RenameDialog account={account} onClose={close} />}
      {doing === "budget" && <BudgetDialog account={account} onClose={close} />}
      {doing === "credit" && <CreditDialog account={account} onClose={close} />}
      {doing === "freeze" && (
        <ConfirmDialog
          title={t("accounts.freeze.title", { name: account.name })}
          confirm={t("accounts.freeze")}
          onConfirm={() => change({ frozen: true }).then(() => toast(t("accounts.freeze.done"), "good"))}
          onClose={close}
        >
          <p>{t("accounts.freeze.text")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function RenameDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const [name, setName] = useState(account.name);
  const change = useAccountChange(account.id);
  return (
    <FormDialog
      title={t("accounts.rename")}
      submit={t("ui.save")}
      disabled={name.trim() === ""}
      onSubmit={() => change({ name: name.trim() })}
      onClose={onClose}
    >
      <Field label={t("accounts.name")}>
        <TextInput value={name} onChange={setName} maxLength={100} required autoComplete="off" />
      </Field>
    </FormDialog>
  );
}

function useAccountChange(id: string) {
  const cache = useQueryClient();
  return async (body: { name?: string; frozen?: boolean }) => {
    await read(client.PATCH("/admin/v1/accounts/{id}", { params: { path: { id } }, body }));
    await cache.invalidateQueries({ queryKey: ["accounts"] });
  };
}
