import { setTimeout as wait } from "node:timers/promises";
import type { JobState, LabCallback } from "./dialect.ts";
import type { CallbackFate } from "./script.ts";

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

/** The letters to one address, sent one after the other; a deaf address did not echo its challenge and gets none. */
export type Line = { tail: Promise<void>; isDeaf: boolean };

export type Letter = Omit<SentCallback, "url" | "at" | "attempt" | "status"> & {
  line: Line;
  url: URL;
  message: LabCallback;
  /** What the answer must hold. */
  wants?: string;
};

const maxLog = 50_000;
const pausesMs = [100, 400];
const patienceMs = 5_000;

/** Posts letters, again after a pause where they are not taken, and keeps a log. */
export function createOutbox(now: () => number) {
  const log: SentCallback[] = [];
  const pending = new Set<Promise<void>>();
  const closing = new AbortController();

  function note({ type, job, prompt, state, fate, url }: Letter, attempt: number, status: number): void {
    log.push({ type, job, prompt, state, url: url.href, at: now(), attempt, fate, status });
    if (log.length > maxLog) log.splice(0, maxLog / 10);
  }

  async function deliver(letter: Letter): Promise<void> {
    const { line, wants } = letter;
    if (line.isDeaf) return;
    for (let attempt = 1; !closing.signal.aborted; attempt++) {
      const { status, text } = await post(letter, closing.signal);
      if (closing.signal.aborted) return;
      note(letter, attempt, status);
      const isTaken = status >= 200 && status < 300;
      line.isDeaf = wants !== undefined && !(isTaken && text.includes(wants));
      const pauseMs = pausesMs[attempt - 1];
      if (isTaken || pauseMs === undefined) return;
      await wait(pauseMs, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
    }
  }

  return {
    send(letter: Letter): void {
      const sent = letter.line.tail.then(() => deliver(letter));
      letter.line.tail = sent;
      pending.add(sent);
      void sent.finally(() => pending.delete(sent));
    },
    /** A letter that never leaves. */
    lose: (letter: Letter): void => note(letter, 0, 0),
    list: (): SentCallback[] => [...log],
    async settled(): Promise<void> {
      while (pending.size > 0) await Promise.all(pending);
    },
    close: (): void => closing.abort(),
  };
}

async function post({ url, message }: Letter, stop: AbortSignal): Promise<{ status: number; text: string }> {
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(patienceMs)]);
    const headers = { "content-type": "application/json", ...message.headers };
    const reply = await fetch(url, { method: "POST", headers, body: message.body, redirect: "manual", signal });
    return { status: reply.status, text: await reply.text() };
  } catch {
    return { status: 0, text: "" };
  }
}
