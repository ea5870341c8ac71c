import type { FastifyRequest } from "fastify";
import type { Services } from "./services.ts";

/** The address we are reached at: the configured one, else this machine's, else a listed Host. */
export function baseUrl(request: FastifyRequest, services: Services): string {
  const { publicUrl, loopback, hosts } = services.settings();
  if (publicUrl !== null) return publicUrl.replace(/\/+$/, "");
  const { host } = request.headers;
  if (!loopback && host !== undefined && hosts.includes(host)) return `${request.protocol}://${host}`;
  return services.boundUrl();
}
