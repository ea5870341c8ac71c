/** Money is whole nano-USD: one billionth of a US dollar, always a safe integer. */

export const nanosPerUsd = 1_000_000_000;

/** The wire's decimal dollars as nano-USD, exact to nine decimals. */
export function nanosFromUsd(usd: number): number {
  return Math.round(usd * nanosPerUsd);
}

/** Nano-USD as the wire's decimal dollars. */
export function usdFromNanos(nanos: number): number {
  return nanos / nanosPerUsd;
}
