import { Failure } from "../../core/errors.ts";
import { callOperations, type Answer, type AnswerCall, type Call, type CallWork } from "../../core/call.ts";
import type { Adapter, Calls, ProviderSettings } from "../../core/provider.ts";
import { refusalOfFailure, type FailureClass, type Refusal } from "../../core/refusal.ts";
import { parseObject } from "../../dialects/json-reading.ts";
import { translatePieces } from "../../dialects/translate.ts";
import { refusalInside, refusalOf } from "./failure.ts";
import { probeCalls } from "./probe.ts";
import type { CallSpec, OperationSpec } from "./spec.ts";
import { encodeForm } from "./form.ts";
import { refuse } from "../job/failure.ts";
import { explain, flattened } from "../upstream/exchange.ts";
import { isTimeout, type Opened } from "../upstream/stream.ts";
import { createUpstream, redact, type Upstream } from "../upstream/upstream.ts";

const mostReplyBytes = 64 * 1024 * 1024;
const mostErrorBytes = 256 * 1024;

/** Makes an adapter of a description: one engine asks every upstream that answers at once. */
export function createCallAdapter(spec: CallSpec): Adapter {
  return {
    type: spec.type,
    ...(spec.baseUrl !== undefined && { defaultBaseUrl: spec.baseUrl }),
    needsKey: spec.auth !== "none" && spec.keyOptional !== true,
    create(settings) {
      const upstream = upstreamOf(spec, settings);
      return { calls: callsOf(spec, upstream), probe: (work) => probeCalls(upstream, spec.probe ?? "/models", work) };
    },
  };
}

function upstreamOf(spec: CallSpec, settings: ProviderSettings): Upstream {
  const baseUrl = settings.baseUrl ?? spec.baseUrl;
  if (baseUrl === undefined || !URL.canParse(baseUrl))
    throw new Failure("invalid_request", { says: `The provider ${settings.name} needs a base_url.`, param: "base_url" });
  return createUpstream({
    baseUrl,
    allowPrivateNetwork: settings.allowPrivateNetwork,
    auth: spec.auth ?? { header: "authorization", prefix: "Bearer " },
    ...(spec.headers && { headers: spec.headers }),
  });
}

/** The calls of one configured upstream. */
function callsOf(spec: CallSpec, upstream: Upstream): Calls {
  const calls: { -readonly [O in keyof Calls]: AnswerCall } = {};
  for (const name of callOperations) {
    const operation = spec.operations[name];
    if (operation !== undefined) calls[name] = (call, work) => answer(upstream, operation, call, work);
  }
  return calls;
}

async function answer(upstream: Upstream, operation: OperationSpec, call: Call, work: CallWork): Promise<Answer> {
  let request: ReturnType<typeof encode>;
  try {
    request = encode(operation, call);
  } catch (error) {
    if (error instanceof Failure) return refused(refusalOfFailure(error));
    throw error;
  }
  const { signal, patienceMs, credential } = work;
  const opened = await upstream.open({ ...request, secret: credential.secret, patienceMs, signal });
  if (opened.state !== "open") return refused(lost(opened, work));
  try {
    return await read(opened, operation, call, work);
  } catch (error) {
    opened.body.discard();
    return refused(broken(error, work));
  }
}

function encode(operation: OperationSpec, call: Call): { path: string; headers: Record<string, string>; body: Uint8Array } {
  const path = typeof operation.path === "string" ? operation.path : operation.path(call);
  const headers: Record<string, string> = { ...operation.headers, ...call.headers };
  if (operation.translate === undefined && call.files.length > 0) {
    const form = encodeForm({ ...call.body, model: call.model }, call.files);
    return { path, headers: { ...headers, "content-type": form.mime }, body: form.body };
  }
  headers["content-type"] = "application/json";
  if (operation.translate !== undefined) return { path, headers, body: Buffer.from(JSON.stringify(operation.translate.request(call))) };
  if (operation.adjust === undefined) return { path, headers, body: call.json };
  return { path, headers, body: Buffer.from(JSON.stringify(operation.adjust({ ...call.body, model: call.model }))) };
}

