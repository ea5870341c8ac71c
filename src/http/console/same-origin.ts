import type { FastifyRequest } from "fastify";
import { sameHash } from "../../core/accounts.ts";
import { Failure } from "../../core/errors.ts";
import type { Services } from "../services.ts";
import type { Session } from "./sessions.ts";

/** Whether a request comes from our own page; what says nothing of its origin must at least be called one by the browser. */
export function isFromOwnPage({ headers }: FastifyRequest, { settings }: Services): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return headers["sec-fetch-site"] === "same-origin";
  const from = URL.parse(origin)?.host;
  if (from === undefined || from === "") return false;
  const { publicUrl } = settings();
  return from === host || (publicUrl !== null && from === URL.parse(publicUrl)?.host);
}

/** Whether the browser speaks TLS, to us or to a proxy before us. */
export function isSecure({ protocol, headers }: FastifyRequest, { settings }: Services): boolean {
  return protocol === "https" || headers.origin?.startsWith("https:") === true || settings().publicUrl?.startsWith("https:") === true;
}

const safe = new Set(["GET", "HEAD", "OPTIONS"]);

export function isSafe({ method }: FastifyRequest): boolean {
  return safe.has(method);
}

/** A change asked for by a cookie alone could come from any page: the token shows that it comes from ours. */
export function refuseForgery(request: FastifyRequest, session: Session, services: Services): void {
  if (isSafe(request)) return;
  if (!isFromOwnPage(request, services))
    throw new Failure("not_allowed", { says: "A session may only be used from the console's own pages." });
  const token = request.headers["x-genway-csrf"];
  if (typeof token !== "string" || !sameHash(token, session.csrf))
    throw new Failure("not_allowed", { says: "The header x-genway-csrf is missing or wrong; load the page again." });
}
