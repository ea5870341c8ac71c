import { isIP } from "node:net";
import type { Config } from "../config/config.ts";
import { Failure } from "../core/errors.ts";
import type { FetchMedia } from "../core/ports.ts";
import type { Installed } from "../core/routing.ts";
import { isLoopbackName } from "../http/auth.ts";
import { parseCidrs, withoutLinkLocal, type AddressSet } from "../kit/address.ts";
import { checkUntrustedUrl, fetchUntrusted, UntrustedUrlError } from "../kit/fetch-untrusted.ts";

const everywhere = parseCidrs(["0.0.0.0/0", "::/0"]);

/** Opens addresses from outside, through the guard; link-local ones only where a provider with a private network is itself at that address. */
export function mediaFetcher(allow: () => AddressSet, providers: () => Config["providers"]): FetchMedia {
  return async (url, { allowPrivate, ...request }) => {
    const reach = allowPrivate ? withoutLinkLocal(everywhere, addressesOf(providers())) : withoutLinkLocal(allow());
    const { status, body, mime, discard } = await fetchUntrusted(url, { ...request, allow: reach });
    if (status >= 200 && status < 300) return { body, mime };
    discard();
    throw new UntrustedUrlError("bad-status", `The URL answered with status ${status}.`, { status });
  };
}

function addressesOf(providers: Config["providers"]): AddressSet {
  const hosts = Object.values(providers).flatMap(({ baseUrl, allowPrivateNetwork }) =>
    allowPrivateNetwork && baseUrl !== null ? [new URL(baseUrl).hostname.replace(/^\[(.*)\]$/, "$1")] : [],
  );
  return parseCidrs(hosts.filter((host) => isIP(host) !== 0));
}

/** Throws Failure when an address may not be called by us. */
export function checkUrl(text: string, param: string, allow: AddressSet): void {
  try {
    checkUntrustedUrl(text, { allow: withoutLinkLocal(allow) });
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
