import { Failure } from "../core/errors.ts";
import type { Extras } from "../core/kinds.ts";

// What the price, the provider or the message at the end depend on is said in its own field or not at all.
const governed = new Set(["model", "duration", "seconds", "n", "num_images", "notify_hook", "notifyHook", "callback_url", "webhook_url"]);
const most = 50;
const longest = 5_000;

/** Further wishes by their wire names, as far as they are plain values. */
export function extrasOf(wishes: Readonly<Record<string, unknown>>): { extras?: Extras } {
  const extras: Extras = {};
  for (const [name, value] of Object.entries(wishes)) {
    if (governed.has(name) || value === "") continue;
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") continue;
    if (name.length > 100 || String(value).length > longest)
      throw new Failure("invalid_request", { says: `'${name.slice(0, 100)}' is too long.`, param: name.slice(0, 100) });
    extras[name] = value;
  }
  const { length } = Object.keys(extras);
  if (length > most) throw new Failure("invalid_request", { says: `At most ${most} further fields are taken.` });
  return length === 0 ? {} : { extras };
}
