import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import type { Caller } from "../core/accounts.ts";
import { noBudget } from "../core/budget.ts";
import { Failure } from "../core/errors.ts";
import { authenticate } from "./auth.ts";
import { baseUrl } from "./base-url.ts";
import { describeOperation } from "./description.ts";
import type { ErrorShape } from "./error-shapes.ts";
import type { HeaderNotes } from "./limits.ts";
import type { Operation } from "./operation.ts";
import type { Services } from "./services.ts";
import { unknownFields, warningHeader } from "./unknown-fields.ts";
import { complaintFailure } from "./validation-message.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    errors?: ErrorShape;
  }
  interface FastifyRequest {
    caller: Caller | null;
    /** Who is asking, where that is an operator. */
    actor: string;
    /** A JSON body as it came. */
    rawBody: Buffer | null;
    /** Headers that are still to be shown. */
    notes: HeaderNotes;
  }
}

// The caller of operations that belong to no account.
const nobody: Caller = {
  account: {
    id: "",
    name: "",
    availableNanos: 0,
    heldNanos: 0,
    spentNanos: 0,
    frozen: true,
    starter: false,
    createdAt: 0,
    budget: noBudget,
  },
  key: null,
};

/** Puts an operation under its address and its aliases. */
export function addOperation(app: FastifyInstance, operation: Operation, services: Services): void {
  const { method, url, aliases = [], errors, bodyLimit, body, multipart, passesUnknown, isUncounted, isCall = false } = operation;
  const checked = body !== undefined && multipart === undefined && passesUnknown !== true;
  const schema = describeOperation(operation);
  for (const address of [url, ...aliases]) {
    app.route({
      method,
      url: address,
      schema: address === url ? schema : { ...schema, hide: true },
      config: { errors },
      ...(bodyLimit === undefined ? {} : { bodyLimit }),
      attachValidation: true,
      // Before the body is read: whoever may not ask does not get to send.
      preParsing: async (request, reply, payload) => {
        const caller = await authenticate(request, operation, services);
        request.caller = caller;
        request.notes = [];
        if (caller !== null && isUncounted !== true) await services.limits.admit(caller, request.notes);
        if (!isCall) showNotes(request, reply);
        return payload;
      },
      handler: async (request, reply) => {
        const wrong = request.validationError;
        // A body that comes in parts is checked by the operation, once they are read.
        const isUnread = multipart !== undefined && request.isMultipart() && wrong?.validationContext === "body";
        if (wrong !== undefined && !isUnread) throw complaintFailure(wrong.validation, wrong.validationContext);
        const ignored = checked ? unknownFields(body, request.body) : [];
        if (ignored.length > 0) reply.header("x-genway-warning", warningHeader(ignored));
        const { params, query, body: sent } = request;
        return operation.run(
          {
            params,
            query,
            body: sent,
            caller: request.caller ?? nobody,
            actor: request.actor,
            base: baseUrl(request, services),
            request,
            reply,
          },
          services,
        );
      },
    });
  }
}

/** Shows what was noted so far. */
export function showNotes({ notes }: FastifyRequest, reply: FastifyReply): void {
  for (let at = 0; at < notes.length; at += 2) reply.header(notes[at] ?? "", notes[at + 1]);
  notes.length = 0;
}

const methods: HTTPMethods[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Answers 405 at addresses that exist for other methods. */
export function refuseOtherMethods(app: FastifyInstance, operations: readonly Operation[]): void {
  const known = new Map<string, { taken: Set<string>; errors: ErrorShape }>();
  for (const { method, url, aliases = [], errors } of operations) {
    for (const address of [url, ...aliases]) {
      const entry = known.get(address) ?? { taken: new Set(), errors };
      known.set(address, entry);
      entry.taken.add(method);
      // Fastify answers HEAD wherever there is a GET.
      if (method === "GET") entry.taken.add("HEAD");
    }
  }
  for (const [url, { taken, errors }] of known) {
    const allow = [...taken].join(", ");
    app.route({
      method: methods.filter((method) => !taken.has(method) && !app.hasRoute({ method, url })),
      url,
      schema: { hide: true },
      config: { errors },
      preParsing: async (_request, reply) => {
        reply.header("allow", allow);
        throw new Failure("method_not_allowed", { says: `This address takes ${allow} only.` });
      },
      handler: () => undefined,
    });
  }
}
