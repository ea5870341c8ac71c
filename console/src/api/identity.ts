/** What each request carries besides its cookie: set by the session, read by every request. */
type Identity = { csrf: string | null; account: string | null };

let current: Identity = { csrf: null, account: null };

export function setIdentity(identity: Identity): void {
  current = identity;
}

/** Headers of a request to the service, for the method and the account on whose behalf it is. */
export function identityHeaders(method: string): Record<string, string> {
  const isSafe = method === "GET" || method === "HEAD";
  return {
    ...(current.account !== null && { "x-genway-account": current.account }),
    ...(!isSafe && current.csrf !== null && { "x-genway-csrf": current.csrf }),
  };
}
