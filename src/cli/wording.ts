/** Dollars with at least two decimals, and as many more as it takes to be exact: $0.05, $12.00, $0.0000002. */
export function formatUsd(usd: number): string {
  const [whole = "0", decimals = ""] = Math.abs(usd).toFixed(9).split(".");
  return `${usd < 0 ? "-" : ""}$${whole}.${decimals.replace(/0+$/, "").padEnd(2, "0")}`;
}

/** A moment in local time, to the minute; a dash when it has not come. */
export function formatTime(unixSeconds: number | null | undefined): string {
  if (unixSeconds === null || unixSeconds === undefined) return "-";
  const at = new Date(unixSeconds * 1000);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** A span as a clock shows it: 0:07, 12:30, 1:02:03. */
export function formatSpan(ms: number): string {
  const total = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor((total % 3600) / 60), total % 60];
  const two = (part: number) => String(part).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** Bytes in the unit that leaves a number below 1024. */
export function formatBytes(bytes: number): string {
  let amount = bytes;
  for (const unit of ["B", "KiB", "MiB", "GiB"]) {
    if (amount < 1024) return `${unit === "B" || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${unit}`;
    amount /= 1024;
  }
  return `${amount.toFixed(1)} TiB`;
}

/** A list in one cell; a dash for what is not limited. */
export function formatList(list: readonly string[] | null | undefined): string {
  return list === null || list === undefined || list.length === 0 ? "-" : list.join(", ");
}

const statusWords: Record<string, string> = {
  SUBMITTED: "accepted",
  QUEUED: "waiting",
  IN_PROGRESS: "running",
  SUCCESS: "done",
  FAILURE: "failed",
};

/** A state of a task in plain words; a state of a later version as it is. */
export function statusWord(status: string): string {
  return statusWords[status] ?? status.toLowerCase();
}
