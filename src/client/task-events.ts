import { chunksOf, readEvents } from "./event-stream.ts";
import { GenwayError, readRefusal } from "./genway-error.ts";
import { hasEnded, type TaskRecord } from "./task-record.ts";
import { pauseFor, type Send } from "./transport.ts";

export type FollowOptions = {
  signal?: AbortSignal | undefined;
  /** How long the service may be away in the middle, as while it restarts; a minute unless given. */
  patienceMs?: number | undefined;
  /** A stream that says nothing for so long is taken up anew; the service sends a sign of life every 15 seconds. */
  silenceMs?: number | undefined;
  /** The first pause between two questions where no stream comes through; it grows to five times as much. */
  pollMs?: number | undefined;
};

type Watch = { id: string; url: string; send: Send; signal: AbortSignal; silenceMs: number };
type Seen = { version: string | null; mark: string };

const streamTries = 2;

/** A task as it is now, then each change, up to its end: by its events, and by asking where those do not come through. */
export async function* taskEvents(send: Send, baseUrl: string, id: string, options: FollowOptions = {}): AsyncGenerator<TaskRecord, void> {
  const { signal = new AbortController().signal, patienceMs = 60_000, silenceMs = 40_000, pollMs = 1_000 } = options;
  const watch: Watch = { id, url: `${baseUrl}/v1/tasks/${encodeURIComponent(id)}`, send, signal, silenceMs };
  const seen: Seen = { version: null, mark: "" };
  let fruitless = 0;
  let polls = 0;
  let lastReplyAt = performance.now();
  for (;;) {
    signal.throwIfAborted();
    const isStream = fruitless < streamTries;
    let hadNews = false;
    try {
      for await (const task of isStream ? streamed(watch, seen) : asked(watch)) {
        lastReplyAt = performance.now();
        const mark = JSON.stringify([task.status, task.progress]);
        if (mark === seen.mark && !hasEnded(task)) continue;
        seen.mark = mark;
        hadNews = true;
        yield task;
        if (hasEnded(task)) return;
      }
      if (!isStream) lastReplyAt = performance.now();
    } catch (error) {
      signal.throwIfAborted();
      if (!isPassing(error)) throw error;
      if (performance.now() - lastReplyAt > patienceMs) throw unreachable(error, id);
    }
    fruitless = hadNews && isStream ? 0 : fruitless + 1;
    polls = isStream ? 0 : polls + 1;
    await pauseFor(isStream ? pollMs / 2 : pollMs * Math.min(1 + polls / 2, 5), signal);
  }
}

async function* streamed({ url, send, signal, silenceMs }: Watch, seen: Seen): AsyncGenerator<TaskRecord, void> {
  const silence = new AbortController();
  const silent = () => silence.abort(new Error("the stream of events fell silent"));
  let timer = setTimeout(silent, silenceMs);
  try {
    const headers = { accept: "text/event-stream", ...(seen.version !== null && { "last-event-id": seen.version }) };
    const response = await send(new Request(`${url}/events`, { headers, signal: AbortSignal.any([signal, silence.signal]) }));
    if (!response.ok) throw await readRefusal(response);
    if (response.body === null) return;
    const stayAwake = () => {
      clearTimeout(timer);
      timer = setTimeout(silent, silenceMs);
    };
    for await (const { id, event, data } of readEvents(chunksOf(response.body, stayAwake))) {
      if (event !== "task") continue;
      seen.version = id ?? null;
      const task: TaskRecord = JSON.parse(data);
      yield task;
    }
  } finally {
    clearTimeout(timer);
  }
}

async function* asked({ url, send, signal }: Watch): AsyncGenerator<TaskRecord, void> {
  const response = await send(new Request(url, { signal }));
  if (!response.ok) throw await readRefusal(response);
  const task: TaskRecord = JSON.parse(await response.text());
  yield task;
}

/** Whether another try may bring more: no reply, or one that says "later". */
function isPassing(error: unknown): boolean {
  return !(error instanceof GenwayError) || error.status === 0 || error.status === 429 || error.status >= 500;
}

function unreachable(cause: unknown, id: string): GenwayError {
  const says = cause instanceof Error ? cause.message : String(cause);
  return new GenwayError(`The service has been away for too long (${says}). Task ${id} goes on when it is back.`, {
    status: 0,
    code: "unreachable",
    cause,
  });
}
