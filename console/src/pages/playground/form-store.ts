import { useCallback, useSyncExternalStore } from "react";
import { t } from "../../i18n/translate.ts";
import type { Value, Values } from "./request.ts";
import type { Way } from "./ways.ts";

/** What is filled in; `models` is null until one is chosen. */
export type FormState = { values: Values; models: readonly string[] | null };

const forms = new Map<Way, FormState>();
const listeners = new Set<() => void>();

/** The form of a way; it outlives the page, so that looking elsewhere loses nothing. */
export function useForm(way: Way): FormState {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => formOf(way), [way]),
  );
}

export function setValue(way: Way, name: string, value: Value): void {
  const form = formOf(way);
  put(way, { ...form, values: { ...form.values, [name]: value } });
}

export function setModels(way: Way, models: readonly string[]): void {
  put(way, { ...formOf(way), models });
}

/** Fills a form in anew, for instance from a task or a result. */
export function fillForm(way: Way, values: Values, models: readonly string[] | null = formOf(way).models): void {
  put(way, { values: { ...way.prefill, ...values }, models });
}

function formOf(way: Way): FormState {
  const known = forms.get(way);
  if (known !== undefined) return known;
  const { examples } = way;
  const first = examples?.keys[0];
  const fresh: FormState = { values: { ...way.prefill, ...(examples && first && { [examples.field]: t(first) }) }, models: null };
  forms.set(way, fresh);
  return fresh;
}

function put(way: Way, form: FormState): void {
  forms.set(way, form);
  for (const tell of listeners) tell();
}

function subscribe(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}
