import { useId, useState, type ReactNode } from "react";
import { asApiError } from "../api/api-error.ts";
import { t } from "../i18n/translate.ts";
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
  const [state, setState] = useState<{ busy: boolean; error: string | null }>({ busy: false, error: null });
  const run = async () => {
    setState({ busy: true, error: null });
    try {
      await onSubmit();
      onClose();
    } catch (error) {
      setState({ busy: false, error: asApiError(error).message });
    }
  };
  return (
    <Dialog
      title={title}
      size={size}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t("ui.cancel")}</Button>
          <Button type="submit" form={id} variant="primary" busy={state.busy} disabled={disabled}>
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
        {state.error && <Notice tone="bad">{state.error}</Notice>}
      </form>
    </Dialog>
  );
}
