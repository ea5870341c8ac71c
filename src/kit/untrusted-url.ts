import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { isLinkLocal, isPublicAddress } from "./address.ts";
import type { AddressSet } from "./address.ts";
import { errorCode } from "./error-code.ts";

export type UntrustedReason =
  | "invalid-url"
  | "refused-address"
  | "refused-port"
  | "unreachable"
  | "timeout"
  | "cancelled"
  | "too-many-redirects"
  | "bad-status"
  | "bad-reply"
  | "compressed"
  | "wrong-type"
  | "too-large"
  | "cut-short";

/** Why a URL from outside was not fetched: a sentence that may be shown, without a word of what the host sent; `cause` is for the log. */
export class UntrustedUrlError extends Error {
  readonly reason: UntrustedReason;
  /** The HTTP status, where the reason is "bad-status". */
  readonly status: number | null;

  constructor(reason: UntrustedReason, says: string, details: { cause?: unknown; status?: number } = {}) {
    super(says, { cause: details.cause });
    this.name = "UntrustedUrlError";
    this.reason = reason;
    this.status = details.status ?? null;
  }
}

/** Turns a host name into all its addresses. */
export type Resolve = (host: string) => Promise<string[]>;

/** Reads a URL from outside and refuses what can be refused without asking anyone; a name is judged again by `resolveUntrusted`. */
export function checkUntrustedUrl(text: string, { allow }: { allow: AddressSet }): URL {
  const url = text.length <= longestUrl ? URL.parse(text) : null;
  if (!url) throw new UntrustedUrlError("invalid-url", "This is not a URL.");
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new UntrustedUrlError("invalid-url", "Only http and https URLs are fetched.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new UntrustedUrlError("invalid-url", "A URL with a user name or a password in it is not fetched.");
  }
  const host = hostOf(url);
  const known = addressesWithoutAsking(host);
  if (known === null && allow.size !== 0) return url; // only its addresses tell whether the name is an allowed one
  if (known?.some((ip) => allow.has(ip))) return url;
  if (known === null ? isInternalName(host) : !known.every(isPublicAddress)) throw privateAddress(host);
  checkPort(url);
  return url;
}

/** The addresses a checked URL may be fetched from; throws when any of them is neither public nor allowed. */
export async function resolveUntrusted(
  url: URL,
  { allow, resolve = resolveName }: { allow: AddressSet; resolve?: Resolve },
): Promise<string[]> {
  const host = hostOf(url);
  const known = addressesWithoutAsking(host);
  // "localhost" means both loopback addresses, though the operator may have allowed just one.
  const addresses = known ? known.filter((ip) => known.length === 1 || allow.has(ip)) : await resolve(host).catch(unreachable(host));
  if (addresses.length === 0) unreachable(host)();
  if (addresses.every((ip) => allow.has(ip))) return addresses;
  if (isInternalName(host) || !addresses.every((ip) => allow.has(ip) || isPublicAddress(ip))) throw privateAddress(host);
  checkPort(url);
  return addresses;
}

const longestUrl = 8192;

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.+$/, "");
}

function addressesWithoutAsking(host: string): string[] | null {
  if (isIP(host) !== 0) return [host];
  return host === "localhost" || host.endsWith(".localhost") ? ["127.0.0.1", "::1"] : null;
}

function isInternalName(host: string): boolean {
  return /(^|\.)(localhost|localdomain|local|internal|home\.arpa)$/.test(host);
}

function checkPort(url: URL): void {
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  if (port === 80 || port === 443 || port >= 1024) return;
  throw new UntrustedUrlError("refused-port", `Port ${port} is not fetched from: use 80, 443 or one from 1024 up.`);
}

function privateAddress(host: string): UntrustedUrlError {
  if (isLinkLocal(host))
    return new UntrustedUrlError(
      "refused-address",
      `"${host}" is not on the public internet: nothing is fetched from link-local addresses.`,
    );
  return new UntrustedUrlError(
    "refused-address",
    `"${host.slice(0, 100)}" is not on the public internet. To let requests reach it, add its network to outbound.allow in the configuration or to GENWAY_OUTBOUND_ALLOW.`,
  );
}

function unreachable(host: string): (cause?: unknown) => never {
  return (cause) => {
    throw new UntrustedUrlError("unreachable", `The name "${host.slice(0, 100)}" could not be resolved.`, { cause });
  };
}

const absent = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED"]);

/** Asks name servers without a thread per question, so that a stranger's slow name server cannot hold up every other look-up of the process. */
async function resolveName(host: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (found.length > 0) return found;
  const late = answers.find((answer) => answer.status === "rejected" && !absent.has(errorCode(answer.reason)));
  if (late?.status === "rejected") throw late.reason;
  // The hosts file and a container network's own names are known to the system alone.
  return (await lookup(host, { all: true })).map((answer) => answer.address);
}
