import type { Socket } from "node:net";
import multipart from "@fastify/multipart";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { errorTable, Failure } from "../core/errors.ts";
import type { NodeRow } from "../core/records.ts";
import { uuidv7 } from "../kit/ids.ts";
import { registerConsole, type ConsoleFiles } from "./console/pages.ts";
import { allowOrigin } from "./cors.ts";
import { collectDescriptions } from "./description.ts";
import { registerDocs } from "./docs.ts";
import { shapeError } from "./error-shapes.ts";
import { healthOperations } from "./health.ts";
import { parseJsonBody } from "./json-body.ts";
import { mebibyte } from "./operation.ts";
import { operations } from "./operations.ts";
import { addOperation, refuseOtherMethods, showNotes } from "./routes.ts";
import type { Services } from "./services.ts";
import { answerUnreadable } from "./unreadable.ts";

export type App = {
  server: FastifyInstance;
  /** From now on /ready says no, so that others are asked; whoever asks all the same is served. */
  turnAway(): void;
  /** From now on every request is told to come back later. */
  drain(): void;
  /** Takes no more connections and ends each of those it has with its next reply; resolves when the last one is gone. */
  leave(): Promise<void>;
  close(): Promise<void>;
};

const sweepMs = 200;

export type AppOptions = {
  trustProxy: boolean;
  role: NodeRow["role"];
  console: ConsoleFiles | null;
  observe?: (method: string, route: string, status: number, seconds: number) => void;
};

/** The HTTP service: every operation, and the one place that turns failures into replies. */
export async function buildApp(services: Services, options: AppOptions): Promise<App> {
  let draining = false;
  let turningAway = false;
  // A process that runs tasks says how it is, and no more.
  const served = options.role === "worker" ? healthOperations : operations;
  let leaving = false;
  const app = Fastify({
    logger: false,
    trustProxy: options.trustProxy,
    requestIdHeader: false,
    genReqId: () => uuidv7(),
    bodyLimit: mebibyte,
    requestTimeout: 120_000,
    keepAliveTimeout: 30_000,
    maxRequestsPerSocket: 10_000,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512 },
    http: { headersTimeout: 10_000, maxHeaderSize: 32_768 },
    // What fails before a route is found passes no hook.
    frameworkErrors: (error, request, reply) => answerError(error, request, reply.header("x-request-id", request.id), services),
    clientErrorHandler: answerUnreadable,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, verbose: true, strict: false } },
  });
  const unused = watchUnused(app);
  readJsonBodies(app);
  app.setSerializerCompiler(() => (reply) => JSON.stringify(reply));
  await registerPlugins(app, services.version);

  // With callbacks: a promise per hook and request is a cost that every route would pay.
  app.addHook("onRequest", (request, reply, done) => {
    unused.delete(request.raw.socket);
    reply.header("x-request-id", request.id);
    if (leaving) reply.header("connection", "close");
    if (allowOrigin(request, reply, services.settings().cors)) return void reply.code(204).send();
    done(refusal(request.url, draining || (turningAway && request.url === "/ready")));
  });
  app.addHook("onResponse", (request, reply, done) => {
    options.observe?.(request.method, request.routeOptions.url ?? "none", reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, services));
  app.setNotFoundHandler((request, reply) =>
    answerError(new Failure("not_found", options.role === "worker" ? elsewhere : {}), request, reply, services),
  );

  app.decorateRequest("caller", null);
  app.decorateRequest("actor", "admin");
  app.decorateRequest("rawBody", null);
  app.decorateRequest("notes");
  await app.register(async (scope) => {
    const [raw, read] = [served.filter(({ rawBody }) => rawBody === true), served.filter(({ rawBody }) => rawBody !== true)];
    for (const operation of read) addOperation(scope, operation, services);
    await scope.register(async (inner) => {
      takeAnyBody(inner);
      for (const operation of raw) addOperation(inner, operation, services);
    });
    refuseOtherMethods(scope, served);
  });
  await registerDocs(app);
  if (options.console !== null && options.role !== "worker") await registerConsole(app, options.console, services.settings);
  /** What is being answered when this begins does not end its connection, which would be kept for half a minute. */
  async function sweeping(act: () => Promise<void>): Promise<void> {
    const sweep = setInterval(() => app.server.closeIdleConnections(), sweepMs);
    await act().finally(() => clearInterval(sweep));
  }

  return {
    server: app,
    turnAway() {
      turningAway = true;
    },
    drain() {
      draining = true;
    },
    leave() {
      leaving = true;
      return sweeping(() => new Promise((resolve) => void app.server.close(() => resolve())));
    },
    close: () => sweeping(() => app.close()),
  };
}

