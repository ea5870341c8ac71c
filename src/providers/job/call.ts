import type { ProviderSettings, Work } from "../../core/provider.ts";
import { Failure } from "../../core/errors.ts";
import { fillAddress } from "./path.ts";
import type { JobSpec, Send } from "./spec.ts";
import { createUpstream } from "../upstream/upstream.ts";
import type { Upstream, UpstreamRequest } from "../upstream/upstream.ts";
import type { UpstreamReply } from "../upstream/reply.ts";

/** Sends what a spec describes: an address with its places filled, and a body. */
export type JobCall = {
  start: Caller;
  poll: Caller;
  locate: Upstream["locate"];
};

type Caller = (send: Send, values: object, work: Work, json?: unknown) => Promise<UpstreamReply>;

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
    locate: upstream.locate,
  };
}

function caller(upstream: Upstream, timeoutMs: number): Caller {
  return async (send, values, { signal, credential }, json) => {
    const { method, template } = split(send);
    const url = fillAddress(template, values);
    if (url === null) return { state: "not-sent", cause: `nothing fills ${template}` };
    return upstream.call({ method, url, json, secret: credential.secret, timeoutMs, signal });
  };
}

const methods = ["GET", "POST", "PUT", "DELETE"] as const;

function split(send: Send): { method: UpstreamRequest["method"]; template: string } {
  const [word = "", template = ""] = send.split(" ", 2);
  return { method: methods.find((method) => method === word) ?? "GET", template };
}
