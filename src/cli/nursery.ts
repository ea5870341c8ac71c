import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

const mostBytes = 64 * 1024 * 1024;
const lookMs = 1_000;

function growth(factor: 1 | 2): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}

/** Keeps the space for short-lived objects small while the program is loaded: on a large machine it grows to 128 MiB there and is never given back. */
export function keepNurserySmall(): void {
  growth(1);
}

/** Lets that space grow to what serving needs, and no further. */
export function letNurseryGrow(): void {
  growth(2);
  const timer = setInterval(() => {
    const nursery = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
    if ((nursery?.space_size ?? 0) < mostBytes) return;
    growth(1);
    clearInterval(timer);
  }, lookMs);
  timer.unref();
}
