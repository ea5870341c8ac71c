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
  app.get("/openapi.json", { schema: { hide: true } }, () => app.swagger());
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    staticCSP: policy,
    theme: { title: "Genway" },
    uiConfig: { layout: "BaseLayout", docExpansion: "list", displayRequestDuration: true, persistAuthorization: true },
  });
}
