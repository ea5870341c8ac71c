import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client, read } from "../../api/client.ts";
import { t } from "../../i18n/translate.ts";
import { Field, Switch, TextArea, TextInput } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import type { Account } from "./account-list.tsx";
import { bodyOf, draftOf, linesOf, scopes, type KeyDraft, type Scope } from "./key-draft.ts";
import type { Key } from "./key.ts";

type KeyFormProps = { account: Account; of: Key | null; onMade: (text: string) => Promise<unknown>; onClose: () => void };

/** Makes a key with its limits, or changes those of one. */
export function KeyFormDialog({ account, of, onMade, onClose }: KeyFormProps) {
  const [draft, setDraft] = useState(() => draftOf(of));
  const cache = useQueryClient();
  const set = (change: Partial<KeyDraft>) => setDraft((before) => ({ ...before, ...change }));
  const save = async () => {
    if (of === null) {
      const made = await read(client.POST("/admin/v1/keys", { body: { account: account.id, ...bodyOf(draft) } }));
      await onMade(made.key);
      return;
    }
    await read(client.PATCH("/admin/v1/keys/{id}", { params: { path: { id: of.id } }, body: bodyOf(draft) }));
    await cache.invalidateQueries({ queryKey: ["keys"] });
    toast(t("accounts.key.changed"), "good");
  };
  return (
    <FormDialog
      title={of === null ? t("accounts.key.new") : t("accounts.key.limits.title", { name: of.name })}
      submit={of === null ? t("accounts.key.create") : t("ui.save")}
      size="m"
      disabled={draft.name.trim() === "" || draft.scopes?.length === 0}
      onSubmit={save}
      onClose={onClose}
    >
      <Field label={t("accounts.key.name")} hint={t("accounts.key.name.hint")}>
        <TextInput value={draft.name} onChange={(name) => set({ name })} maxLength={100} required autoComplete="off" />
      </Field>
      <p className="muted small">{t("accounts.key.limits.empty")}</p>
      <Figures draft={draft} set={set} />
      <ModelNames draft={draft} set={set} />
      <Field label={t("accounts.key.ips")} hint={t("accounts.key.ips.hint")}>
        <TextArea className="mono" rows={2} value={draft.ips} onChange={(ips) => set({ ips })} spellCheck={false} />
      </Field>
      <Scopes draft={draft} set={set} />
    </FormDialog>
  );
}

type Part = { draft: KeyDraft; set: (change: Partial<KeyDraft>) => void };

function Figures({ draft, set }: Part) {
  const whole = { type: "number", inputMode: "numeric", min: 1, step: 1 } as const;
  return (
    <div className="accounts-figures">
      <Field label={t("accounts.key.cap")} hint={t("accounts.key.cap.hint")}>
        <TextInput type="number" inputMode="decimal" min={0} step="any" value={draft.cap} onChange={(cap) => set({ cap })} />
      </Field>
      <Field label={t("accounts.key.expires")} hint={t("accounts.key.expires.hint")}>
        <TextInput type="datetime-local" value={draft.expires} onChange={(expires) => set({ expires })} />
      </Field>
      <Field label={t("accounts.key.rpm")}>
        <TextInput {...whole} value={draft.rpm} onChange={(rpm) => set({ rpm })} />
      </Field>
      <Field label={t("accounts.key.tpm")}>
        <TextInput {...whole} value={draft.tpm} onChange={(tpm) => set({ tpm })} />
      </Field>
      <Field label={t("accounts.key.calls")}>
        <TextInput {...whole} value={draft.calls} onChange={(calls) => set({ calls })} />
      </Field>
      <Field label={t("accounts.key.tasks")}>
        <TextInput {...whole} value={draft.tasks} onChange={(tasks) => set({ tasks })} />
      </Field>
    </div>
  );
}

function ModelNames({ draft, set }: Part) {
  const models = useQuery({ queryKey: ["models", "admin"], queryFn: () => read(client.GET("/admin/v1/models")) });
  const known = models.data?.data.map(({ name }) => name) ?? null;
  const unknown = known === null ? [] : (linesOf(draft.models) ?? []).filter((name) => !known.some((each) => fits(each, name)));
  return (
    <Field
      label={t("accounts.key.models")}
      hint={unknown.length > 0 ? t("accounts.key.models.unknown", { names: unknown.join(", ") }) : t("accounts.key.models.hint")}
    >
      <TextArea className="mono" rows={2} value={draft.models} onChange={(value) => set({ models: value })} spellCheck={false} />
    </Field>
  );
}

/** Whether a name of the configuration, which may end in a star, means this one. */
function fits(configured: string, name: string): boolean {
  return configured.endsWith("*") ? name.startsWith(configured.slice(0, -1)) : configured === name;
}

function Scopes({ draft, set }: Part) {
  const chosen = draft.scopes;
  const toggle = (scope: Scope) =>
    set({ scopes: scopes.filter((each) => (each === scope ? !chosen?.includes(each) : chosen?.includes(each))) });
  return (
    <fieldset className="accounts-scopes">
      <legend className="field__label">{t("accounts.key.scopes")}</legend>
      <Switch
        label={t("accounts.key.scopes.all")}
        checked={chosen === null}
        onChange={(isAll) => set({ scopes: isAll ? null : [...scopes] })}
      />
      {chosen !== null && (
        <div className="accounts-scopes__list">
          {scopes.map((scope) => (
            <label key={scope} className="accounts-scope">
              <input type="checkbox" checked={chosen.includes(scope)} onChange={() => toggle(scope)} />
              <code>{scope}</code>
            </label>
          ))}
        </div>
      )}
    </fieldset>
  );
}
