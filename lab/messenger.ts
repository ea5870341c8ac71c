import { randomUUID } from "node:crypto";
import type { CallbackGiven, Dialect, JobState, JobView, LabCallback } from "./dialect.ts";
import { forge } from "./forgery.ts";
import type { createJobBook } from "./job-book.ts";
import { postCallback } from "./post.ts";
import { callbackFate, readMarks } from "./script.ts";
import type { CallbackFate, Script } from "./script.ts";

/** A callback as `GET /lab/callbacks` and tests see it: each try is one. */
export type SentCallback = {
  type: string;
  job: string;
  prompt: string;
  state: JobState;
  url: string;
  /** By the lab's clock. */
  at: number;
  attempt: number;
  /** What the script made of it; a challenge tries the address out. */
  fate: CallbackFate | "challenge";
  /** The HTTP status of the answer; 0 where there was none. */
  status: number;
};

export type MessengerOptions = {
  book: ReturnType<typeof createJobBook>;
  script(): Script;
  random(): number;
  now(): number;
};

/** Who wants to be told of a job, and where. */
export type Wish = { dialect: Dialect; job: JobView; url: string; secret: string | undefined; key: string };

type Watch = Omit<Wish, "url"> & {
  url: URL;
  moments: number[];
  told: JobState | null;
  held: Letter[];
  line: Promise<void>;
  isDeaf: boolean;
};
type Letter = { watch: Watch; state: JobState; fate: SentCallback["fate"]; url: URL; message: LabCallback; wants?: string };

const tickMs = 20;
const maxLog = 50_000;

/** Tells of the changes of jobs that want to be told of; one timer, and only while there are such jobs. */
export function createMessenger({ book, script, random, now }: MessengerOptions) {
  const watches = new Map<string, Watch>();
  const log: SentCallback[] = [];
  const pending = new Set<Promise<void>>();
  const closing = new AbortController();
  let timer: NodeJS.Timeout | null = null;

  function note({ watch, state, fate, url }: Letter, attempt: number, status: number): void {
    const { dialect, job } = watch;
    log.push({ type: dialect.type, job: job.id, prompt: job.prompt, state, url: url.href, at: now(), attempt, fate, status });
    if (log.length > maxLog) log.splice(0, maxLog / 10);
  }

  // One after the other for each job, so that only the script puts them out of order.
  function send(letter: Letter): void {
    const { watch, url, message, wants } = letter;
    const sent = watch.line.then(async () => {
      if (watch.isDeaf) return;
      const text = await postCallback(url, message, closing.signal, (attempt, status) => note(letter, attempt, status));
      if (wants !== undefined && text?.includes(wants) !== true) watch.isDeaf = true;
    });
    watch.line = sent;
    pending.add(sent);
    void sent.finally(() => pending.delete(sent));
  }

  function tell(watch: Watch, atMs: number): void {
    const { dialect, job, url } = watch;
    const view = book.view(job.id, dialect, atMs);
    if (!view || view.state === watch.told) return;
    watch.told = view.state;
    const message = dialect.callback?.(view, givenOf(watch, now())) ?? null;
    if (message === null) return;
    const fate = callbackFate(readMarks(job.prompt), script(), random);
    const letter: Letter = { watch, state: view.state, fate, url, message };
    if (fate === "lost") note(letter, 0, 0);
    else if (fate === "late") watch.held.push(letter);
    else if (fate === "forged") send({ ...letter, ...forge(url, message) });
    else for (let count = fate === "twice" ? 2 : 1; count > 0; count--) send(letter);
    const isLast = view.state !== "queued" && view.state !== "running";
    if (fate !== "late" || isLast) for (const older of watch.held.splice(0).toReversed()) send(older);
  }

  function tick(): void {
    const nowMs = now();
    for (const [id, watch] of watches) {
      while (watch.moments[0] !== undefined && watch.moments[0] <= nowMs) tell(watch, watch.moments.shift() ?? nowMs);
      if (watch.moments.length === 0) watches.delete(id);
    }
    if (watches.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  }

  return {
    /** Tells this address of the job's state now and of each that follows. */
    watch({ url, ...wish }: Wish): void {
      const { id, submittedAt, startedAt, finishedAt } = wish.job;
      const target = URL.parse(url);
      if (target === null || closing.signal.aborted) return;
      const moments = [submittedAt, startedAt, finishedAt].map(Math.ceil);
      const watch: Watch = { ...wish, url: target, moments, told: null, held: [], line: Promise.resolve(), isDeaf: false };
      watches.set(id, watch);
      const challenge = wish.dialect.challenge?.(givenOf(watch, now()));
      if (challenge) send({ watch, state: "queued", fate: "challenge", url: target, message: challenge, wants: challenge.wants });
      timer ??= setInterval(tick, tickMs).unref();
    },
    /** Something other than time has changed this job. */
    changed(id: string): void {
      watches.get(id)?.moments.unshift(now());
    },
    /** Sends what is due by now, without waiting for the timer. */
    async flush(): Promise<void> {
      tick();
      while (pending.size > 0) await Promise.all(pending);
    },
    list: (): SentCallback[] => [...log],
    close(): void {
      closing.abort();
      watches.clear();
      tick();
    },
  };
}

function givenOf({ url, key, secret }: Watch, nowMs: number): CallbackGiven {
  return { url, key, secret, nowMs, id: `msg_${randomUUID()}` };
}
