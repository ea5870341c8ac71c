import type { Config } from "../config/config.ts";
import { Failure } from "../core/errors.ts";
import type { FetchMedia } from "../core/ports.ts";
import type { Installed } from "../core/routing.ts";
import { isLoopbackName } from "../http/auth.ts";
import { parseCidrs, type AddressSet } from "../kit/address.ts";
import { checkUntrustedUrl, fetchUntrusted, UntrustedUrlError } from "../kit/fetch-untrusted.ts";

const everywhere = parseCidrs(["0.0.0.0/0", "::/0"]);

/** Opens addresses from outside, through the guard. */
export function mediaFetcher(allow: () => AddressSet): FetchMedia {
  return async (url, { allowPrivate, ...request }) => {
    const { status, body, mime, discard } = await fetchUntrusted(url, { ...request, allow: allowPrivate ? everywhere : allow() });
    if (status >= 200 && status < 300) return { body, mime };
    discard();
    throw new UntrustedUrlError("bad-status", `The URL answered with status ${status}.`, { status });
  };
}

/** Throws Failure when an address may not be called by us. */
export function checkUrl(text: string, param: string, allow: AddressSet): void {
  try {
    checkUntrustedUrl(text, { allow });
  } catch (error) {
    throw new Failure("invalid_request", {
      says: `'${param}': ${error instanceof Error ? error.message : "not a URL we may call."}`,
      param,
    });
  }
}

/** Upstreams reach us at the public address; those of the own machine also at the one we listen on. */
export function callbackBase({ server, host }: Config, url: string, installed: Installed | null): string | null {
  return server.publicUrl ?? (installed?.allowPrivateNetwork === true && isLoopbackName(host) ? url : null);
}
