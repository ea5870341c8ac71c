import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../core/accounts.ts";
import { kindOfOperation } from "../../core/call.ts";
import { usualOutputTokens } from "../../core/call-quote.ts";
import { Failure } from "../../core/errors.ts";
import { deferredKinds } from "../../core/kinds.ts";
import type { Asked, Meter } from "../../core/meter.ts";
import { assetUrls } from "../asset-url.ts";
import { answer } from "./call.ts";
import { createTask, hookFields } from "../create.ts";
import { showNotes } from "../routes.ts";
import type { Services } from "../services.ts";
import { taskRecord } from "../task-record.ts";
import { withUploads } from "../uploads.ts";

type Deferring = { caller: Caller; request: FastifyRequest; reply: FastifyReply; base: string; asked: Asked; meter: Meter };

/** Whether a client asks for a task instead of waiting for the reply. */
export function wantsTask({ body }: Asked): boolean {
  return body["async"] === true || body["async"] === "true";
}

/** Answers a call, or accepts it as a task where the client does not want to wait. */
export function answerOrDefer(ask: Deferring, services: Services): Promise<unknown> {
  return wantsTask(ask.asked) ? deferCall(ask, services) : answer(ask, services);
}

/** Accepts a call as a task: its result will be the reply. */
async function deferCall(ask: Deferring, services: Services): Promise<unknown> {
  const { caller, request, reply, base, asked, meter } = ask;
  const kind = deferredKinds.find((name) => name === kindOfOperation[asked.operation]);
  if (kind === undefined) throw new Failure("not_supported", { says: "'async' is not known here.", param: "async" });
  if (asked.stream) throw new Failure("invalid_request", { says: "'stream' and 'async' exclude each other.", param: "async" });
  const bounded = boundedBy(meter, asked, services.catalog.find(kind, asked.model)?.maxOutputTokens ?? usualOutputTokens);
  const { amountNanos } = services.calls.quote(caller, bounded, meter);
  const body = Object.fromEntries(Object.entries(bounded.body).filter(([name]) => !ours.has(name)));
  showNotes(request, reply);
  const url = assetUrls(services, base);
  return withUploads(services, caller, asked.files, (uploads) => {
    const files = asked.files.flatMap(({ name, mime }, at) => {
      const upload = uploads[at];
      return upload === undefined ? [] : [{ name, mime, ...upload }];
    });
    return createTask(
      { caller, request, reply, params: {}, body: asked.body, content: contentOf(asked) },
      services,
      { kind, dialect: "call", model: asked.model, input: { operation: asked.operation, body, files }, holdNanos: amountNanos },
      { created: (task) => taskRecord(task, url), queried: (task) => taskRecord(task, url) },
    );
  });
}

// What is held is what it may cost: a request that names no limit is told the one that the hold is made of.
function boundedBy({ output }: Meter, asked: Asked, most: number): Asked {
  if (output === undefined || output.names(asked.body)) return asked;
  return { ...asked, body: output.change(asked.body, output.of(asked.body) ?? most), raw: null };
}

// Words to us, which upstreams do not know.
const ours = new Set(["async", ...hookFields]);

/** What makes two calls the same: their fields, and the files that came with them. */
export function contentOf({ body, files }: Asked): unknown {
  return [body, files.map(({ field, bytes }) => [field, Buffer.from(bytes).toString("base64")])];
}
