/** Enough of a secret to know it again, and no more. */
export function masked(secret: string): string {
  return secret.length < 20 ? "****" : `****${secret.slice(-4)}`;
}
