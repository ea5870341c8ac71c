/** How many jobs an engine takes at once. */
export const atOnce = 100;
export const hourMs = 3_600_000;

/** Hands a long list on in pieces. */
export async function inPortions<T>(
  items: readonly T[],
  act: (some: readonly T[], from: number) => Promise<void>,
  size = 1_000,
): Promise<void> {
  for (let at = 0; at < items.length; at += size) await act(items.slice(at, at + size), at);
}
