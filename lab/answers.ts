import type { Dialect, Intent, JobView, LabReply } from "./dialect.ts";
import type { createJobBook } from "./job-book.ts";
import type { createMessenger } from "./messenger.ts";

export type AnswersOptions = {
  book: ReturnType<typeof createJobBook>;
  messenger: ReturnType<typeof createMessenger>;
};

type As<D extends Intent["do"]> = Extract<Intent, { do: D }>;

/** Answers the requests that the script does not spoil: all but submits and polls. */
export function createAnswers({ book, messenger }: AnswersOptions) {
  function lookup(dialect: Dialect, { reference, many = false }: As<"lookup">): LabReply {
    const job = book.find(reference, dialect);
    const own = dialect.other?.["lookup"];
    return job && own ? own(job) : shown(dialect, job ? [job] : [], many);
  }

  function ask(dialect: Dialect, { id, as }: As<"ask">): LabReply {
    const job = book.isHidden(id) ? null : book.view(id, dialect);
    const other = dialect.other?.[as];
    return job && other ? other(job) : missing(dialect);
  }

  function cancel(dialect: Dialect, { id }: As<"cancel">): LabReply {
    const outcome = dialect.cancelled ? book.cancel(id, dialect) : "missing";
    if (outcome === "no") return dialect.no("invalid", "The task can no longer be stopped.");
    messenger.changed(id);
    return outcome === "yes" && dialect.cancelled ? dialect.cancelled() : missing(dialect);
  }

  return (dialect: Dialect, intent: Exclude<Intent, As<"submit" | "poll">>, key: string): LabReply => {
    switch (intent.do) {
      case "reject":
        return dialect.no("invalid", `${intent.says} (key ${key})`);
      case "answer":
        return intent.reply;
      case "ask":
        return ask(dialect, intent);
      case "lookup":
        return lookup(dialect, intent);
      case "cancel":
        return cancel(dialect, intent);
    }
  };
}

/** Shows jobs as the upstream would; an empty list only where it has lists. */
export function shown(dialect: Dialect, jobs: JobView[], many: boolean): LabReply {
  return dialect.shown && (jobs.length > 0 || many) ? dialect.shown(jobs, many) : missing(dialect);
}

function missing(dialect: Dialect): LabReply {
  return dialect.no("missing", "There is no such task.");
}
