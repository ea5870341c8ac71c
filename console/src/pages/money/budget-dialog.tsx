import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client, read } from "../../api/client.ts";
import { t } from "../../i18n/translate.ts";
import { Field, TextInput } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toast.tsx";

type Budgeted = { id: string; name: string; monthly_budget_usd: number | null; budget_alerts: number[] };

/** Sets what an account means to spend in a month, and when somebody is told. */
export function BudgetDialog({ account, onClose }: { account: Budgeted; onClose: () => void }) {
  const cache = useQueryClient();
  const [budget, setBudget] = useState(account.monthly_budget_usd === null ? "" : String(account.monthly_budget_usd));
  const [marks, setMarks] = useState(account.budget_alerts.join(", "));
  const wanted = marksIn(marks);
  const save = async () => {
    const { id } = account;
    const body = { monthly_budget_usd: budget === "" ? null : Number(budget), ...(wanted !== null && { budget_alerts: wanted }) };
    await read(client.PATCH("/admin/v1/accounts/{id}", { params: { path: { id } }, body }));
    await cache.invalidateQueries({ queryKey: ["accounts"] });
    toast(t("money.budget.saved"), "good");
  };
  return (
    <FormDialog
      title={t("money.budget.title", { name: account.name })}
      submit={t("ui.save")}
      disabled={wanted === null}
      onSubmit={save}
      onClose={onClose}
    >
      <Field label={t("money.budget.amount")} hint={t("money.budget.amount.hint")}>
        <TextInput type="number" inputMode="decimal" min={0} max={1_000_000} step="any" value={budget} onChange={setBudget} />
      </Field>
      <Field
        label={t("money.budget.marks")}
        hint={t("money.budget.marks.hint")}
        error={wanted === null ? t("money.budget.marks.wrong") : null}
      >
        <TextInput value={marks} onChange={setMarks} inputMode="numeric" autoComplete="off" />
      </Field>
    </FormDialog>
  );
}

/** Whole per cents between commas or spaces; null when something else stands there. */
function marksIn(text: string): number[] | null {
  const marks = text
    .split(/[\s,，、%]+/)
    .filter((word) => word !== "")
    .map(Number);
  const isFine = marks.length > 0 && marks.length <= 10 && marks.every((mark) => Number.isInteger(mark) && mark >= 1 && mark <= 1000);
  return isFine ? [...new Set(marks)].sort((a, b) => a - b) : null;
}
