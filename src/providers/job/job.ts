import { Failure } from "../../core/errors.ts";
import type { Adapter, Job, KindLimits, Polled, ProviderSettings, Started, TaskProvider, UpstreamJob, Work } from "../../core/provider.ts";
import type { Refusal } from "../../core/refusal.ts";
import { buildBody } from "./body.ts";
import { createJobCall } from "./call.ts";
import type { JobCall } from "./call.ts";
import { refuse } from "./failure.ts";
import { holds } from "./path.ts";
import { createPollReader, trouble } from "./poll.ts";
import type { PollReader } from "./poll.ts";
import type { JobSpec, ManyPoll } from "./spec.ts";
import { readStart } from "./start.ts";
import type { UpstreamReply } from "../upstream/reply.ts";

export type JobAdapter = Omit<Adapter, "create"> & { create(settings: ProviderSettings): { tasks: TaskProvider } };

/** Makes an adapter of a description: one engine sends, asks for, reads and stops the jobs of every such upstream. */
export function createJob(spec: JobSpec): JobAdapter {
  return {
    type: spec.type,
    ...(spec.baseUrl !== undefined && { defaultBaseUrl: spec.baseUrl }),
    needsKey: spec.auth !== "none",
    create: (settings) => ({ tasks: createProvider(spec, settings) }),
  };
}

type Engine = { spec: JobSpec; call: JobCall; reader: PollReader };

function createProvider(spec: JobSpec, settings: ProviderSettings): TaskProvider {
  const call = createJobCall(spec, settings);
  const engine: Engine = { spec, call, reader: createPollReader(spec, call.locate) };
  const { many } = spec.poll;
  return {
    serves: servesOf(spec.models),
    recovery: "none",
    lanes: "shared",
    pollEveryMs: spec.pollEveryMs,
    start: (job, work) => start(engine, job, work),
    poll: (job, work) => poll(engine, job, work),
    ...(many && { pollMany: { max: many.max, run: (jobs, work) => pollMany(engine, many, jobs, work) } }),
    ...(spec.cancel && { cancel: (job, work) => cancel(engine, job, work) }),
  };
}

function servesOf(models: JobSpec["models"]): TaskProvider["serves"] {
  const limitsFor = (table: Record<string, KindLimits>) => (model: string) =>
    Object.entries(table).find(([name]) => (name.endsWith("*") ? model.startsWith(name.slice(0, -1)) : model === name))?.[1] ?? {};
  const { video, music, lyrics } = models;
  return {
    ...(video && { video: limitsFor(video) }),
    ...(music && { music: limitsFor(music) }),
    ...(lyrics && { lyrics: limitsFor(lyrics) }),
  };
}

async function start({ spec, call }: Engine, job: Job, work: Work): Promise<Started> {
  const way = spec.start.find(({ kind, when }) => kind === job.kind && holds(job, when));
  if (!way) return { state: "refused", refusal: refuse("invalid", "the adapter has no way to send this") };
  let body: Record<string, unknown>;
  try {
    body = await buildBody(way.body, job, work.load);
  } catch (error) {
    return { state: "refused", refusal: unread(error, work) };
  }
  return readStart(spec, await call.start(way.send, job, work, body), work.credential.secret);
}

function unread(error: unknown, { signal }: Work): Refusal {
  if (signal.aborted) return refuse("transient", "the work was stopped");
  const refusal = refuse("input_unreachable", String(error));
  return error instanceof Failure ? { ...refusal, says: error.message } : refusal;
}

async function poll({ spec, call, reader }: Engine, job: UpstreamJob, work: Work): Promise<Polled> {
  const { secret } = work.credential;
  const opened = reader.open(await call.poll(spec.poll.send, addressOf(job), work), spec.poll.task ?? "", secret);
  return "found" in opened ? reader.record(job.kind, opened.found, secret) : opened;
}

async function pollMany(engine: Engine, many: ManyPoll, jobs: UpstreamJob[], work: Work): Promise<Map<string, Polled>> {
  const { call, reader } = engine;
  const { secret } = work.credential;
  const ids = jobs.map((job) => job.upstreamId);
  const reply = await call.poll(many.send, { ids: ids.join(",") }, work, many.ids === undefined ? undefined : { [many.ids]: ids });
  if (lacksMany(reply)) return pollEach(engine, jobs, work);
  const opened = reader.open(reply, many.list, secret);
  const records = "found" in opened ? reader.index(opened.found) : null;
  const answer = (job: UpstreamJob): Polled => {
    if (!records) return "cause" in opened ? opened : trouble("the upstream gave no list");
    const record = records.get(job.upstreamId);
    return record === undefined ? { state: "missing" } : reader.record(job.kind, record, secret);
  };
  return new Map(jobs.map((job) => [job.upstreamId, answer(job)]));
}

// An upstream of the family that has no such question says so like this; its jobs are not missing for that.
function lacksMany(reply: UpstreamReply): boolean {
  return reply.state === "answered" && [404, 405, 501].includes(reply.status);
}

async function pollEach(engine: Engine, jobs: readonly UpstreamJob[], work: Work): Promise<Map<string, Polled>> {
  const answers = new Map<string, Polled>();
  const waiting = jobs.values();
  const ask = async () => {
    for (const job of waiting) answers.set(job.upstreamId, await poll(engine, job, work));
  };
  await Promise.all([ask(), ask(), ask(), ask()]);
  return answers;
}

async function cancel(engine: Engine, job: UpstreamJob, work: Work): Promise<boolean> {
  const { spec, call } = engine;
  if (!spec.cancel) return false;
  // Asked first: the same call may delete a job that has finished, and that one was charged.
  const { state } = await poll(engine, job, work);
  if (!spec.cancel.from.some((from) => from === state)) return false;
  const reply = await call.poll(spec.cancel.send, addressOf(job), work);
  return reply.state === "answered" && reply.status >= 200 && reply.status < 300;
}

function addressOf({ upstreamId, keep, model }: UpstreamJob): { id: string; keep: Record<string, string>; model: string } {
  return { id: upstreamId, keep, model };
}
