import { useState, type ReactNode } from "react";
import { t } from "../i18n/translate.ts";
import { Button } from "./button.tsx";
import { CopyButton } from "./copy-button.tsx";
import { Dialog } from "./dialog.tsx";
import { Notice } from "./states.tsx";
import "./secret-dialog.css";

/** Shows a secret, this once; a slip of the hand does not close it. */
export function SecretDialog({
  title,
  text,
  onClose,
  children,
}: {
  title: string;
  text: string;
  onClose: () => void;
  children?: ReactNode;
}) {
  const [isReminded, setReminded] = useState(false);
  return (
    <Dialog
      title={title}
      onClose={() => setReminded(true)}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t("accounts.once.done")}
        </Button>
      }
    >
      <Notice tone="warn">{isReminded ? t("accounts.once.reminder") : t("accounts.once.warning")}</Notice>
      <div className="secret">
        <code className="secret__text" data-testid="secret">
          {text}
        </code>
        <CopyButton text={text}>{t("ui.copy")}</CopyButton>
      </div>
      {children}
    </Dialog>
  );
}
