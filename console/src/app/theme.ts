import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";

const stored = "genway.theme";
const listeners = new Set<() => void>();

/** Puts the chosen theme on the page; without a choice the system decides. */
export function applyTheme(): void {
  const theme = currentTheme();
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(stored, theme);
  applyTheme();
  for (const tell of listeners) tell();
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme);
}

function currentTheme(): Theme {
  const theme = localStorage.getItem(stored);
  return theme === "light" || theme === "dark" ? theme : "system";
}

function subscribe(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}
