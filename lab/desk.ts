import type { ServerResponse } from "node:http";
import { createAnswers, shown } from "./answers.ts";
import { deliver } from "./delivery.ts";
import { isInstant } from "./dialect.ts";
import type { Dialect, Intent, JobView, LabReply, LabRequest, No } from "./dialect.ts";
import type { createJobBook } from "./job-book.ts";
import type { createMessenger } from "./messenger.ts";
import { chanceFault, chancePollFault, readMarks, submitFaults } from "./script.ts";
import type { Fault, Script } from "./script.ts";

export type DeskOptions = {
  book: ReturnType<typeof createJobBook>;
  messenger: ReturnType<typeof createMessenger>;
  script(): Script;
  random(): number;
  keys: readonly string[];
};

type As<D extends Intent["do"]> = Extract<Intent, { do: D }>;

const maxStrays = 1_000;

/** Takes the requests of every dialect: checks the key, finds out what is wanted, and answers as the script has it. */
export function createDesk({ book, messenger, script, random, keys }: DeskOptions) {
  // Only prompts whose marks count down are remembered.
  const seen = new Map<string, number>();
  const strays: string[] = [];
  const answer = createAnswers({ book, messenger });

  function submitFault(prompt: string): Fault | null {
    const marks = readMarks(prompt);
    const mark = submitFaults.map((name) => marks.get(name)).find((found) => found !== undefined);
    if (!mark) return marks.size > 0 ? null : chanceFault(script(), random);
    if (mark.times === Number.POSITIVE_INFINITY) return mark;
    const count = seen.get(prompt) ?? 0;
    seen.set(prompt, count + 1);
    return count < mark.times ? mark : null;
  }

  function accept(dialect: Dialect, intent: As<"submit">, request: LabRequest, key: string): JobView {
    const { kind, model, prompt, callback, note = {} } = intent;
    const header = request.headers["idempotency-key"];
    const reference = intent.reference ?? (typeof header === "string" ? header : null);
    const job = book.add({ dialect, kind, model, prompt, reference, callbackUrl: callback?.url ?? null, note });
    if (callback && dialect.callback) messenger.watch({ dialect, job, url: callback.url, secret: callback.secret, key });
    return job;
  }

  function submit(dialect: Dialect, intent: As<"submit">, request: LabRequest, key: string, response: ServerResponse): void {
    const fault = submitFault(intent.prompt);
    if (fault?.name === "reset-before") return void response.socket?.resetAndDestroy();
    const refusal = fault && refusalOf(dialect, fault, script());
    if (!refusal) return deliver(response, acceptance(dialect, accept(dialect, intent, request, key)), fault);
    if (fault.value === "accepted") accept(dialect, intent, request, key);
    deliver(response, refusal, null);
  }

  function poll(dialect: Dialect, { ids, many }: As<"poll">, response: ServerResponse): void {
    const asked = ids.flatMap((id) => book.poll(id, dialect) ?? []).map((job) => ({ job, fault: book.pollFault(job.id) }));
    const jobs = asked.flatMap(({ job, fault }) => (fault?.name === "missing" ? [] : job));
    const fault = asked.find((one) => one.fault && one.fault.name !== "missing")?.fault ?? chancePollFault(script(), random);
    const refusal = fault && refusalOf(dialect, fault, script());
    deliver(response, refusal ?? shown(dialect, jobs, many), refusal ? null : fault);
  }

  function serve(dialect: Dialect, request: LabRequest, response: ServerResponse): void {
    const intent = dialect.read(request);
    const key = dialect.key(request) ?? "";
    const isOpen = dialect.keyless === true || ((intent?.do === "answer" || intent?.do === "ask") && intent.open === true);
    // Real upstreams repeat the key they were given, and so must never be quoted whole.
    if (!isOpen && !keys.includes(key)) return deliver(response, dialect.no("auth", `The key ${key} is not valid.`), null);
    if (intent?.do === "submit") return submit(dialect, intent, request, key, response);
    if (intent?.do === "poll") return poll(dialect, intent, response);
    if (intent !== null) return deliver(response, answer(dialect, intent, key), null);
    if (strays.push(`${dialect.type}: ${request.method} ${request.path}`) > maxStrays) strays.shift();
    deliver(response, { status: 404, body: { message: "There is no such address." } }, null);
  }

  return { serve, strays: () => [...strays] };
}

/** A job that is answered with its result must be told by a refusal that it failed. */
function acceptance(dialect: Dialect, job: JobView): LabReply {
  const isOver = job.state === "failed" || job.state === "cancelled";
  if (!isOver || !isInstant(dialect, job.kind)) return dialect.accepted(job);
  return dialect.no(job.failure === dialect.failures.content ? "content_policy" : "down", job.failure);
}

function refusalOf(dialect: Dialect, { name, value }: Fault, { retryAfterSeconds }: Script): LabReply | null {
  if (name === "refuse") return dialect.no(noOf(value), "told to refuse");
  if (name === "envelope") return { ...dialect.no(noOf(value), "told to refuse"), status: 200 };
  if (name === "redirect") return { status: 302, headers: { location: value || "http://127.0.0.1:1/" } };
  if (!/^[45]\d\d$/.test(name)) return null;
  const reply = { ...dialect.no(name === "429" ? "rate_limit" : "down", "told to fail"), status: Number(name) };
  const seconds = value === "" ? retryAfterSeconds : Number(value);
  const hints = name === "429" ? dialect.retryAfter !== "none" : name === "503" && value !== "";
  return hints && seconds >= 0 ? { ...reply, headers: { "retry-after": String(seconds) } } : reply;
}

const reasons: readonly No[] = ["auth", "invalid", "quota", "rate_limit", "content_policy", "missing", "down"];

function noOf(value: string): No {
  return reasons.find((reason) => reason === value) ?? "invalid";
}
