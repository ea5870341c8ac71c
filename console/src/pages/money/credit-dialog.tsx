import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client, read } from "../../api/client.ts";
import { t } from "../../i18n/translate.ts";
import { Field, TextInput } from "../../ui/field.tsx";
import { formatUsd } from "../../ui/figures.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { toast } from "../../ui/toast.tsx";

type Direction = "add" | "take";

/** Adds credit to an account, or takes some back. */
export function CreditDialog({ account, onClose }: { account: { id: string; name: string; available_usd: number }; onClose: () => void }) {
  const cache = useQueryClient();
  const [direction, setDirection] = useState<Direction>("add");
  const [amount, setAmount] = useState("");
  const [note, setNote] = useState("");
  const usd = Number(amount) * (direction === "add" ? 1 : -1);
  const after = account.available_usd + usd;
  const credit = async () => {
    const done = await read(client.POST("/admin/v1/credits", { body: { account: account.id, amount_usd: usd, note: note.trim() } }));
    await Promise.all(["accounts", "balance", "ledger", "credits"].map((name) => cache.invalidateQueries({ queryKey: [name] })));
    toast(t("money.credit.done", { name: account.name, usd: formatUsd(done.available_usd) }), "good");
  };
  return (
    <FormDialog
      title={t("money.credit.title", { name: account.name })}
      submit={direction === "add" ? t("money.credit.add") : t("money.credit.take")}
      disabled={!(Number(amount) > 0) || after < 0}
      onSubmit={credit}
      onClose={onClose}
    >
      <Tabs
        label={t("money.credit.direction")}
        look="pill"
        tabs={[
          { value: "add", label: t("money.credit.add") },
          { value: "take", label: t("money.credit.take") },
        ]}
        value={direction}
        onChange={setDirection}
      />
      <Field
        label={t("money.credit.amount")}
        error={after < 0 ? t("money.credit.tooMuch", { usd: formatUsd(account.available_usd) }) : null}
        hint={t("money.credit.after", { usd: formatUsd(after) })}
      >
        <TextInput type="number" inputMode="decimal" min={0} max={1_000_000} step="any" value={amount} onChange={setAmount} required />
      </Field>
      <Field label={t("money.credit.note")} hint={t("money.credit.note.hint")}>
        <TextInput value={note} onChange={setNote} maxLength={500} />
      </Field>
    </FormDialog>
  );
}
