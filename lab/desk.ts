import type { ServerResponse } from "node:http";
import { deliver } from "./delivery.ts";
import type { Dialect, Intent, LabReply, LabRequest, No } from "./dialect.ts";
import type { createJobBook } from "./job-book.ts";
import { chanceFault, chancePollFault, readMarks, submitFaults } from "./script.ts";
import type { Fault, Script } from "./script.ts";

export type DeskOptions = {
  book: ReturnType<typeof createJobBook>;
  script(): Script;
  random(): number;
  keys: readonly string[];
};

type Submit = Extract<Intent, { do: "submit" }>;
type Poll = Extract<Intent, { do: "poll" }>;

/** Takes the requests of every dialect: checks the key, finds out what is wanted, and answers as the script has it. */
export function createDesk({ book, script, random, keys }: DeskOptions) {
  // Only prompts whose marks count down are remembered.
  const seen = new Map<string, number>();

  function submitFault(prompt: string): Fault | null {
    const marks = readMarks(prompt);
    const mark = submitFaults.map((name) => marks.get(name)).find((found) => found !== undefined);
    if (!mark) return marks.size > 0 ? null : chanceFault(script(), random);
    if (mark.times === Number.POSITIVE_INFINITY) return mark;
    const count = seen.get(prompt) ?? 0;
    seen.set(prompt, count + 1);
    return count < mark.times ? mark : null;
  }

  function submit(dialect: Dialect, intent: Submit, request: LabRequest, response: ServerResponse): void {
    const fault = submitFault(intent.prompt);
    if (fault?.name === "reset-before") return void response.socket?.resetAndDestroy();
    const reference = request.headers["idempotency-key"];
    const accept = () => book.add({ dialect, ...intent, reference: typeof reference === "string" ? reference : null });
    const refusal = fault && refusalOf(dialect, fault, script());
    if (!refusal) return deliver(response, dialect.accepted(accept()), fault);
    if (fault.value === "accepted") accept();
    deliver(response, refusal, null);
  }

  function poll(dialect: Dialect, { ids, many }: Poll, response: ServerResponse): void {
    const jobs = ids.flatMap((id) => book.poll(id, dialect) ?? []);
    const fault = jobs.map(({ id }) => book.pollFault(id)).find((found) => found !== null) ?? chancePollFault(script(), random);
    const refusal = fault && refusalOf(dialect, fault, script());
    if (refusal) return deliver(response, refusal, null);
    if (jobs.length === 0 && !many) return deliver(response, dialect.no("missing", "There is no such task."), null);
    deliver(response, dialect.shown(jobs, many), fault);
  }

  function serve(dialect: Dialect, request: LabRequest, response: ServerResponse): void {
    const key = dialect.key(request);
    // Real upstreams repeat the key they were given, and so must never be quoted whole.
    if (key === null || !keys.includes(key)) return deliver(response, dialect.no("auth", `The key ${key} is not valid.`), null);
    const intent = dialect.read(request);
    if (intent === null) return deliver(response, { status: 404, body: { message: "There is no such address." } }, null);
    if (intent.do === "reject") return deliver(response, dialect.no("invalid", `${intent.says} (key ${key})`), null);
    if (intent.do === "submit") return submit(dialect, intent, request, response);
    if (intent.do === "poll") return poll(dialect, intent, response);
    const found = dialect.cancelled !== undefined && book.cancel(intent.id, dialect);
    deliver(response, found && dialect.cancelled ? dialect.cancelled() : dialect.no("missing", "There is no such task."), null);
  }

  return { serve };
}

function refusalOf(dialect: Dialect, { name, value }: Fault, { retryAfterSeconds }: Script): LabReply | null {
  if (name === "refuse") return dialect.no(noOf(value), "told to refuse");
  if (name === "envelope") return { ...dialect.no(noOf(value), "told to refuse"), status: 200 };
  if (name === "redirect") return { status: 302, headers: { location: value || "http://127.0.0.1:1/" } };
  if (name === "missing") return dialect.no("missing", "There is no such task.");
  if (!/^[45]\d\d$/.test(name)) return null;
  const reply = { ...dialect.no(name === "429" ? "rate_limit" : "down", "told to fail"), status: Number(name) };
  const seconds = value === "" ? retryAfterSeconds : Number(value);
  const hints = name === "429" || (name === "503" && value !== "");
  return hints && seconds >= 0 ? { ...reply, headers: { "retry-after": String(seconds) } } : reply;
}

const reasons: readonly No[] = ["auth", "invalid", "quota", "rate_limit", "content_policy", "missing", "down"];

function noOf(value: string): No {
  return reasons.find((reason) => reason === value) ?? "invalid";
}
