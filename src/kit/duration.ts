/** Reads a span of time such as "24h", "10m", "1.5d", "250ms" or a number of seconds, as milliseconds; throws an Error that says how to write one. */
export function parseDuration(value: string | number): number {
  const [, amount = "", unit = "s"] = /^(\d+(?:\.\d+)?) ?([a-z]+)?$/.exec(String(value).trim()) ?? [];
  const ms = Math.round(Number(amount || NaN) * (unitMs.get(unit) ?? NaN));
  if (!Number.isSafeInteger(ms)) {
    throw new Error(`"${value}" is not a span of time: write a number with ms, s, m, h or d, such as "24h", or a number of seconds`);
  }
  return ms;
}

/** Writes milliseconds in the largest unit that gives a whole number, so that `parseDuration` reads the same value back. */
export function formatDuration(ms: number): string {
  for (const [unit, size] of unitMs) {
    if (ms >= size && ms % size === 0) return `${ms / size}${unit}`;
  }
  return `${ms}ms`;
}

const unitMs = new Map([
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
  ["ms", 1],
]);
