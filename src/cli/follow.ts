import { setTimeout as pause } from "node:timers/promises";
import { chunksOf, readEvents } from "../client/event-stream.ts";
import { fitting } from "../config/shape.ts";
import { Refused, Unreachable, type Client } from "./client.ts";
import { CommandError } from "./complaint.ts";
import { TaskRecord } from "./records.ts";

export type FollowOptions = {
  signal: AbortSignal;
  onChange: (task: TaskRecord) => void;
  /** Between two questions where the stream of events does not come through. */
  pollMs?: number;
  /** A stream that says nothing for so long is given up; the service sends a heartbeat every 15 s. */
  silenceMs?: number;
  /** So long the service may be away, as while it restarts. */
  patienceMs?: number;
};

/** Follows a task to its end: by its events, and by asking again and again where those break off or do not come through. */
export async function followTask(client: Client, id: string, options: FollowOptions): Promise<TaskRecord> {
  const { signal, onChange } = options;
  try {
    for await (const task of streamedChanges(client, id, options)) {
      onChange(task);
      if (hasEnded(task)) return task;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Refused && [401, 403, 404].includes(error.status)) throw error;
  }
  return pollToEnd(client, id, options);
}

export function hasEnded({ status }: TaskRecord): boolean {
  return status === "SUCCESS" || status === "FAILURE";
}

async function* streamedChanges(
  client: Client,
  id: string,
  { signal, silenceMs = 40_000 }: FollowOptions,
): AsyncGenerator<TaskRecord, void> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), silenceMs);
  try {
    const headers = { accept: "text/event-stream" };
    const { body } = await client.open(`${pathOf(id)}/events`, { headers, signal: AbortSignal.any([signal, silence.signal]) });
    if (body === null) return;
    for await (const { event, data } of readEvents(chunksOf(body, () => timer.refresh()))) {
      const task = event === "task" ? fitting(TaskRecord, JSON.parse(data)) : undefined;
      if (task !== undefined) yield task;
    }
  } finally {
    clearTimeout(timer);
  }
}

async function pollToEnd(client: Client, id: string, options: FollowOptions): Promise<TaskRecord> {
  const { signal, onChange, pollMs = 1_000, patienceMs = 60_000 } = options;
  let awaySince: number | null = null;
  for (;;) {
    try {
      const task = await client.ask(TaskRecord, "GET", pathOf(id), { signal });
      awaySince = null;
      onChange(task);
      if (hasEnded(task)) return task;
    } catch (error) {
      signal.throwIfAborted();
      if (!isAway(error)) throw error;
      awaySince ??= performance.now();
      if (performance.now() - awaySince > patienceMs) {
        throw new CommandError(`${error.message} Task ${id} goes on when it is back: genway task show ${id}`, { cause: error });
      }
    }
    await pause(pollMs, undefined, { signal });
  }
}

function isAway(error: unknown): error is CommandError {
  return error instanceof Unreachable || (error instanceof Refused && (error.status === 429 || error.status >= 500));
}

function pathOf(id: string): string {
  return `/v1/tasks/${encodeURIComponent(id)}`;
}
