import { randomUUID } from "node:crypto";
import type { TaskKind } from "../src/core/kinds.ts";
import type { Dialect, JobState, JobView } from "./dialect.ts";
import { readMarks } from "./script.ts";
import type { Fault, Mark, Script } from "./script.ts";

/** A job as `GET /lab/jobs` and tests see it. */
export type LabJob = {
  id: string;
  type: string;
  kind: TaskKind;
  model: string;
  prompt: string;
  /** What the client sent to recognize a repetition by, if anything. */
  reference: string | null;
  submittedAt: number;
  state: JobState;
  polls: number;
};

export type NewJob = { dialect: Dialect; kind: TaskKind; model: string; prompt: string; reference: string | null };

type Entry = Omit<LabJob, "state" | "type"> & {
  dialect: Dialect;
  queueMs: number;
  runMs: number;
  failure: string;
  cancelledAt: number | null;
  marks: Map<string, Mark> | null;
};

export type JobBookOptions = {
  script(): Script;
  random(): number;
  now(): number;
  speed: number;
  origin(): string;
};

/** Remembers jobs and works their state out when asked, so that a waiting job costs a record and no timer. */
export function createJobBook(options: JobBookOptions) {
  const entries = new Map<string, Entry>();
  return {
    add(job: NewJob): JobView {
      const entry = createEntry(job, options);
      entries.set(entry.id, entry);
      return viewOf(entry, options);
    },
    /** The job as it is now; asking counts as one poll. */
    poll(id: string, dialect: Dialect): JobView | null {
      const entry = entries.get(id);
      if (entry?.dialect !== dialect) return null;
      entry.polls++;
      return viewOf(entry, options);
    },
    /** How the answer about this job is to be spoiled this time. */
    pollFault(id: string): Fault | null {
      const mark = entries.get(id)?.marks?.get("poll");
      if (!mark || mark.times <= 0) return null;
      mark.times--;
      const [name = "", value = ""] = mark.value.split(":");
      return { name, value };
    },
    /** Stops a job that goes on, and forgets one that has ended; false where there is none. */
    cancel(id: string, dialect: Dialect): boolean {
      const entry = entries.get(id);
      if (entry?.dialect !== dialect) return false;
      const { state } = viewOf(entry, options);
      if (state === "queued" || state === "running") entry.cancelledAt = options.now();
      else entries.delete(id);
      return true;
    },
    list(): LabJob[] {
      return Array.from(entries.values(), (entry) => {
        const { id, kind, model, prompt, reference, submittedAt, polls, dialect } = entry;
        return { id, type: dialect.type, kind, model, prompt, reference, submittedAt, state: viewOf(entry, options).state, polls };
      });
    },
  };
}

function createEntry(job: NewJob, { script, random, now }: JobBookOptions): Entry {
  const { minSeconds, maxSeconds, queueSeconds, failRate, policyRate } = script();
  const marks = readMarks(job.prompt);
  const runSeconds = numberOf(marks.get("seconds")) ?? minSeconds + random() * (maxSeconds - minSeconds);
  const roll = random();
  const { content, internal } = job.dialect.failures;
  const told = marks.get("fail")?.value;
  return {
    ...job,
    id: randomUUID(),
    submittedAt: now(),
    polls: 0,
    queueMs: (numberOf(marks.get("queue")) ?? queueSeconds) * 1_000,
    runMs: runSeconds * 1_000,
    failure: told === "policy" ? content : (told ?? (roll < policyRate ? content : roll < policyRate + failRate ? internal : "")),
    cancelledAt: null,
    marks: marks.size === 0 ? null : marks,
  };
}

function viewOf(entry: Entry, { now, speed, script, origin }: JobBookOptions): JobView {
  const { id, kind, model, prompt, dialect, submittedAt, queueMs, runMs, marks } = entry;
  const odd = marks?.get("status")?.value;
  const state = odd === undefined ? stateOf(entry, (now() - submittedAt) * speed) : (dialect.words[odd]?.shows ?? "running");
  const progress = Math.min(Math.max(((now() - submittedAt) * speed - queueMs) / Math.max(runMs, 1), 0), 1);
  const startedAt = submittedAt + queueMs / speed;
  const linkMs = (numberOf(marks?.get("link")) ?? script().linkSeconds) * 1_000;
  return {
    id,
    kind,
    model,
    prompt,
    state,
    word: odd ?? dialect.plain[state],
    progress: state === "done" ? 1 : state === "queued" ? 0 : progress,
    failure: state === "failed" ? entry.failure || dialect.failures.internal : "",
    hasResults: entry.polls > (marks?.has("empty") ? (numberOf(marks.get("empty")) ?? 1) : 0),
    submittedAt,
    startedAt,
    finishedAt: startedAt + runMs / speed,
    link: (file) => `${origin()}/media/${id}/${file}?until=${Math.ceil(now() + linkMs)}`,
  };
}

function stateOf({ queueMs, runMs, failure, cancelledAt }: Entry, elapsedMs: number): JobState {
  if (cancelledAt !== null) return "cancelled";
  if (elapsedMs < queueMs) return "queued";
  if (elapsedMs < queueMs + runMs) return "running";
  return failure === "" ? "done" : "failed";
}

function numberOf(mark: Mark | undefined): number | undefined {
  const number = mark === undefined || mark.value === "" ? Number.NaN : Number(mark.value);
  return Number.isFinite(number) ? number : undefined;
}
