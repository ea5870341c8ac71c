import type { FastifyReply, FastifyRequest } from "fastify";
import type { Static, TSchema } from "typebox";
import type { Caller } from "../core/accounts.ts";
import type { ErrorShape } from "./error-shapes.ts";
import type { Services } from "./services.ts";

/** One request that passed authentication and validation. */
export type Ask<P, Q, B> = {
  params: P;
  query: Q;
  body: B;
  caller: Caller;
  /** Who an operator's act is written down for. */
  actor: string;
  /** The address this service is reached at, without a slash at its end. */
  base: string;
  request: FastifyRequest;
  reply: FastifyReply;
};

export type Operation = {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  url: string;
  /** Other addresses of the same operation. */
  aliases?: readonly string[];
  tag: string;
  summary: string;
  errors: ErrorShape;
  /** key: a client key always. client: a key, or whoever local mode lets in. admin: the admin key. open: anybody. */
  auth: "key" | "client" | "admin" | "open";
  /** What a key limited to some groups must have. */
  scope?: string;
  params?: TSchema;
  query?: TSchema;
  body?: TSchema;
  reply?: TSchema;
  bodyLimit?: number;
  /** Any body is taken as it comes; `run` finds it in the request's `rawBody`. */
  rawBody?: boolean;
  /** Not a request of its minute: those that it makes of itself are. */
  isUncounted?: boolean;
  /** Answered by `http/call`, which writes its headers itself. */
  isCall?: boolean;
  /** Fields that the schema does not know are the provider's affair. */
  passesUnknown?: boolean;
  /** The body may come as multipart/form-data; `run` then gets what `http/multipart` made of it. */
  multipart?: "too" | "only";
  run(ask: Ask<unknown, unknown, unknown>, services: Services): Promise<unknown>;
};

type Typed<P extends TSchema, Q extends TSchema, B extends TSchema> = Omit<Operation, "params" | "query" | "body" | "run"> & {
  params?: P;
  query?: Q;
  body?: B;
  run(ask: Ask<Static<P>, Static<Q>, Static<B>>, services: Services): Promise<unknown>;
};

/** Describes an operation; the types of params, query and body are read off its schemas. */
export function operation<P extends TSchema, Q extends TSchema, B extends TSchema>(described: Typed<P, Q, B>): Operation {
  return described;
}

export const mebibyte = 1024 * 1024;
