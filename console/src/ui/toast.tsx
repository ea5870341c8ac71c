import { useSyncExternalStore } from "react";
import { t } from "../i18n/translate.ts";
import { IconButton } from "./button.tsx";

type Toast = { id: number; text: string; tone: "neutral" | "good" | "bad" };

let shown: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

/** Says something for a few seconds in the corner; errors stay longer. */
export function toast(text: string, tone: Toast["tone"] = "neutral"): void {
  const id = nextId++;
  change([...shown.slice(-3), { id, text, tone }]);
  setTimeout(() => drop(id), tone === "bad" ? 9000 : 4500);
}

export function Toasts() {
  const toasts = useSyncExternalStore(subscribe, () => shown);
  return (
    <div className="toasts" aria-live="polite">
      {toasts.map(({ id, text, tone }) => (
        <div key={id} className={`toast toast--${tone}`}>
          <span className="grow">{text}</span>
          <IconButton size="s" icon="close" label={t("ui.close")} onClick={() => drop(id)} />
        </div>
      ))}
    </div>
  );
}

function drop(id: number): void {
  change(shown.filter((each) => each.id !== id));
}

function change(next: readonly Toast[]): void {
  shown = next;
  for (const tell of listeners) tell();
}

function subscribe(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}
