import type { Polled, UpstreamJob, Work } from "../../core/provider.ts";
import type { UpstreamReply } from "../upstream/reply.ts";
import type { Engine } from "./engine.ts";
import { readPath, readText } from "./path.ts";
import { openReply, poll } from "./poll.ts";
import { readRecord } from "./record.ts";
import type { ManyPoll, Poll } from "./spec.ts";
import { trouble } from "./trouble.ts";

/** Asks about many jobs at once, or one by one where the upstream turns out not to know that question. */
export async function pollMany(
  engine: Engine,
  description: Poll,
  many: ManyPoll,
  jobs: readonly UpstreamJob[],
  work: Work,
): Promise<Map<string, Polled>> {
  const ids = jobs.map((job) => job.upstreamId);
  const reply = await engine.call.poll(
    {
      send: many.send,
      values: { ids: ids.join(","), options: engine.options },
      isLarge: jobs.some(({ kind }) => engine.largeKinds.has(kind)),
      ...(many.repeat !== undefined && { query: { [many.repeat]: ids } }),
      ...(many.ids !== undefined && { body: { json: { [many.ids]: ids } } }),
    },
    work,
  );
  if (reply.state !== "answered") return forAll(jobs, trouble(reply.cause));
  if (lacksMany(reply)) return each(jobs, (job) => poll(engine, description, job, work));
  // Wrapped, since a list without members is an answer here.
  const opened = openReply(engine, description, reply, (body) => {
    const list = readPath(body, many.list);
    return Array.isArray(list) ? { list } : list;
  });
  if (!("found" in opened)) return forAll(jobs, opened.state === "trouble" ? opened : trouble("the upstream gave no list"));
  const records = indexOf(many, readPath(opened.found, "list"));
  return each(jobs, async (job) => {
    const record = records.get(job.upstreamId);
    if (record !== undefined) return readRecord(engine, job, record, reply, work);
    // A list may leave out for reasons of its own: pages, an age, a filter that was not understood.
    return description.absent === undefined ? poll(engine, description, job, work) : { state: description.absent };
  });
}

// An upstream of the family that has no such question says so like this; its jobs are not missing for that.
function lacksMany(reply: UpstreamReply): boolean {
  return reply.state === "answered" && [404, 405, 501].includes(reply.status);
}

function indexOf({ id }: ManyPoll, list: unknown): Map<string, unknown> {
  const records: readonly unknown[] = Array.isArray(list) ? list : [];
  return new Map(records.map((record) => [readText(record, id) ?? "", record]));
}

function forAll(jobs: readonly UpstreamJob[], polled: Polled): Map<string, Polled> {
  return new Map(jobs.map((job) => [job.upstreamId, polled]));
}

async function each(jobs: readonly UpstreamJob[], ask: (job: UpstreamJob) => Promise<Polled>): Promise<Map<string, Polled>> {
  const answers = new Map<string, Polled>();
  const waiting = jobs.values();
  const askOn = async () => {
    for (const job of waiting) answers.set(job.upstreamId, await ask(job));
  };
  await Promise.all([askOn(), askOn(), askOn(), askOn()]);
  return answers;
}
