import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";

const stored = "genway.theme";
const listeners = new Set<() => void>();
const system = matchMedia("(prefers-color-scheme: dark)");
system.addEventListener("change", applyTheme);

/** Puts the chosen theme on the page; without a choice the system decides. */
export function applyTheme(): void {
  const theme = currentTheme();
  document.documentElement.dataset["theme"] = theme === "system" ? (system.matches ? "dark" : "light") : theme;
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
