import { useEffect, useId, useRef, type ReactNode } from "react";
import { t } from "../i18n/translate.ts";
import { useAttempt } from "./attempt.ts";
import { Button, IconButton } from "./button.tsx";
import { Notice } from "./states.tsx";

type DialogProps = { title: string; onClose: () => void; children: ReactNode; actions?: ReactNode; size?: "s" | "m" | "l" };

/** A modal dialog on the browser's own <dialog>: rendered means open; Escape and the backdrop close it. */
export function Dialog({ title, onClose, children, actions, size = "m" }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    if (dialog !== null && !dialog.open) dialog.showModal();
  }, []);
  useEffect(() => {
    const dialog = element.current;
    const onPress = (event: MouseEvent) => event.target === dialog && onClose();
    dialog?.addEventListener("mousedown", onPress);
    return () => dialog?.removeEventListener("mousedown", onPress);
  }, [onClose]);
  return (
    <dialog
      ref={element}
      className={`dialog dialog--${size}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header className="dialog__head">
        <h2 id={id}>{title}</h2>
        <IconButton label={t("ui.close")} icon="close" onClick={onClose} />
      </header>
      <div className="dialog__body">{children}</div>
      {actions && <footer className="dialog__foot">{actions}</footer>}
    </dialog>
  );
}

type ConfirmProps = { title: string; children: ReactNode; confirm: string; onConfirm: () => Promise<unknown>; onClose: () => void };

/** Asks before something that cannot be undone; stays open with the reason if it is refused. */
export function ConfirmDialog({ title, children, confirm, onConfirm, onClose }: ConfirmProps) {
  const { busy, error, run } = useAttempt(onConfirm, onClose);
  return (
    <Dialog
      title={title}
      size="s"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t("ui.cancel")}</Button>
          <Button variant="danger" busy={busy} onClick={() => void run()}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
      {error && <Notice tone="bad">{error}</Notice>}
    </Dialog>
  );
}
