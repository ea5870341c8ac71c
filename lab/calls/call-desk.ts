import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { deliver } from "../delivery.ts";
import { textOf } from "../dialect.ts";
import type { Script } from "../script.ts";
import { deliverCall } from "./courier.ts";
import { readBytes, readContent } from "./form.ts";
import { callUpstreams } from "./index.ts";
import { createLedger } from "./ledger.ts";
import type { LabCall } from "./ledger.ts";
import { createPlanner } from "./plan.ts";
import { refusalOf } from "./refusal.ts";
import { areTokensLoaded, loadTokens } from "./tokens.ts";
import type { CallIntent, CallOrder, CallRefusal, CallRequest, CallUpstream } from "./upstream.ts";

export type CallDeskOptions = {
  script(): Script;
  random(): number;
  keys: readonly string[];
  now(): number;
  origin(): string;
};

/** Takes the calls to every upstream: checks the key, finds out what is asked for, answers as the plan has it, and keeps the ledger. */
export function createCallDesk({ script, random, keys, now, origin }: CallDeskOptions) {
  const ledger = createLedger();
  const planFor = createPlanner({ script, random });
  const batch = randomBytes(8).toString("hex");
  let count = 0;

  function note(upstream: CallUpstream, order: Asked, key: string): LabCall {
    const { operation, model, prompt, promptTokens, units, stream } = order;
    const id = `${batch}${(count++).toString(36).padStart(8, "0")}`;
    return ledger.open({ id, upstream: upstream.name, operation, model, key, prompt, promptTokens, units, stream, at: now() });
  }

  function refuse(upstream: CallUpstream, request: CallRequest, refusal: CallRefusal, entry: LabCall, response: ServerResponse): void {
    const reply = upstream.no(refusal, request);
    entry.status = reply.status;
    ledger.end(entry, "refused");
    deliver(response, reply, null);
  }

  function answer(upstream: CallUpstream, request: CallRequest, order: CallOrder, key: string, response: ServerResponse) {
    const entry = note(upstream, order, key);
    const plan = planFor(order.prompt, { upstream: upstream.name, model: order.model, key, stream: order.stream });
    const refusal = plan.fault && refusalOf(plan.fault, key, script().retryAfterSeconds);
    if (refusal) return refuse(upstream, request, refusal, entry, response);
    const link = (file: string) => `${origin()}/media/${entry.id}/${file}?until=${Math.ceil(now() + script().linkSeconds * 1_000)}`;
    return deliverCall({
      response,
      reply: order.answer({ id: entry.id, nowMs: entry.at, plan, link }),
      plan,
      entry,
      end: (ended) => ledger.end(entry, ended),
      error: () => upstream.error(`told to fail (key ${key})`, order),
    });
  }

  function handle(upstream: CallUpstream, request: CallRequest, response: ServerResponse) {
    const key = upstream.key(request) ?? "";
    const intent = upstream.read(request);
    if (!upstream.isOpen && !keys.includes(key)) {
      // Real upstreams repeat the key they were given, and so must never be quoted whole.
      const refusal: CallRefusal = { reason: "auth", says: `The key ${key} is not valid.` };
      return refuse(upstream, request, refusal, note(upstream, askedBy(intent, request), key), response);
    }
    if (intent?.do === "show") return deliver(response, { status: 200, body: intent.body }, null);
    if (intent?.do === "call") return answer(upstream, request, intent.order, key, response);
    const { reason, says } = intent?.refusal ?? { reason: "missing", says: `There is no ${request.method} ${request.path}.` };
    refuse(upstream, request, { reason, says: `${says} (key ${key})` }, note(upstream, askedBy(intent, request), key), response);
  }

  return {
    isFor: (url: string) => upstreamOf(url) !== undefined,
    /** Answers a request whose path begins with the name of an upstream. */
    async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
      const upstream = upstreamOf(incoming.url ?? "");
      if (upstream) await handle(upstream, await requestOf(incoming, upstream), response);
    },
    calls: ledger.list,
    totals: ledger.totals,
  };
}

const noQuery = new URLSearchParams();

async function requestOf(incoming: IncomingMessage, { name }: CallUpstream): Promise<CallRequest> {
  const { method = "GET", headers, url = "" } = incoming;
  const content = readContent(await readBytes(incoming), headers["content-type"] ?? "");
  const { body, files } = content instanceof Promise ? await content : content;
  if (!areTokensLoaded()) await loadTokens();
  const mark = url.indexOf("?");
  const path = url.slice(name.length + 1, mark === -1 ? undefined : mark);
  return { method, path, query: mark === -1 ? noQuery : new URLSearchParams(url.slice(mark)), headers, body, files };
}

type Asked = Omit<CallOrder, "answer">;

function askedBy(intent: CallIntent | null, { path, body }: CallRequest): Asked {
  if (intent?.do === "call") return intent.order;
  return { operation: path, model: textOf(body, "model"), prompt: "", promptTokens: 0, units: 0, stream: false };
}

function upstreamOf(url: string): CallUpstream | undefined {
  const end = url.indexOf("/", 1);
  return callUpstreams.get(url.slice(1, end === -1 ? undefined : end));
}
