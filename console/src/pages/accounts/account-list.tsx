import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { client, read, type Reply } from "../../api/client.ts";
import { usePaged } from "../../api/paged.ts";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Field, TextInput } from "../../ui/field.tsx";
import { Money, Time } from "../../ui/figures.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Page } from "../../ui/page.tsx";
import { EmptyState, ErrorState } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { toast } from "../../ui/toast.tsx";
import { MonthSpend } from "../money/month-spend.tsx";

export type Account = Reply<"/admin/v1/accounts">["data"][number];

/** All accounts with what they have, hold and spend. */
export function AccountList() {
  const { canWrite } = useSeat();
  const [isCreating, setCreating] = useState(false);
  const list = usePaged(
    ["accounts", "list"],
    (query) => read(client.GET("/admin/v1/accounts", { params: { query } })),
    ({ id }) => id,
  );
  const create = canWrite && (
    <Button variant="primary" icon="plus" onClick={() => setCreating(true)}>
      {t("accounts.new")}
    </Button>
  );
  return (
    <Page title={t("accounts.title")} hint={t("accounts.hint")} actions={create}>
      {list.error ? (
        <ErrorState error={list.error} onRetry={list.refetch} />
      ) : (
        <Table
          caption={t("accounts.title")}
          columns={columns()}
          rows={list.rows}
          rowKey={({ id }) => id}
          more={list.more}
          empty={
            <EmptyState title={t("accounts.none")} icon="key" action={create}>
              {t("accounts.none.hint")}
            </EmptyState>
          }
        />
      )}
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function columns(): Column<Account>[] {
  return [
    {
      key: "name",
      head: t("accounts.name"),
      cell: ({ id, name, frozen }) => (
        <span className="row">
          <Link href={`/accounts/${id}`} className="accounts-name" title={name}>
            {name}
          </Link>
          {frozen && <Badge tone="bad">{t("accounts.frozen")}</Badge>}
        </span>
      ),
    },
    {
      key: "available",
      head: t("accounts.available"),
      align: "end",
      cell: ({ available_usd: usd }) => <Money usd={usd} />,
    },
    { key: "held", head: t("accounts.held"), align: "end", hide: "narrow", cell: ({ held_usd: usd }) => <Money usd={usd} /> },
    { key: "used", head: t("accounts.used"), align: "end", hide: "narrow", cell: ({ used_usd: usd }) => <Money usd={usd} /> },
    { key: "month", head: t("accounts.month"), align: "end", hide: "narrow", cell: (account) => <MonthSpend account={account} /> },
    {
      key: "created",
      head: t("accounts.createdAt"),
      align: "end",
      hide: "narrow",
      cell: ({ created_at: at }) => <Time at={at} />,
    },
  ];
}

function CreateDialog({ onClose }: { onClose: () => void }) {
  const cache = useQueryClient();
  const [, go] = useLocation();
  const [name, setName] = useState("");
  const [credit, setCredit] = useState("");
  const create = async () => {
    const body = { name: name.trim(), ...(credit !== "" && { credit_usd: Number(credit) }) };
    const account = await read(client.POST("/admin/v1/accounts", { body }));
    await cache.invalidateQueries({ queryKey: ["accounts"] });
    toast(t("accounts.created", { name: account.name }), "good");
    go(`/accounts/${account.id}`);
  };
  return (
    <FormDialog title={t("accounts.new")} submit={t("accounts.create")} disabled={name.trim() === ""} onSubmit={create} onClose={onClose}>
      <Field label={t("accounts.name")}>
        <TextInput value={name} onChange={setName} maxLength={100} required autoComplete="off" />
      </Field>
      <Field label={t("accounts.firstCredit")} hint={t("accounts.firstCredit.hint")}>
        <TextInput type="number" inputMode="decimal" min={0} max={1_000_000} step="any" value={credit} onChange={setCredit} />
      </Field>
    </FormDialog>
  );
}
