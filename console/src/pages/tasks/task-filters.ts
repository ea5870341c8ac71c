import { useCallback, useMemo } from "react";
import { useSearchParams } from "wouter";

export const filterNames = ["status", "kind", "model", "q", "account", "time", "from", "to"] as const;
export type FilterName = (typeof filterNames)[number];
export type TaskFilters = Record<FilterName, string>;

/** Spans that can be chosen by name, in seconds. */
export const spans: Record<string, number> = { "1h": 3600, "24h": 86_400, "7d": 604_800, "30d": 2_592_000 };

export const statuses = ["SUBMITTED", "QUEUED", "IN_PROGRESS", "SUCCESS", "FAILURE"] as const;

/** The filters of the address, so that a filtered list can be linked to and gone back to. */
export function useTaskFilters() {
  const [params, setParams] = useSearchParams();
  const text = params.toString();
  const filters = useMemo(() => filtersOf(new URLSearchParams(text)), [text]);
  const change = useCallback(
    (wanted: Partial<TaskFilters>) => {
      setParams(
        (old) => {
          const next = new URLSearchParams(old);
          for (const [name, value] of Object.entries(wanted)) {
            if (value === "") next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: true },
      );
    },
    [setParams],
  );
  return { filters, change };
}

function filtersOf(params: URLSearchParams): TaskFilters {
  const get = (name: FilterName) => params.get(name) ?? "";
  return {
    status: get("status"),
    kind: get("kind"),
    model: get("model"),
    q: get("q"),
    account: get("account"),
    time: get("time"),
    from: get("from"),
    to: get("to"),
  };
}

export const noFilters: TaskFilters = filtersOf(new URLSearchParams());

/** Whether anything is filtered at all. */
export function isFiltered(filters: TaskFilters): boolean {
  return filterNames.some((name) => filters[name] !== "");
}

/** The filters in the words of the list operations; what is not among their words is left out. */
export function queryOf(filters: TaskFilters, nowMs: number) {
  const status = statuses.find((name) => name === filters.status);
  const kind = taskKinds.find((name) => name === filters.kind);
  const { after, before } = rangeOf(filters, nowMs);
  return {
    ...(status && { status }),
    ...(kind && { kind }),
    ...(filters.model && { model: filters.model }),
    ...(filters.q && { q: filters.q.slice(0, 200) }),
    ...(after !== null && { created_after: String(after) }),
    ...(before !== null && { created_before: String(before) }),
  };
}

const taskKinds = ["video", "music", "lyrics", "image", "chat", "speech", "transcription"] as const;
const daySeconds = 86_400;

/** The time range in unix seconds: the last so many seconds, or whole days of the reader's calendar. */
export function rangeOf({ time, from, to }: TaskFilters, nowMs: number): { after: number | null; before: number | null } {
  const span = spans[time];
  if (span !== undefined) return { after: Math.floor(nowMs / 1000) - span, before: null };
  if (time !== "days") return { after: null, before: null };
  const last = dayStart(to);
  return { after: dayStart(from), before: last === null ? null : last + daySeconds };
}

function dayStart(day: string): number | null {
  const at = Date.parse(`${day}T00:00:00`);
  return Number.isNaN(at) || at < 0 ? null : Math.floor(at / 1000);
}
