import { randomUUID } from "node:crypto";
import type { CallbackGiven, Dialect, JobState, JobView } from "./dialect.ts";
import { forge } from "./forgery.ts";
import type { createJobBook } from "./job-book.ts";
import { createOutbox } from "./outbox.ts";
import type { Letter, Line } from "./outbox.ts";
import { callbackFate, readMarks } from "./script.ts";
import type { Script } from "./script.ts";

export type MessengerOptions = {
  book: ReturnType<typeof createJobBook>;
  script(): Script;
  random(): number;
  now(): number;
};

/** Who wants to be told of a job, and where. */
export type Wish = { dialect: Dialect; job: JobView; url: string; secret: string | undefined; key: string };

type Watch = Omit<Wish, "url"> & { url: URL; line: Line; held: Letter[]; moments: number[]; told: JobState | null };

const tickMs = 20;

/** Tells of the changes of jobs that want to be told of; one timer, and only while there are such jobs. */
export function createMessenger({ book, script, random, now }: MessengerOptions) {
  const watches = new Map<string, Watch>();
  const outbox = createOutbox(now);
  let timer: NodeJS.Timeout | null = null;

  function tell(watch: Watch, atMs: number): void {
    const { dialect, job, url, held } = watch;
    const view = book.view(job.id, dialect, atMs);
    if (!view || view.state === watch.told) return;
    watch.told = view.state;
    const message = dialect.callback?.(view, givenOf(watch, now()));
    if (!message) return;
    const fate = callbackFate(readMarks(job.prompt), script(), random);
    hand(outbox, held, letterOf(watch, { state: view.state, fate, url, message }));
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
      const { dialect, job } = wish;
      const target = URL.parse(url);
      if (target === null) return;
      // A clock that leaps passes several moments at once, and each is told.
      const moments = [job.submittedAt, job.startedAt, job.finishedAt].map(Math.ceil);
      const watch: Watch = { ...wish, url: target, line: { tail: Promise.resolve(), isDeaf: false }, held: [], moments, told: null };
      watches.set(job.id, watch);
      const challenge = dialect.challenge?.(givenOf(watch, now()));
      if (challenge) {
        const letter = letterOf(watch, { state: job.state, fate: "challenge", url: target, message: challenge });
        outbox.send({ ...letter, wants: challenge.wants });
      }
      timer ??= setInterval(tick, tickMs).unref();
    },
    /** Something other than time has changed this job. */
    changed: (id: string): void => void watches.get(id)?.moments.unshift(now()),
    /** Sends what is due by now, without waiting for the timer. */
    async flush(): Promise<void> {
      tick();
      await outbox.settled();
    },
    list: outbox.list,
    close(): void {
      outbox.close();
      watches.clear();
      tick();
    },
  };
}

/** Does with a letter what its fate is; what was held back goes after the next one, or backwards at the end. */
function hand(outbox: ReturnType<typeof createOutbox>, held: Letter[], letter: Letter): void {
  const { fate, state } = letter;
  if (fate === "lost") outbox.lose(letter);
  else if (fate === "late") held.push(letter);
  else if (fate === "forged") outbox.send({ ...letter, ...forge(letter.url, letter.message) });
  else for (let count = fate === "twice" ? 2 : 1; count > 0; count--) outbox.send(letter);
  const isLast = state !== "queued" && state !== "running";
  if (fate !== "late" || isLast) for (const older of held.splice(0).toReversed()) outbox.send(older);
}

function letterOf({ dialect, job, line }: Watch, rest: Pick<Letter, "state" | "fate" | "url" | "message">): Letter {
  return { type: dialect.type, job: job.id, prompt: job.prompt, line, ...rest };
}

function givenOf({ url, key, secret }: Watch, nowMs: number): CallbackGiven {
  return { url, key, secret, nowMs, id: `msg_${randomUUID()}` };
}
