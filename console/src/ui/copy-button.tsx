import { useEffect, useState } from "react";
import { t } from "../i18n/translate.ts";
import { Button, IconButton } from "./button.tsx";
import { toast } from "./toast.tsx";

/** Copies a text; without children only the picture is shown. */
export function CopyButton({ text, label, children }: { text: string; label?: string; children?: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 1600);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    const isDone = await writeText(text);
    setCopied(isDone);
    if (!isDone) toast(t("ui.copyFailed"), "bad");
  };
  const icon = isCopied ? "check" : "copy";
  const name = isCopied ? t("ui.copied") : (label ?? t("ui.copy"));
  if (children === undefined) return <IconButton size="s" icon={icon} label={name} onClick={() => void copy()} />;
  return (
    <Button size="s" icon={icon} onClick={() => void copy()}>
      {isCopied ? t("ui.copied") : children}
    </Button>
  );
}

/** The clipboard needs a secure origin; elsewhere a hidden text is selected and copied. */
async function writeText(text: string): Promise<boolean> {
  if (window.isSecureContext) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "visually-hidden";
  document.body.append(area);
  area.select();
  const isDone = document.execCommand("copy");
  area.remove();
  return isDone;
}