type Open = Extract<Opened, { state: "open" }>;

async function read({ status, headers, body }: Open, operation: OperationSpec, call: Call, work: CallWork): Promise<Answer> {
  const mime = String(headers["content-type"] ?? "");
  if (status < 200 || status >= 300) return refused(await readRefusal({ status, headers, body }, work));
  if (operation.returns === "media") {
    if (/json|html|xml/.test(mime)) return refused(refuse("transient", `the upstream answered ${mime}`));
    return { state: "stream", mime: mime === "" ? "application/octet-stream" : mime, pieces: body };
  }
  if (call.stream) {
    if (/json(?!l|-seq)|html|xml/.test(mime) && !/ndjson/.test(mime)) return refused(await readInstead(body, mime, work));
    const { translate } = operation;
    const translator = translate?.stream?.(call);
    if (translate === undefined || translator === undefined) return { state: "stream", mime: "text/event-stream", pieces: body };
    return { state: "stream", mime: "text/event-stream", pieces: translatePieces(body, translator, translate.framing ?? "events") };
  }
  return readWhole(await body.whole(mostReplyBytes), mime, operation, call, work);
}

function readWhole(bytes: Buffer, mime: string, operation: OperationSpec, call: Call, { credential }: CallWork): Answer {
  // Some replies of this dialect are plain text: captions and transcripts.
  if (/^text\/(plain|vtt|srt)|subrip/.test(mime)) return { state: "whole", mime, body: bytes };
  const value = parseObject(bytes.toString());
  if (value === null)
    return refused(unsure("transient", `the upstream's answer is not JSON: ${redact(bytes.toString("utf8", 0, 200), credential.secret)}`));
  if (value["error"] !== undefined && value["error"] !== null && value["choices"] === undefined && value["output"] === undefined)
    return refused(refusalInside(value, credential.secret));
  if (operation.translate === undefined && operation.repair === undefined)
    return { state: "whole", mime: "application/json", body: bytes, value };
  const reply = operation.translate?.reply(value, call) ?? value;
  const repaired = operation.repair?.(reply, call) ?? reply;
  return { state: "whole", mime: "application/json", body: Buffer.from(JSON.stringify(repaired)), value: repaired };
}

async function readRefusal({ status, headers, body }: Open | Omit<Open, "state">, { credential, signal }: CallWork): Promise<Refusal> {
  const bytes = await body.whole(mostErrorBytes).catch(() => Buffer.alloc(0));
  if (signal.aborted) return refuse("cancelled", "the work was stopped");
  if (status >= 300 && status < 400) return refuse("transient", `the upstream answered with a redirect (${status})`);
  const text = bytes.toString("utf8", 0, 4_096);
  return refusalOf({ status, headers: flattened(headers), body: parseObject(bytes.toString()) ?? undefined, text }, credential.secret);
}

async function readInstead(body: Open["body"], mime: string, { credential }: CallWork): Promise<Refusal> {
  const bytes = await body.whole(mostErrorBytes).catch(() => Buffer.alloc(0));
  const value = parseObject(bytes.toString());
  if (value?.["error"] !== undefined) return refusalInside(value, credential.secret);
  return refuse("transient", `the upstream answered ${mime} where a stream was asked for`);
}

function refused(refusal: Refusal): Answer {
  return { state: "refused", refusal };
}

function lost({ state, cause, timedOut }: Exclude<Opened, { state: "open" }>, { signal, credential }: CallWork): Refusal {
  if (signal.aborted) return refuse("cancelled", "the work was stopped");
  return (state === "lost" ? unsure : refuse)(timedOut ? "timeout" : "transient", redact(cause, credential.secret));
}

function unsure(failure: FailureClass, cause: string): Refusal {
  return { ...refuse(failure, cause), isUnsure: true };
}

function broken(error: unknown, { signal, credential }: CallWork): Refusal {
  if (signal.aborted) return refuse("cancelled", "the work was stopped");
  return unsure(isTimeout(error) ? "timeout" : "transient", redact(explain(error), credential.secret));
}
