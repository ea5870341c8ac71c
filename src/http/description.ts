import swagger from "@fastify/swagger";
import Fastify, { type FastifyInstance } from "fastify";
import { Type } from "typebox";
import { errorSchemas } from "./error-shapes.ts";
import type { Operation } from "./operation.ts";

const about =
  "One address and one key for video, music, images, speech, text and embeddings. Send the key as `Authorization: Bearer <key>`. " +
  "Every create takes `Idempotency-Key`, `Prefer: wait=<seconds>` and an address to be told at the end.";

const documentParts = {
  components: { securitySchemes: { key: { type: "http", scheme: "bearer" }, admin: { type: "http", scheme: "bearer" } } },
} as const;

/** From now on every route of the app is collected for its OpenAPI document. */
export async function collectDescriptions(app: FastifyInstance, version: string): Promise<void> {
  const info = { title: "Genway", description: about, version, license: { name: "MIT" } };
  await app.register(swagger, { openapi: { openapi: "3.1.0", info, ...documentParts } });
}

const formType = "multipart/form-data";
const notJson = Type.Null({ description: "Not JSON: bytes, text or a stream of events" });

/** An operation in the words of a route's schema. */
export function describeOperation({ method, url, tag, summary, auth, errors, params, query, body, reply, multipart }: Operation): object {
  return {
    operationId: operationId(method, url),
    tags: [tag],
    summary,
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    ...(multipart && { consumes: multipart === "only" ? [formType] : ["application/json", formType] }),
    response: { 200: reply ?? notJson, default: errorSchemas[errors] },
    ...(auth === "open" ? {} : { security: [auth === "admin" ? { admin: [] } : { key: [] }] }),
  };
}

/** The name programs know an operation by: `GET /v1/tasks/:id` is getTasksById. */
export function operationId(method: string, url: string): string {
  const words = url.split("/").filter((part) => part !== "" && part !== "v1");
  return [method.toLowerCase(), ...words.map((part) => (part.startsWith(":") ? `By${pascal(part.slice(1))}` : pascal(part)))].join("");
}

function pascal(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

/** The OpenAPI document of some operations, made without a service behind them. */
export async function describeService(operations: readonly Operation[], version: string): Promise<object> {
  const app = Fastify({ logger: false });
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (reply) => JSON.stringify(reply));
  await collectDescriptions(app, version);
  for (const operation of operations)
    app.route({ method: operation.method, url: operation.url, schema: describeOperation(operation), handler: () => undefined });
  await app.ready();
  const document = app.swagger();
  await app.close();
  return document;
}
