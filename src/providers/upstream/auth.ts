/** How a credential is shown to an upstream. */
export type UpstreamAuth =
  | { header: string; prefix?: string; /** Makes of the secret what is shown. */ token?: MakeToken }
  | { query: string }
  | "none";

export type MakeToken = (secret: string, nowMs: number) => string;

/** A credential as a request carries it, and every text that must not be told on. */
type Shown = { header: readonly [name: string, value: string] | null; query: string | null; secrets: readonly string[] };

/** Puts a secret into the form that an upstream wants; null where the secret has no such form. */
export function showCredential(auth: UpstreamAuth, secret: string): Shown | null {
  if (auth === "none" || secret === "") return { header: null, query: null, secrets: [secret] };
  if ("query" in auth) return { header: null, query: auth.query, secrets: [secret] };
  const token = tokenOf(auth.token, secret);
  if (token === null) return null;
  const secrets = token === secret ? [secret] : [secret, token];
  return { header: [auth.header.toLowerCase(), `${auth.prefix ?? ""}${token}`], query: null, secrets };
}

export const unshown = "the key does not have the form that this provider wants";

function tokenOf(make: MakeToken | undefined, secret: string): string | null {
  if (make === undefined) return secret;
  try {
    return make(secret, Date.now());
  } catch {
    return null;
  }
}
