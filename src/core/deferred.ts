import { gather } from "../kit/gather.ts";
import { answerCall, type AnswerNeeds } from "./call-answer.ts";
import { callOperations, kindOfOperation, type CallFile, type CallOperation } from "./call.ts";
import { modelOf, routesOf } from "./call-route.ts";
import { Failure, type ErrorCode } from "./errors.ts";
import type { DeferredInput, DeferredOutput, TaskInput } from "./kinds.ts";
import { isDeferred } from "./kinds.ts";
import type { Asked, Meter, Whole } from "./meter.ts";
import { priceCall, type Measured } from "./pricing.ts";
import type { Store } from "./ports.ts";
import type { Job, Provider, Started, Work } from "./provider.ts";
import type { FailureClass } from "./refusal.ts";
import type { Catalog } from "./routing.ts";
import type { Task } from "./task.ts";

export type DeferredNeeds = AnswerNeeds & {
  store: Pick<Store, "task" | "account">;
  catalog: Catalog;
  meterOf: (operation: CallOperation) => Meter;
  /** The reply as a client that waited would have read it. */
  show: (operation: CallOperation, whole: Whole, measured: Measured, costNanos: number, alias: string | null) => Whole;
};

/** The built-in provider of calls for which nobody waits: it asks those who answer such calls at once. */
export function createDeferred(needs: Promise<DeferredNeeds>): Provider {
  const any = () => ({});
  return {
    probe: async () => ({ ok: true, says: "It asks the other providers." }),
    tasks: {
      serves: { chat: any, speech: any, transcription: any },
      // A call that a crash cut off is asked again: its reply is lost, and nothing of it was paid for by its client.
      recovery: "repeat",
      lanes: "per-kind",
      pollEveryMs: 1_000,
      start: async (job, work) => start(await needs, job, work),
    },
  };
}

async function start(needs: DeferredNeeds, job: Job, work: Work): Promise<Started> {
  const task = await needs.store.task({ id: job.taskId, account: null });
  if (task === null || !isDeferred(job)) return refused("invalid", "this is not a call");
  try {
    return { state: "done", output: await answer(needs, task, job.input, work) };
  } catch (error) {
    if (work.signal.aborted) return refused("cancelled", "the work was stopped");
    if (!(error instanceof Failure)) throw error;
    return refused(classOf[error.code] ?? "transient", error.message, error.message);
  }
}

function refused(why: FailureClass, cause: string, says?: string): Started {
  return { state: "refused", refusal: { class: why, cause, ...(says !== undefined && { says }) } };
}

const classOf: Partial<Record<ErrorCode, FailureClass>> = {
  invalid_request: "invalid",
  not_supported: "unsupported",
  model_not_found: "not_found",
  content_policy: "content_policy",
  input_unreachable: "input_unreachable",
  upstream_timeout: "timeout",
  rate_limited: "rate_limit",
};

async function answer(needs: DeferredNeeds, task: Task, input: DeferredInput, work: Work): Promise<DeferredOutput> {
  const asked = await askedOf(task, input, work);
  const account = await needs.store.account({ idOrName: task.account });
  if (account === null) throw new Failure("invalid_request", { says: "The account is gone." });
  const caller = { account, key: null };
  const model = modelOf(needs.catalog, caller, asked);
  const meter = needs.meterOf(asked.operation);
  const routes = routesOf(needs.catalog, caller, asked, model, needs.random);
  const { reply, provider, upstreamModel } = await answerCall(needs, routes, asked, meter, work.signal);
  const whole: Whole = reply.state === "whole" ? reply : { state: "whole", mime: reply.mime, body: await gather(reply.pieces) };
  const told = meter.told(asked, whole);
  const measured: Measured = told === null ? { ...(await meter.counted(asked, whole)), estimated: true } : { ...told, estimated: false };
  const costNanos = priceCall(kindOfOperation[asked.operation], task.price, measured);
  const alias = upstreamModel === asked.model ? null : asked.model;
  return { kind: "reply", ...contentOf(needs.show(asked.operation, whole, measured, costNanos, alias)), costNanos, provider };
}

async function askedOf(task: TaskInput & { model: string }, input: DeferredInput, work: Work): Promise<Asked> {
  const operation = callOperations.find((name) => name === input.operation);
  if (operation === undefined) throw new Failure("not_supported");
  const files: CallFile[] = [];
  for (const { field, name, mime, file } of input.files) files.push({ field, name, mime, bytes: (await work.load(file)).bytes });
  return { operation, model: task.model, body: input.body, raw: null, extras: null, files, stream: false, headers: {} };
}

function contentOf({ mime, body, value }: Whole): Pick<DeferredOutput, "value" | "text" | "media"> {
  if (value !== undefined) return { value };
  if (/^(text\/|application\/json)/.test(mime)) return { text: Buffer.from(body).toString() };
  return { media: { from: "bytes", bytes: body } };
}
