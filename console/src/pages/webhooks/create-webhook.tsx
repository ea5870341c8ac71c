import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { client, read } from "../../api/client.ts";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { Field, Select, TextInput } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { WebhookSecret } from "./ask-secret.tsx";
import { onBehalf } from "./webhook-data.ts";

const events = ["task.succeeded", "task.failed", "task.updated", "budget.reached", "balance.low"] as const;
type Event = (typeof events)[number];

/** Subscribes an address of an account, and shows its secret once. */
export function CreateWebhook({ account: first, onClose }: { account: string; onClose: () => void }) {
  const { isStaff, accounts } = useSeat();
  const cache = useQueryClient();
  const made = useRef<string | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [account, setAccount] = useState(first);
  const [url, setUrl] = useState("");
  const [chosen, setChosen] = useState<readonly Event[]>(["task.succeeded", "task.failed"]);
  const create = async () => {
    const body = { url: url.trim(), events: [...chosen] };
    const endpoint = await read(client.POST("/v1/webhooks", { body, headers: onBehalf(account, isStaff) }));
    made.current = endpoint.secret;
    await cache.invalidateQueries({ queryKey: ["webhooks"] });
  };
  if (secret !== null) return <WebhookSecret text={secret} onClose={onClose} />;
  const toggle = (event: Event) => setChosen(events.filter((each) => (each === event ? !chosen.includes(each) : chosen.includes(each))));
  return (
    <FormDialog
      title={t("webhooks.new")}
      submit={t("webhooks.create")}
      size="m"
      disabled={url.trim() === "" || chosen.length === 0}
      onSubmit={create}
      onClose={() => (made.current === null ? onClose() : setSecret(made.current))}
    >
      {isStaff && accounts.length > 1 && (
        <Field label={t("webhooks.account")}>
          <Select value={account} onChange={setAccount} options={accounts.map(({ id, name }) => ({ value: id, label: name }))} />
        </Field>
      )}
      <Field label={t("webhooks.url")} hint={t("webhooks.url.hint")}>
        <TextInput type="url" value={url} onChange={setUrl} placeholder="https://app.example/hooks/genway" maxLength={2048} required />
      </Field>
      <fieldset className="webhooks-events">
        <legend className="field__label">{t("webhooks.events")}</legend>
        {events.map((event) => (
          <label key={event} className="webhooks-event">
            <input type="checkbox" checked={chosen.includes(event)} onChange={() => toggle(event)} />
            <code>{event}</code>
          </label>
        ))}
      </fieldset>
    </FormDialog>
  );
}
