import { randomUUID } from "node:crypto";
import type { TaskKind } from "../src/core/kinds.ts";
import { isInstant } from "./dialect.ts";
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
  /** Where it wants changes to be told, if anywhere. */
  callbackUrl: string | null;
  submittedAt: number;
  state: JobState;
  polls: number;
};

export type NewJob = Pick<LabJob, "kind" | "model" | "prompt" | "reference" | "callbackUrl"> & {
  dialect: Dialect;
  note: Record<string, unknown>;
};

type Entry = NewJob &
  Pick<LabJob, "id" | "submittedAt" | "polls"> & {
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
  const own = (id: string, dialect: Dialect) => {
    const entry = entries.get(id);
    return entry?.dialect === dialect ? entry : undefined;
  };
  return {
    add(job: NewJob): JobView {
      const entry = createEntry(job, options);
      entries.set(entry.id, entry);
      return viewOf(entry, options);
    },
    /** The job as it is now; asking counts as one poll. */
    poll(id: string, dialect: Dialect): JobView | null {
      const entry = own(id, dialect);
      if (!entry) return null;
      entry.polls++;
      return viewOf(entry, options);
    },
    /** The job as it was or will be at a moment, without a poll. */
    view(id: string, dialect: Dialect, atMs = options.now()): JobView | null {
      const entry = own(id, dialect);
      return entry ? viewOf(entry, options, atMs) : null;
    },
    /** The newest job of a caller's own name, without a poll. */
    find(reference: string, dialect: Dialect): JobView | null {
      const entry = Array.from(entries.values()).findLast((one) => one.dialect === dialect && one.reference === reference);
      return entry ? viewOf(entry, options) : null;
    },
    /** How the answer about this job is to be spoiled this time. */
    pollFault(id: string): Fault | null {
      const mark = entries.get(id)?.marks?.get("poll");
      if (!mark || mark.times <= 0) return null;
      mark.times--;
      const [name = "", value = ""] = mark.value.split(":");
      return { name, value };
    },
    /** Whether all questions about this job are to be answered as if there were none. */
    isHidden(id: string): boolean {
      const mark = entries.get(id)?.marks?.get("poll");
      return mark?.value === "missing" && mark.times > 0;
    },
    /** Stops a job that goes on where its state allows that, and forgets one that has ended. */
    cancel(id: string, dialect: Dialect): "yes" | "no" | "missing" {
      const entry = own(id, dialect);
      if (!entry) return "missing";
      const { state } = viewOf(entry, options);
      if (state !== "queued" && state !== "running") return entries.delete(id) ? "yes" : "missing";
      if (!(dialect.cancels ?? ["queued", "running"]).includes(state)) return "no";
      entry.cancelledAt = options.now();
      return "yes";
    },
    list: (): LabJob[] => Array.from(entries.values(), (entry) => jobOf(entry, options)),
  };
}

function jobOf(entry: Entry, options: JobBookOptions): LabJob {
  const { id, kind, model, prompt, reference, callbackUrl, submittedAt, polls, dialect } = entry;
  const { state } = viewOf(entry, options);
  return { id, type: dialect.type, kind, model, prompt, reference, callbackUrl, submittedAt, state, polls };
}

function createEntry(job: NewJob, { script, random, now }: JobBookOptions): Entry {
  const { minSeconds, maxSeconds, queueSeconds, failRate, policyRate } = script();
  const marks = readMarks(job.prompt);
  const runSeconds = numberOf(marks.get("seconds")) ?? minSeconds + random() * (maxSeconds - minSeconds);
  const roll = random();
  const { content, internal } = job.dialect.failures;
  const told = textOf(marks.get("fail"));
  const instant = isInstant(job.dialect, job.kind);
  return {
    ...job,
    id: randomUUID(),
    submittedAt: now(),
    polls: 0,
    queueMs: instant ? 0 : (numberOf(marks.get("queue")) ?? queueSeconds) * 1_000,
    runMs: instant ? 0 : runSeconds * 1_000,
    failure: told === "policy" ? content : (told ?? (roll < policyRate ? content : roll < policyRate + failRate ? internal : "")),
    cancelledAt: null,
    marks: marks.size === 0 ? null : marks,
  };
}

function viewOf(entry: Entry, { now, speed, script, origin }: JobBookOptions, atMs = now()): JobView {
  const { id, kind, model, prompt, note, dialect, submittedAt, queueMs, runMs, marks } = entry;
  const odd = textOf(marks?.get("status"));
  const state = odd === undefined ? stateOf(entry, (atMs - submittedAt) * speed) : (dialect.words[odd]?.shows ?? "running");
  const progress = Math.min(Math.max(((atMs - submittedAt) * speed - queueMs) / Math.max(runMs, 1), 0), 1);
  const startedAt = submittedAt + queueMs / speed;
  const place = marks?.get("origin")?.value ?? origin();
  const linkMs = (numberOf(marks?.get("link")) ?? script().linkSeconds) * 1_000;
  return {
    id,
    kind,
    model,
    prompt,
    note,
    state,
    word: odd ?? dialect.plain[state],
    progress: state === "done" ? 1 : state === "queued" ? 0 : progress,
    failure: state === "failed" ? entry.failure || dialect.failures.internal : "",
    hasResults: !marks?.has("empty") || entry.polls > (numberOf(marks.get("empty")) ?? 1),
    submittedAt,
    startedAt,
    finishedAt: startedAt + runMs / speed,
    link: (file) => `${place}/media/${id}/${file}?until=${Math.ceil(now() + linkMs)}`,
    baseUrl: `${place}/${dialect.type}`,
  };
}

function stateOf({ queueMs, runMs, failure, cancelledAt }: Entry, elapsedMs: number): JobState {
  if (cancelledAt !== null) return "cancelled";
  if (elapsedMs < queueMs) return "queued";
  if (elapsedMs < queueMs + runMs) return "running";
  return failure === "" ? "done" : "failed";
}

// Words of a mark with spaces in them are written as in an address.
function textOf(mark: Mark | undefined): string | undefined {
  return mark?.value.replaceAll("%20", " ");
}

function numberOf(mark: Mark | undefined): number | undefined {
  const number = mark === undefined || mark.value === "" ? Number.NaN : Number(mark.value);
  return Number.isFinite(number) ? number : undefined;
}
