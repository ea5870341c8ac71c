import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";

/** The description of the service for programs and for people, from this process alone. */
export async function registerDocs(app: FastifyInstance): Promise<void> {
  app.get("/openapi.json", { schema: { hide: true } }, () => app.swagger());
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    staticCSP: true,
    uiConfig: { docExpansion: "list", displayRequestDuration: true, persistAuthorization: true },
  });
}