async function registerPlugins(app: FastifyInstance, version: string): Promise<void> {
  await app.register(multipart, {
    limits: { fileSize: 32 * mebibyte, files: 8, fields: 64, fieldSize: mebibyte, parts: 64 },
    throwFileSizeLimit: true,
  });
  await collectDescriptions(app, version);
}

const elsewhere = { says: "This process only runs tasks (GENWAY_ROLE=worker); send requests to one that takes them." };

/** Why a request is not even looked at. */
function refusal(url: string, draining: boolean): Failure | undefined {
  // No text that is kept or looked for may have one; PostgreSQL would refuse it.
  if (url.includes("%00")) return new Failure("invalid_request", { says: "The address must not contain NUL characters." });
  if (draining && url !== "/health")
    return new Failure("unavailable", { says: "The service is stopping; try again in a moment.", retryAfterMs: 5_000 });
  return undefined;
}

/** Connections over which nothing was asked yet: nobody would miss them, and they would keep the service from ending. */
function watchUnused(app: FastifyInstance): Set<Socket> {
  const unused = new Set<Socket>();
  app.server.on("connection", (socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  app.addHook("preClose", (done) => {
    for (const socket of unused) socket.destroy();
    done();
  });
  return unused;
}

function readJsonBodies(app: FastifyInstance): void {
  app.removeContentTypeParser(["text/plain", "application/json"]);
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, bytes: Buffer, done) => {
    try {
      request.rawBody = bytes;
      done(null, parseJsonBody(bytes.toString()));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

function takeAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (request, bytes: Buffer, done) => {
    request.rawBody = bytes;
    done(null, undefined);
  });
}

/** The one place where what was thrown becomes a reply. */
function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply, { log }: Services): FastifyReply {
  const failure = failureOf(thrown);
  if (failure.code === "internal" || (failure.cause !== undefined && failure.status >= 500))
    log.error({ err: thrown, request: request.id, url: request.url.split("?")[0] }, failure.message);
  if (request.notes !== undefined) showNotes(request, reply);
  if (failure.status === 401) reply.header("www-authenticate", "Bearer");
  if (failure.retryAfterMs !== undefined || failure.status === 503)
    reply.header("retry-after", String(Math.ceil((failure.retryAfterMs ?? 5_000) / 1000)));
  return reply
    .code(failure.status)
    .type("application/json; charset=utf-8")
    .send(shapeError(failure, request.routeOptions.config.errors ?? "plain"));
}

function failureOf(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  const { statusCode, code } = frameworkError(thrown);
  if (statusCode === 413 || code === "FST_REQ_FILE_TOO_LARGE") return new Failure("too_large", { cause: thrown });
  if (statusCode === 415 || code === "FST_ERR_CTP_INVALID_MEDIA_TYPE")
    return new Failure("unsupported_media_type", { says: "Send the body as JSON with 'Content-Type: application/json'.", cause: thrown });
  if (statusCode >= 400 && statusCode < 500) return new Failure("invalid_request", { cause: thrown });
  return new Failure("internal", { says: errorTable.internal.sentence, cause: thrown });
}

/** What the framework says about its own errors. */
function frameworkError(thrown: unknown): { statusCode: number; code: string } {
  if (!(thrown instanceof Error)) return { statusCode: 500, code: "" };
  const statusCode = "statusCode" in thrown && typeof thrown.statusCode === "number" ? thrown.statusCode : 500;
  return { statusCode, code: "code" in thrown && typeof thrown.code === "string" ? thrown.code : "" };
}
