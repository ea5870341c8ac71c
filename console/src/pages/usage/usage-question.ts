import { useEffect, useMemo, useState } from "react";
import type { Reply } from "../../api/client.ts";
import { useAddress } from "../../ui/address.ts";

export type Point = Reply<"/v1/usage">["series"][number]["total"];
export type UsageSeries = Reply<"/v1/usage">["series"][number];

export const ranges = { "1h": 3600, "24h": 86_400, "7d": 604_800, "30d": 2_592_000 } as const;
export type Range = keyof typeof ranges | "custom";
export const sides = ["model", "key", "account", "provider", "operation", "outcome"] as const;
export type Side = (typeof sides)[number];
export const narrowings = ["model", "key", "provider", "operation"] as const;
export type Narrowing = (typeof narrowings)[number];

/** What the page asks for; all of it stands in its address. */
export type Question = {
  range: Range;
  from: number;
  to: number;
  by: Side | null;
  account: string | null;
  only: Partial<Record<Narrowing, string>>;
};

/** The question in the address of the page, and how to change it; a range that ends now moves on every minute. */
export function useQuestion() {
  const { search, change } = useAddress();
  const [now, setNow] = useState(currentMinute);
  useEffect(() => {
    const timer = setInterval(() => setNow(currentMinute()), 60_000);
    return () => clearInterval(timer);
  }, []);
  const question = useMemo(() => questionIn(search, now), [search, now]);
  return { question, change, refresh: () => setNow(currentMinute()) };
}

function currentMinute(): number {
  return Math.ceil(Date.now() / 60_000) * 60;
}

function questionIn(search: URLSearchParams, now: number): Question {
  const asked = search.get("range") ?? "24h";
  const range = asked === "custom" || isRange(asked) ? asked : "24h";
  const by = search.get("by");
  const to = range === "custom" ? Number(search.get("to") ?? now) : now;
  const from = range === "custom" ? Number(search.get("from") ?? now - 86_400) : now - ranges[range];
  return {
    range,
    from,
    to: Math.max(to, from + 60),
    by: sides.find((side) => side === by) ?? null,
    account: search.get("account"),
    only: Object.fromEntries(narrowings.flatMap((name) => (search.has(name) ? [[name, search.get(name) ?? ""]] : []))),
  };
}

function isRange(text: string): text is keyof typeof ranges {
  return text in ranges;
}

/** The parameters of the operation, with or without telling apart. */
export function parametersOf({ from, to, only, by }: Question, isGrouped: boolean) {
  return { from: String(from), to: String(to), ...only, ...(isGrouped && by !== null && { by }) };
}
