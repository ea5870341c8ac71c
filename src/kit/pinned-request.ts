import { isIP } from "node:net";
import type { LookupFunction } from "node:net";
import { Client, errors } from "undici";
import { errorCode } from "./error-code.ts";
import { UntrustedUrlError } from "./untrusted-url.ts";

export type PinnedRequest = {
  method: "GET" | "HEAD" | "POST" | "PUT";
  headers: Record<string, string>;
  body: string | Uint8Array | null;
  connectTimeoutMs: number;
  signal: AbortSignal;
};

export type PinnedReply = {
  status: number;
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array>;
  /** Closes the connection, whatever is still to come. */
  end(): void;
};

/** One request on a connection of its own, to the addresses given and to no others, whatever the name resolves to by then. */
export async function sendPinned(url: URL, addresses: string[], request: PinnedRequest): Promise<PinnedReply> {
  const { method, headers, body, connectTimeoutMs, signal } = request;
  const client = new Client(url.origin, {
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { lookup: lookupIn(addresses), timeout: connectTimeoutMs },
  });
  // Not undici's own signal option: that one waits for the connection before it looks.
  const abort = () => void client.destroy(errorOf(signal.reason));
  signal.addEventListener("abort", abort, { once: true });
  const end = () => {
    signal.removeEventListener("abort", abort);
    void client.destroy(null);
  };
  try {
    const reply = await client.request({ method, path: url.pathname + url.search, headers, body });
    reply.body.on("error", () => {}); // a reply nobody reads must not end the process when its time is up
    return { status: reply.statusCode, headers: flattened(reply.headers), body: reply.body, end };
  } catch (error) {
    end();
    throw noReply(url.hostname.slice(0, 100), error);
  }
}

function errorOf(reason: unknown): Error | null {
  return reason instanceof Error ? reason : null;
}

function lookupIn(addresses: string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  const [first = { address: "", family: 0 }] = all;
  return (_host, options, found) => (options.all ? found(null, all) : found(null, first.address, first.family));
}

function flattened(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
}

const malformed = new Set(["UND_ERR_HEADERS_OVERFLOW", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"]);

function noReply(host: string, cause: unknown): UntrustedUrlError {
  const code = errorCode(cause);
  if (code === "UND_ERR_CONNECT_TIMEOUT")
    return new UntrustedUrlError("timeout", `"${host}" did not accept a connection in time.`, { cause });
  if (cause instanceof errors.HTTPParserError || malformed.has(code)) {
    return new UntrustedUrlError("bad-reply", `"${host}" did not answer in proper HTTP.`, { cause });
  }
  return new UntrustedUrlError("unreachable", `"${host}" could not be reached.`, { cause });
}
