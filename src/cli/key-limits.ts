import type { Static } from "typebox";
import type { Options } from "./command.ts";
import { readNumber } from "./number.ts";
import type { KeyRecord } from "./records.ts";
import { formatUsd } from "./wording.ts";

const countRange = { min: 1, max: 1_000_000_000, whole: true };
const dollarRange = { min: 0, max: 1_000_000 };

/** The options that limit a key. */
export const keyLimitOptions = {
  "requests-per-minute": { type: "string", value: "N", says: "at most so many requests a minute" },
  "tokens-per-minute": { type: "string", value: "N", says: "at most so many tokens of text calls a minute" },
  "concurrent-calls": { type: "string", value: "N", says: "at most so many calls at a time" },
  "concurrent-tasks": { type: "string", value: "N", says: "at most so many tasks at a time" },
  "spend-cap-usd": { type: "string", value: "USD", says: "at most so many dollars in all" },
} as const satisfies Options;

type Typed = { [O in keyof typeof keyLimitOptions]: string | undefined };
type KeyLimits = Partial<
  Record<"requests_per_minute" | "tokens_per_minute" | "concurrent_calls" | "concurrent_tasks" | "spend_cap_usd", number | null>
>;

/** The limits as the service reads them: only those that were typed; "none" takes one away. */
export function readKeyLimits(typed: Typed): KeyLimits {
  const count = (option: Exclude<keyof Typed, "spend-cap-usd">) => readLimit(option, typed[option], countRange);
  const limits: KeyLimits = {
    requests_per_minute: count("requests-per-minute"),
    tokens_per_minute: count("tokens-per-minute"),
    concurrent_calls: count("concurrent-calls"),
    concurrent_tasks: count("concurrent-tasks"),
    spend_cap_usd: readLimit("spend-cap-usd", typed["spend-cap-usd"]?.replace(/^\$/, ""), dollarRange),
  };
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

function readLimit(option: string, text: string | undefined, range: Parameters<typeof readNumber>[2]): number | null | undefined {
  if (text === undefined) return undefined;
  return text === "none" ? null : readNumber(`--${option}`, text, range);
}

/** A key's own limits in words; a dash where it has none. */
export function formatKeyLimits(key: Static<typeof KeyRecord>): string {
  const parts = [
    counted(key.requests_per_minute, "request", " a minute"),
    counted(key.tokens_per_minute, "token", " a minute"),
    counted(key.concurrent_calls, "call", " at a time"),
    counted(key.concurrent_tasks, "task", " at a time"),
    key.spend_cap_usd === null ? [] : [`${formatUsd(key.spent_usd)} of ${formatUsd(key.spend_cap_usd)} spent`],
  ].flat();
  return parts.length === 0 ? "-" : parts.join(", ");
}

function counted(limit: number | null, what: string, when: string): string[] {
  return limit === null ? [] : [`${limit} ${what}${limit === 1 ? "" : "s"}${when}`];
}
