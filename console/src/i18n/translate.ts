import { useSyncExternalStore } from "react";
import { en, type Dictionary, type Key } from "./en.ts";

export type Language = "en" | "zh";
export type { Key } from "./en.ts";
export type Vars = Record<string, string | number>;

const stored = "genway.language";
let language: Language = "en";
let dictionary: Dictionary = en;
const listeners = new Set<() => void>();

/**
 * A text in the language of the reader. `{name}` takes a variable; `{n|task|tasks}` chooses by number.
 */
export function t(key: Key, vars: Vars = {}): string {
  return dictionary[key].replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (whole, name: string, one?: string, many?: string) => {
    const value = vars[name];
    if (value === undefined) return whole;
    if (one === undefined) return typeof value === "number" ? formatNumber(value) : value;
    return (Number(value) === 1 ? one : many) ?? "";
  });
}

/** Whether a text that is made at run time has a translation. */
export function isKey(key: string): key is Key {
  return key in en;
}

export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(locale(), options).format(value);
}

/** The language tag for dates and numbers. */
export function locale(): string {
  return language === "zh" ? "zh-CN" : (navigator.languages.find((tag) => tag.startsWith("en")) ?? "en");
}

export function currentLanguage(): Language {
  return language;
}

export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, currentLanguage);
}

export async function setLanguage(next: Language): Promise<void> {
  dictionary = next === "zh" ? (await import("./zh.ts")).zh : en;
  language = next;
  document.documentElement.lang = next === "zh" ? "zh-CN" : "en";
  localStorage.setItem(stored, next);
  for (const tell of listeners) tell();
}

/** The language chosen before, else the browser's. */
export function preferredLanguage(): Language {
  const chosen = localStorage.getItem(stored);
  if (chosen === "en" || chosen === "zh") return chosen;
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

function subscribe(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}
