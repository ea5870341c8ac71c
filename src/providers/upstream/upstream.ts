import { lookup as resolve } from "node:dns";
import type { LookupFunction } from "node:net";
import { isIP } from "node:net";
import { Agent, Pool } from "undici";
import type { Dispatcher } from "undici";
import { isPublicAddress } from "../../kit/address.ts";
import { exchange } from "./exchange.ts";
import type { UpstreamReply } from "./reply.ts";
import { openExchange, type Opened } from "./stream.ts";

/** How a credential is shown to an upstream. */
export type UpstreamAuth = { header: string; prefix?: string } | { query: string } | "none";

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
  json?: unknown;
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
};

export function createUpstream(options: UpstreamOptions): Upstream {
  const base = options.baseUrl.replace(/\/+$/, "");
  const home = new URL(base);
  const maxBytes = options.maxReplyBytes ?? 8 * 1024 * 1024;
  const barred = refusalOf(home, home, options);
  const basePath = home.pathname.replace(/\/+$/, "");
  const always = { ...standardHeaders, ...options.headers };
  return {
    locate: (address) => httpUrl(address, home)?.href ?? null,
    open({ path, headers, body, secret, patienceMs, signal }) {
      if (barred !== null) return Promise.resolve({ state: "not-sent", cause: barred, timedOut: false });
      const shown = { ...always, ...headers };
      return openExchange(poolFor(home.origin, options.allowPrivateNetwork), {
        origin: home.origin,
        path: basePath + authorizePath(options.auth, secret, path, shown),
        method: "POST",
        headers: shown,
        body,
        patienceMs,
        signal,
      });
    },
    async call(request) {
      const url = URL.parse(request.url.startsWith("/") ? base + request.url : request.url);
      const refusal = url === null ? "the address is not a URL" : refusalOf(url, home, options);
      if (url === null || refusal !== null) return { state: "not-sent", cause: refusal ?? "" };
      const headers = { ...always };
      authorize(options.auth, request.secret, url, headers);
      const body = request.json === undefined ? null : Buffer.from(JSON.stringify(request.json));
      if (body !== null) headers["content-type"] = "application/json";
      const reply = await exchange(agentFor(options.allowPrivateNetwork), {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers,
        body,
        maxBytes,
        timeoutMs: request.timeoutMs,
        signal: request.signal,
      });
      return redacted(reply, request.secret);
    },
  };
}

const standardHeaders: Record<string, string> = { "user-agent": "genway", accept: "application/json", "accept-encoding": "identity" };

function refusalOf(url: URL, home: URL, { trustedHosts = [], allowPrivateNetwork }: UpstreamOptions): string | null {
  const trusted = url.origin === home.origin || (url.protocol === "https:" && trustedHosts.some((host) => isHost(url.host, host)));
  if (!trusted) return `${url.host} is not a host of this provider`;
  // A literal address never passes through the lookup that guards the connection.
  const literal = url.hostname.replace(/^\[|\]$/g, "");
  if (!allowPrivateNetwork && isIP(literal) !== 0 && !isPublicAddress(literal)) return privateCause(literal);
  return null;
}

function isHost(host: string, pattern: string): boolean {
  return pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern;
}

function privateCause(address: string): string {
  return `${address} is a private address; allow_private_network permits it`;
}

function authorizePath(auth: UpstreamAuth, secret: string, path: string, headers: Record<string, string>): string {
  if (auth === "none" || secret === "") return path;
  if (!("query" in auth)) {
    headers[auth.header] = (auth.prefix ?? "") + secret;
    return path;
  }
  return `${path}${path.includes("?") ? "&" : "?"}${auth.query}=${encodeURIComponent(secret)}`;
}

function authorize(auth: UpstreamAuth, secret: string, url: URL, headers: Record<string, string>): void {
  if (auth === "none") return;
  if ("query" in auth) url.searchParams.set(auth.query, secret);
  else headers[auth.header.toLowerCase()] = `${auth.prefix ?? ""}${secret}`;
}

function httpUrl(address: string, home: URL): URL | null {
  const url = URL.parse(address, home.href);
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") ? url : null;
}

let publicAgent: Dispatcher | null = null;
let openAgent: Dispatcher | null = null;
const pools = new Map<string, Dispatcher>();

// One pool per origin for the whole process, so that reloading the configuration keeps its connections.
function agentFor(allowPrivateNetwork: boolean): Dispatcher {
  if (allowPrivateNetwork) return (openAgent ??= new Agent({ ...jobOptions, connect: connectTo(true) }));
  return (publicAgent ??= new Agent({ ...jobOptions, connect: connectTo(false) }));
}

// A connection that idled longer may be closed by the other side just as a job is sent over it, and that job would count as lost.
const jobOptions = {
  connections: 128,
  keepAliveTimeout: 1_000,
  keepAliveMaxTimeout: 1_000,
  allowH2: false,
  headersTimeout: 0,
  bodyTimeout: 0,
};

/** The connections for calls to one origin; a call that is lost on an old one is simply made again. */
function poolFor(origin: string, allowPrivateNetwork: boolean): Dispatcher {
  const name = `${allowPrivateNetwork} ${origin}`;
  const known = pools.get(name);
  if (known !== undefined) return known;
  const pool = new Pool(origin, {
    connections: 4_096,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 60_000,
    allowH2: false,
    connect: connectTo(allowPrivateNetwork),
  });
  pools.set(name, pool);
  return pool;
}

function connectTo(allowPrivateNetwork: boolean): { timeout: number; lookup?: LookupFunction } {
  return allowPrivateNetwork ? { timeout: 10_000 } : { timeout: 10_000, lookup: publicLookup };
}

const publicLookup: LookupFunction = (host, options, found) => {
  resolve(host, { ...options, all: true }, (error, addresses) => {
    if (error) return found(error, []);
    const hidden = addresses.find(({ address }) => !isPublicAddress(address));
    const [first] = addresses;
    if (hidden || !first) return found(new Error(hidden ? privateCause(hidden.address) : `${host} has no address`), []);
    if (options.all) found(null, addresses);
    else found(null, first.address, first.family);
  });
};

function redacted(reply: UpstreamReply, secret: string): UpstreamReply {
  if (reply.state === "answered") return { ...reply, text: redact(reply.text, secret) };
  return { ...reply, cause: redact(reply.cause, secret) };
}

/** The text with every spelling of the secret blotted out, on one line and short enough for a log. */
export function redact(text: string, secret: string): string {
  // Shorter ones are no secrets, and would tear words apart.
  const spellings =
    secret.length < 4 ? [] : [secret, encodeURIComponent(secret.toWellFormed()), String(new URLSearchParams([["", secret]])).slice(1)];
  const longest = Math.max(0, ...spellings.map((spelling) => spelling.length));
  // As many stars as letters, and a margin: nothing shifts, so no half of a secret is left at the cut.
  let clean = text.slice(0, maxCause + longest);
  for (const spelling of spellings) clean = clean.replaceAll(spelling, "*".repeat(spelling.length));
  return clean.slice(0, maxCause).replace(/\p{Cc}+/gu, " ");
}

const maxCause = 1_000;
