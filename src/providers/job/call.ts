import type { ProviderSettings, Work } from "../../core/provider.ts";
import { Failure } from "../../core/errors.ts";
import { fillAddress, fillTexts } from "./address.ts";
import type { JobSpec, Send } from "./spec.ts";
import { createUpstream } from "../upstream/upstream.ts";
import type { Upstream, UpstreamRequest } from "../upstream/upstream.ts";
import type { UpstreamReply } from "../upstream/reply.ts";

/** Sends what a spec describes: an address with its places filled, and a body. */
export type JobCall = {
  start: Caller;
  poll: Caller;
  /** Asks for an address that has nothing to do with jobs. */
  look: (address: string, work: Pick<Work, "credential" | "signal">) => Promise<UpstreamReply>;
  locate: Upstream["locate"];
  guarded: Upstream["guarded"];
};

/** One request: its address, what fills the places in it, and what goes along. */
export type Ask = {
  send: Send;
  values: object;
  headers?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: Pick<UpstreamRequest, "json" | "form">;
  /** Whether the reply may hold a whole medium. */
  isLarge?: boolean;
};

type Caller = (ask: Ask, work: Pick<Work, "credential" | "signal">) => Promise<UpstreamReply>;

export function createJobCall(spec: JobSpec, settings: ProviderSettings): JobCall {
  const baseUrl = settings.baseUrl ?? spec.baseUrl;
  if (baseUrl === undefined || !URL.canParse(baseUrl)) {
    throw new Failure("invalid_request", { says: `The provider ${settings.name} needs a base_url.`, param: "base_url" });
  }
  const upstream = createUpstream({
    baseUrl,
    allowPrivateNetwork: settings.allowPrivateNetwork,
    auth: spec.auth ?? { header: "authorization", prefix: "Bearer " },
    ...(spec.headers && { headers: spec.headers }),
    ...(spec.trustedHosts && { trustedHosts: spec.trustedHosts }),
  });
  const { startSeconds = 60, pollSeconds = 20 } = spec.patience ?? {};
  return {
    start: caller(upstream, startSeconds * 1_000),
    poll: caller(upstream, pollSeconds * 1_000),
    look: (url, { credential, signal }) =>
      upstream.call({ method: "GET", url, secret: credential.secret, timeoutMs: pollSeconds * 1_000, signal }),
    locate: upstream.locate,
    guarded: upstream.guarded,
  };
}

const largeReplyBytes = 64 * 1024 * 1024;

function caller(upstream: Upstream, timeoutMs: number): Caller {
  return async ({ send, values, headers, query, body, isLarge }, { signal, credential }) => {
    const { method, template } = splitSend(send);
    const address = fillAddress(template, values);
    if (address === null) return { state: "not-sent", cause: `nothing fills ${template}` };
    return upstream.call({
      method,
      url: withQuery(address, query),
      headers: filledHeaders(headers, values),
      ...body,
      ...(isLarge && { maxReplyBytes: largeReplyBytes }),
      secret: credential.secret,
      timeoutMs,
      signal,
    });
  };
}

function withQuery(address: string, query: Readonly<Record<string, unknown>> = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) for (const one of [value].flat()) params.append(name, String(one));
  if (params.size === 0) return address;
  return `${address}${address.includes("?") ? "&" : "?"}${String(params)}`;
}

// A header whose place is not filled is left out.
function filledHeaders(headers: Readonly<Record<string, string>> = {}, values: object): Record<string, string> {
  const filled = Object.entries(headers).flatMap(([name, text]) => Object.entries(fillTexts({ [name.toLowerCase()]: text }, values) ?? {}));
  return Object.fromEntries(filled);
}

const methods = ["GET", "POST", "PUT", "DELETE"] as const;

/** The method of a request, and its address with places in it. */
export function splitSend(send: Send): { method: UpstreamRequest["method"]; template: string } {
  const [word = ""] = send.split(" ", 1);
  return { method: methods.find((method) => method === word) ?? "GET", template: send.slice(word.length + 1) };
}
