import { useId, type ReactNode } from "react";
import { t } from "../i18n/translate.ts";
import { useAttempt } from "./attempt.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Notice } from "./states.tsx";

type FormDialogProps = {
  title: string;
  submit: string;
  onSubmit: () => Promise<unknown>;
  onClose: () => void;
  children: ReactNode;
  disabled?: boolean;
  size?: "s" | "m" | "l";
};

/** A form in a dialog: closes when it was accepted, and stays open with the reason if it was refused. */
export function FormDialog({ title, submit, onSubmit, onClose, children, disabled = false, size = "s" }: FormDialogProps) {
  const id = useId();
  const { busy, error, run } = useAttempt(onSubmit, onClose);
  return (
    <Dialog
      title={title}
      size={size}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t("ui.cancel")}</Button>
          <Button type="submit" form={id} variant="primary" busy={busy} disabled={disabled}>
            {submit}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        {children}
        {error && <Notice tone="bad">{error}</Notice>}
      </form>
    </Dialog>
  );
}
