import { useEffect, useState } from "react";
import { formatNumber, locale, t } from "../i18n/translate.ts";

/** US dollars with as many digits as make sense; the exact amount on hover. */
export function Money({ usd, sign = false }: { usd: number; sign?: boolean }) {
  return (
    <span className="number" title={`$${exact(usd)}`}>
      {formatUsd(usd, sign)}
    </span>
  );
}

export function formatUsd(usd: number, sign = false): string {
  const size = Math.abs(usd);
  const digits = size === 0 || size >= 1 ? 2 : size >= 0.01 ? 4 : 6;
  const text = formatNumber(size, { minimumFractionDigits: 2, maximumFractionDigits: digits });
  if (size > 0 && size < 0.000001) return `${usd < 0 ? "−" : ""}< $0.000001`;
  return `${usd < 0 ? "−" : sign && usd > 0 ? "+" : ""}$${text}`;
}

function exact(usd: number): string {
  return usd.toFixed(9).replace(/(\.\d\d\d*?)0+$/, "$1");
}

/** A time given in unix seconds: relative for the last day, else local; exact on hover. */
export function Time({ at, look = "auto" }: { at: number | null | undefined; look?: "auto" | "full" | "clock" }) {
  const now = useNow(look === "auto" && at !== null && at !== undefined);
  if (at === null || at === undefined) return <span className="muted">–</span>;
  const date = new Date(at * 1000);
  return (
    <time className="number" dateTime={date.toISOString()} title={fullTime(date)}>
      {look === "full" ? fullTime(date) : look === "clock" ? clockTime(date) : nearTime(date, now)}
    </time>
  );
}

function nearTime(date: Date, now: number): string {
  const seconds = (date.getTime() - now) / 1000;
  const size = Math.abs(seconds);
  const relative = new Intl.RelativeTimeFormat(locale(), { numeric: "auto", style: "short" });
  if (size < 10) return t("ui.justNow");
  if (size < 60) return relative.format(Math.trunc(seconds), "second");
  if (size < 3600) return relative.format(Math.trunc(seconds / 60), "minute");
  if (size < 86_400) return relative.format(Math.trunc(seconds / 3600), "hour");
  const isThisYear = date.getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(locale(), {
    month: "short",
    day: "numeric",
    ...(isThisYear ? { hour: "2-digit", minute: "2-digit" } : { year: "numeric" }),
  }).format(date);
}

function fullTime(date: Date): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "long" }).format(date);
}

function clockTime(date: Date): string {
  return new Intl.DateTimeFormat(locale(), { hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(date);
}

function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => setNow(Date.now()), 20_000);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}

/** A span of seconds: 0.4 s, 12 s, 3 min 20 s, 2 h 5 min. */
export function formatDuration(seconds: number): string {
  if (seconds < 1) return `${formatNumber(seconds * 1000, { maximumFractionDigits: 0 })} ms`;
  if (seconds < 60) return `${formatNumber(seconds, { maximumFractionDigits: seconds < 10 ? 1 : 0 })} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** A clock as players show it: 1:05. */
export function formatClock(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.floor(seconds) : 0;
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return `${formatNumber(bytes / 1000 ** power, { maximumFractionDigits: power === 0 ? 0 : 1 })} ${units[power]}`;
}

/** A large count in short: 12.3k; exact on hover. */
export function Count({ value }: { value: number }) {
  return (
    <span className="number" title={formatNumber(value)}>
      {formatNumber(value, value >= 100_000 ? { notation: "compact", maximumFractionDigits: 1 } : {})}
    </span>
  );
}
