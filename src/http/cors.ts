import type { FastifyReply, FastifyRequest } from "fastify";

const methods = "GET, POST, PATCH, DELETE, OPTIONS";
const exposed =
  "x-request-id, x-genway-provider, x-genway-attempts, x-genway-cost, x-genway-cache, x-genway-warning, x-ratelimit-limit-requests, x-ratelimit-remaining-requests, x-ratelimit-reset-requests, x-ratelimit-limit-tokens, x-ratelimit-remaining-tokens, x-ratelimit-reset-tokens, retry-after, idempotent-replayed, preference-applied";
const preflightSeconds = "600";

/** Lets pages of listed origins call us; true when the request was only a question whether they may. */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, origins: readonly string[]): boolean {
  const { origin } = request.headers;
  if (origin === undefined || origin === "null" || !(origins.includes(origin) || origins.includes("*"))) return false;
  reply.headers({ "access-control-allow-origin": origin, vary: "origin", "access-control-expose-headers": exposed });
  if (request.method !== "OPTIONS" || request.headers["access-control-request-method"] === undefined) return false;
  reply.headers({
    "access-control-allow-methods": methods,
    "access-control-allow-headers": request.headers["access-control-request-headers"] ?? "authorization, content-type",
    "access-control-max-age": preflightSeconds,
  });
  return true;
}
