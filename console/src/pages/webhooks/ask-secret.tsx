import { useRef, useState } from "react";
import { t } from "../../i18n/translate.ts";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";

type AskSecretProps = { title: string; text: string; confirm: string; ask: () => Promise<string>; onClose: () => void };

/** Asks before a secret is replaced, then shows the new one. */
export function AskSecret({ title, text, confirm, ask, onClose }: AskSecretProps) {
  const made = useRef<string | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) return <WebhookSecret text={secret} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={title}
      confirm={confirm}
      onConfirm={async () => {
        made.current = await ask();
      }}
      onClose={() => (made.current === null ? onClose() : setSecret(made.current))}
    >
      <p>{text}</p>
    </ConfirmDialog>
  );
}

export function WebhookSecret({ text, onClose }: { text: string; onClose: () => void }) {
  return (
    <SecretDialog title={t("webhooks.secret.title")} text={text} onClose={onClose}>
      <p className="muted">{t("webhooks.secret.hint")}</p>
    </SecretDialog>
  );
}
