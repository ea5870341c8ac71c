import { isIP } from "node:net";
import { isPublicAddress } from "../../kit/address.ts";
import { showCredential, unshown } from "./auth.ts";
import type { UpstreamAuth } from "./auth.ts";
import { agentFor, poolFor, privateCause } from "./connections.ts";
import { exchange } from "./exchange.ts";
import { redact } from "./redact.ts";
import type { UpstreamReply } from "./reply.ts";
import { openExchange, type Opened } from "./stream.ts";

export type { MakeToken, UpstreamAuth } from "./auth.ts";
export { redact } from "./redact.ts";

export type UpstreamOptions = {
  baseUrl: string;
  allowPrivateNetwork: boolean;
  auth: UpstreamAuth;
  headers?: Record<string, string>;
  /** Further hosts that may be called and shown the credential, over https alone: "api.example.com" or "*.example.com". */
  trustedHosts?: readonly string[];
  maxReplyBytes?: number;
};

export type UpstreamRequest = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** A path under the base URL, or a whole URL on a trusted host. */
  url: string;
  headers?: Record<string, string>;
  json?: unknown;
  /** Instead of JSON. */
  form?: { mime: string; body: Buffer };
  maxReplyBytes?: number;
  secret: string;
  timeoutMs: number;
  signal: AbortSignal;
};

/** A request whose reply is read as it comes. */
export type OpenCall = {
  /** A path under the base URL. */
  path: string;
  headers: Record<string, string>;
  body: Uint8Array | null;
  secret: string;
  patienceMs: number;
  signal: AbortSignal;
};

/** The HTTP client of one configured provider: it never follows redirects, never repeats a request and never throws. */
export type Upstream = {
  call(request: UpstreamRequest): Promise<UpstreamReply>;
  /** Posts a request and gives the reply as soon as it begins. */
  open(request: OpenCall): Promise<Opened>;
  /** A path or URL as the upstream wrote it, made whole; null where it is no http address. */
  locate(address: string): string | null;
  /** A path under the base URL or a whole URL, with the credential where it may be shown; null where it is no http address. */
  guarded(address: string, secret: string): { url: string; headers?: Record<string, string> } | null;
};

export function createUpstream(options: UpstreamOptions): Upstream {
  const base = options.baseUrl.replace(/\/+$/, "");
  const home = new URL(base);
  const barred = refusalOf(home, home, options);
  const basePath = home.pathname.replace(/\/+$/, "");
  const always = { ...standardHeaders, ...options.headers };
  return {
    locate: (address) => httpUrl(address, home)?.href ?? null,
    guarded: (address, secret) => guard(options, home, whole(base, address), secret),
    call: (request) => call(options, home, { ...request, url: whole(base, request.url) }),
    open({ path, headers, body, secret, patienceMs, signal }) {
      const shown = barred === null ? showCredential(options.auth, secret) : null;
      if (shown === null) return Promise.resolve({ state: "not-sent", cause: barred ?? unshown, timedOut: false });
      const carried = { ...always, ...headers };
      if (shown.header !== null) carried[shown.header[0]] = shown.header[1];
      return openExchange(poolFor(home.origin, options.allowPrivateNetwork), {
        origin: home.origin,
        path: basePath + (shown.query === null ? path : withQuery(path, shown.query, secret)),
        method: "POST",
        headers: carried,
        body,
        patienceMs,
        signal,
      });
    },
  };
}

const standardHeaders: Record<string, string> = { "user-agent": "genway", accept: "application/json", "accept-encoding": "identity" };
const usualReplyBytes = 8 * 1024 * 1024;

async function call(options: UpstreamOptions, home: URL, request: UpstreamRequest): Promise<UpstreamReply> {
  const url = URL.parse(request.url);
  const refusal = url === null ? "the address is not a URL" : refusalOf(url, home, options);
  if (url === null || refusal !== null) return { state: "not-sent", cause: refusal ?? "" };
  const shown = showCredential(options.auth, request.secret);
  if (shown === null) return { state: "not-sent", cause: unshown };
  if (shown.query !== null) url.searchParams.set(shown.query, request.secret);
  const { body, type } = bodyOf(request);
  const headers: Record<string, string> = { ...standardHeaders, ...options.headers, ...request.headers };
  if (type !== null) headers["content-type"] = type;
  if (shown.header !== null) headers[shown.header[0]] = shown.header[1];
  const reply = await exchange(agentFor(options.allowPrivateNetwork), {
    origin: url.origin,
    path: url.pathname + url.search,
    method: request.method,
    headers,
    body,
    maxBytes: request.maxReplyBytes ?? options.maxReplyBytes ?? usualReplyBytes,
    timeoutMs: request.timeoutMs,
    signal: request.signal,
  });
  return redacted(reply, shown.secrets);
}

function bodyOf({ json, form }: UpstreamRequest): { body: Buffer | null; type: string | null } {
  if (form !== undefined) return { body: form.body, type: form.mime };
  if (json === undefined) return { body: null, type: null };
  return { body: Buffer.from(JSON.stringify(json)), type: "application/json" };
}

function guard(options: UpstreamOptions, home: URL, address: string, secret: string): ReturnType<Upstream["guarded"]> {
  const url = httpUrl(address, home);
  if (url === null) return null;
  const shown = isTrusted(url, home, options) ? showCredential(options.auth, secret) : null;
  if (shown === null) return { url: url.href };
  if (shown.query !== null) url.searchParams.set(shown.query, secret);
  const headers = { ...options.headers, ...(shown.header !== null && { [shown.header[0]]: shown.header[1] }) };
  return { url: url.href, ...(Object.keys(headers).length > 0 && { headers }) };
}

function refusalOf(url: URL, home: URL, options: UpstreamOptions): string | null {
  if (!isTrusted(url, home, options)) return `${url.host} is not a host of this provider`;
  // A literal address never passes through the lookup that guards the connection.
  const literal = url.hostname.replace(/^\[|\]$/g, "");
  if (!options.allowPrivateNetwork && isIP(literal) !== 0 && !isPublicAddress(literal)) return privateCause(literal);
  return null;
}

function isTrusted(url: URL, home: URL, { trustedHosts = [] }: UpstreamOptions): boolean {
  return url.origin === home.origin || (url.protocol === "https:" && trustedHosts.some((host) => isHost(url.host, host)));
}

function isHost(host: string, pattern: string): boolean {
  return pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern;
}

function whole(base: string, address: string): string {
  return address.startsWith("/") ? base + address : address;
}

function withQuery(path: string, name: string, secret: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(secret)}`;
}

function httpUrl(address: string, home: URL): URL | null {
  const url = URL.parse(address, home.href);
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") ? url : null;
}

function redacted(reply: UpstreamReply, secrets: readonly string[]): UpstreamReply {
  if (reply.state === "answered") return { ...reply, text: redact(reply.text, secrets), secrets };
  return { ...reply, cause: redact(reply.cause, secrets) };
}
