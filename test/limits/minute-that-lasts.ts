/** A clock that stands at the beginning of a minute when it is made, so that no test runs into the next one by chance. */
export function minuteThatLasts(): () => number {
  const start = Math.ceil(Date.now() / 60_000) * 60_000 - performance.now();
  return () => Math.floor(start + performance.now());
}
