import { gzipSync } from "node:zlib";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";

// Nothing from elsewhere, and no upgrade to HTTPS: on an own network the service may speak plain HTTP.
const policy = {
  "default-src": "'self'",
  "base-uri": "'self'",
  "frame-ancestors": "'none'",
  "img-src": ["'self'", "data:"],
  "object-src": "'none'",
};

/** The description of the service for programs and for people, from this process alone. */
export async function registerDocs(app: FastifyInstance): Promise<void> {
  // It is the same as long as the process lives, and large.
  const made: { plain?: string; small?: Buffer } = {};
  app.get("/openapi.json", { schema: { hide: true } }, ({ headers }, reply) => {
    made.plain ??= JSON.stringify(app.swagger());
    void reply.headers({ "content-type": "application/json; charset=utf-8", vary: "accept-encoding" });
    if (!/\bgzip\b/.test(headers["accept-encoding"] ?? "")) return reply.send(made.plain);
    made.small ??= gzipSync(made.plain);
    return reply.header("content-encoding", "gzip").send(made.small);
  });
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    staticCSP: policy,
    theme: { title: "Genway" },
    uiConfig: { layout: "BaseLayout", docExpansion: "list", displayRequestDuration: true, persistAuthorization: true },
  });
}
