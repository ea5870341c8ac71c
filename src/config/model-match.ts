import type { Kind } from "../core/kinds.ts";
import type { ModelConfig } from "./configuration.ts";

/** The entry that serves a model for a kind: its exact name, else the pattern with most literal characters, the earlier one of two equals. */
export function matchModel(models: readonly ModelConfig[], name: string, kind: Kind): ModelConfig | null {
  let best: ModelConfig | null = null;
  let bestLength = -1;
  for (const model of models) {
    if (!model.kinds.includes(kind)) continue;
    if (model.name === name) return model;
    // Every call comes through here: most patterns must be ruled out without taking them apart.
    const star = model.name.indexOf("*");
    if (star === -1 || !model.name.startsWith(name.slice(0, star))) continue;
    const parts = model.name.split("*");
    const length = model.name.length - parts.length + 1;
    if (length > bestLength && fits(parts, name)) [best, bestLength] = [model, length];
  }
  return best;
}

/** Whether the name is these two or more parts in order, with anything in between. */
function fits(parts: readonly string[], name: string): boolean {
  const first = parts[0] ?? "";
  const last = parts.at(-1) ?? "";
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  const end = name.length - last.length;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = name.indexOf(part, from);
    if (at === -1 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
}
