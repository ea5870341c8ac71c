import type { AddressSet } from "./address.ts";
import { sendPinned } from "./pinned-request.ts";
import type { PinnedReply, PinnedRequest } from "./pinned-request.ts";
import { checkUntrustedUrl, resolveUntrusted, UntrustedUrlError } from "./untrusted-url.ts";
import type { Resolve } from "./untrusted-url.ts";

export { checkUntrustedUrl, UntrustedUrlError } from "./untrusted-url.ts";

export type UntrustedRequest = {
  method?: PinnedRequest["method"];
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** The most the body may have; 0 when only the status and the headers are wanted. */
  maxBytes: number;
  /** For everything from resolving the name to the last byte of the body. */
  timeoutMs: number;
  connectTimeoutMs?: number;
  signal?: AbortSignal;
  /** Networks that may be reached although they are not public. */
  allow: AddressSet;
  /** How many redirects a GET or HEAD follows, 3 unless told; with 0 the redirect itself is the reply. */
  redirects?: number;
  /** Judges the content type of a 2xx reply. */
  accept?: (mime: string) => boolean;
  resolve?: Resolve;
};

export type UntrustedReply = {
  status: number;
  headers: Record<string, string>;
  /** The content type as declared, without parameters. */
  mime: string;
  /** Where the reply came from after redirects. */
  url: string;
  /** To be read once; throws UntrustedUrlError. Unread, the connection stays until `discard` or the time is up. */
  body: AsyncIterable<Uint8Array>;
  discard(): void;
};

/** Fetches a URL that someone outside chose: only from checked addresses, within the bytes and time given; throws UntrustedUrlError. */
export async function fetchUntrusted(address: string | URL, request: UntrustedRequest): Promise<UntrustedReply> {
  const deadline = startDeadline(request);
  try {
    let url = checkUntrustedUrl(String(address), request);
    let headers = requestHeaders(request);
    const redirects = isRepeatable(request) ? (request.redirects ?? 3) : 0;
    for (let hop = 0; ; hop++) {
      const received = await send(url, headers, request, deadline);
      const location = redirects > 0 ? redirectOf(received) : null;
      if (location === null) return replyOf(url, received, request, deadline);
      received.end();
      if (hop === redirects) throw new UntrustedUrlError("too-many-redirects", `The URL redirects more than ${redirects} times.`);
      const next = checkUntrustedUrl(URL.parse(location, url.href)?.href ?? "", request);
      if (next.origin !== url.origin) headers = withoutSecrets(headers);
      url = next;
    }
  } catch (error) {
    deadline.stop();
    throw deadline.signal.aborted ? deadline.signal.reason : error;
  }
}

/** The same with the whole body in memory; any status but 2xx is an UntrustedUrlError too. */
export async function readUntrusted(
  address: string | URL,
  request: UntrustedRequest,
): Promise<Omit<UntrustedReply, "body" | "discard"> & { bytes: Uint8Array }> {
  const { body, discard, ...reply } = await fetchUntrusted(address, request);
  if (reply.status < 200 || reply.status > 299) {
    discard();
    throw new UntrustedUrlError("bad-status", `The URL answered with status ${reply.status}.`, { status: reply.status });
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return { ...reply, bytes: Buffer.concat(chunks) };
}

type Deadline = { signal: AbortSignal; stop(): void };

function startDeadline({ timeoutMs, signal }: UntrustedRequest): Deadline {
  const control = new AbortController();
  const timer = setTimeout(
    () => control.abort(new UntrustedUrlError("timeout", `The URL did not answer within ${timeoutMs} ms.`)),
    timeoutMs,
  );
  const cancel = () => control.abort(new UntrustedUrlError("cancelled", "The fetch was cancelled.", { cause: signal?.reason }));
  if (signal?.aborted) cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  const stop = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
  };
  return { signal: control.signal, stop };
}

async function send(url: URL, headers: Record<string, string>, request: UntrustedRequest, { signal }: Deadline): Promise<PinnedReply> {
  const addresses = await orAborted(resolveUntrusted(url, request), signal);
  signal.throwIfAborted();
  const { method = "GET", body = null, connectTimeoutMs = 5000 } = request;
  return sendPinned(url, addresses, { method, headers, body, connectTimeoutMs, signal });
}

function replyOf(url: URL, received: PinnedReply, request: UntrustedRequest, deadline: Deadline): UntrustedReply {
  const { status, headers } = received;
  const mime = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() || "application/octet-stream";
  const discard = () => {
    deadline.stop();
    received.end();
  };
  const wantsBody = request.maxBytes > 0;
  const refusal = wantsBody ? refusalOf(received, mime, request) : null;
  if (refusal || !wantsBody) discard();
  if (refusal) throw refusal;
  const body = wantsBody ? bounded(received, request.maxBytes, deadline, discard) : nothing();
  return { status, headers, mime, url: url.href, body, discard };
}

function refusalOf(
  { status, headers }: PinnedReply,
  mime: string,
  { accept, maxBytes, method }: UntrustedRequest,
): UntrustedUrlError | null {
  const codings = `${headers["content-encoding"] ?? ""},${headers["transfer-encoding"] ?? ""}`.toLowerCase().split(",");
  if (codings.some((coding) => !["", "identity", "chunked"].includes(coding.trim()))) {
    return new UntrustedUrlError("compressed", "The URL answered with compressed content although none was asked for.");
  }
  if (status < 200 || status > 299) return null;
  if (accept && !accept(mime)) {
    return new UntrustedUrlError("wrong-type", `The URL's content has a type that is not accepted here: ${mime.slice(0, 80)}.`);
  }
  if (method !== "HEAD" && Number(headers["content-length"] ?? 0) > maxBytes) return tooLarge(maxBytes);
  return null;
}

async function* bounded(received: PinnedReply, maxBytes: number, { signal }: Deadline, discard: () => void): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of received.body) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof UntrustedUrlError) throw error;
    throw new UntrustedUrlError("cut-short", "The URL's content ended before it was whole.", { cause: error });
  } finally {
    discard();
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

function tooLarge(maxBytes: number): UntrustedUrlError {
  return new UntrustedUrlError("too-large", `The URL's content is larger than ${maxBytes} bytes.`);
}

function isRepeatable({ method = "GET" }: UntrustedRequest): boolean {
  return method === "GET" || method === "HEAD";
}

function redirectOf({ status, headers }: PinnedReply): string | null {
  return [301, 302, 303, 307, 308].includes(status) ? (headers["location"] ?? null) : null;
}

const ours = new Set(["host", "connection", "content-length", "transfer-encoding", "accept-encoding", "expect", "upgrade"]);

function requestHeaders({ headers = {} }: UntrustedRequest): Record<string, string> {
  const wanted = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    "user-agent": "genway",
    accept: "*/*",
    ...Object.fromEntries(wanted.filter(([name]) => !ours.has(name))),
    "accept-encoding": "identity",
  };
}

const harmless = new Set(["user-agent", "accept", "accept-encoding", "accept-language", "range"]);

function withoutSecrets(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => harmless.has(name)));
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, aborted]);
}
