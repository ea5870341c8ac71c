import { Failure } from "../../core/errors.ts";
import type { Job, Started, Work } from "../../core/provider.ts";
import { refusalOfFailure } from "../../core/refusal.ts";
import type { Refusal } from "../../core/refusal.ts";
import { fillAddress } from "./address.ts";
import { buildFields } from "./body.ts";
import { splitSend } from "./call.ts";
import { readDirect } from "./direct.ts";
import { givenOf } from "./engine.ts";
import type { Engine, Given } from "./engine.ts";
import { refuse } from "./failure.ts";
import { readOnce } from "./file-change.ts";
import type { Files } from "./file-change.ts";
import { canAct } from "./limits.ts";
import { holds } from "./path.ts";
import { prepare } from "./prepare.ts";
import { buildRequest } from "./request.ts";
import type { Ask } from "./call.ts";
import type { Start } from "./spec.ts";
import { readStart } from "./started.ts";

/** Sends a job the first way that fits it. */
export async function start(engine: Engine, job: Job, work: Work): Promise<Started> {
  const way = wayOf(engine, job);
  if (!way) return refused(refuse("unsupported", "the adapter has no way to send this"));
  let sending: { ask: Ask } | { refusal: Refusal };
  try {
    sending = await prepareAsk(engine, way, job, work);
  } catch (error) {
    return refused(unread(error, work));
  }
  if ("refusal" in sending) return refused(sending.refusal);
  const reply = await engine.call.start(sending.ask, work);
  if (way.answers === "record" || way.answers === "bytes") return readDirect(engine, way.answers, job, reply, work);
  return readStart(engine.spec, reply, way.keep);
}

/** The way that a job is sent; undefined where none fits. */
export function wayOf({ spec, options }: Engine, job: Job): Start | undefined {
  if (!canAct(spec.models, job)) return undefined;
  return spec.start.find(({ kind, when }) => kind === job.kind && holds({ ...job, options }, when));
}

async function prepareAsk(engine: Engine, way: Start, job: Job, work: Work): Promise<{ ask: Ask } | { refusal: Refusal }> {
  const { pictures } = engine.spec;
  const image = job.kind === "image" && { image: job.input };
  const files: Files = { load: readOnce(work.load), ...(pictures && { limits: pictures }), ...image };
  const bare: Given = { ...givenOf(engine, job), keep: way.keep ?? {} };
  const prepared = await prepare(engine, way.prepare ?? {}, bare, files, work);
  if ("refusal" in prepared) return prepared;
  const { given } = prepared;
  // No wait would make an address of a name that leads elsewhere.
  if (fillAddress(splitSend(way.send).template, given) === null) return { refusal: refuse("not_found", `nothing fills ${way.send}`) };
  const isDirect = way.answers === "record" || way.answers === "bytes";
  const ask: Ask = {
    send: way.send,
    values: given,
    headers: { ...(way.answers === "bytes" && { accept: "*/*" }), ...way.headers },
    body: way.build ? { json: way.build(job, given) } : await buildRequest(way, given, files),
    ...(way.query && { query: await buildFields(way.query, given, files) }),
    ...(isDirect && { isLarge: true }),
  };
  return { ask };
}

function unread(error: unknown, { signal }: Work): Refusal {
  if (signal.aborted) return refuse("transient", "the work was stopped");
  if (error instanceof Failure && error.code !== "input_unreachable") return refusalOfFailure(error);
  const refusal = refuse("input_unreachable", String(error));
  return error instanceof Failure ? { ...refusal, says: error.message } : refusal;
}

const refused = (refusal: Refusal): Started => ({ state: "refused", refusal });
