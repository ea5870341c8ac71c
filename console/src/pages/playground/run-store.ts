import { useCallback, useSyncExternalStore } from "react";
import type { ApiError } from "../../api/api-error.ts";
import type { Task } from "../../api/tasks.ts";
import type { Request } from "./request.ts";
import type { TextUse, Token } from "./text-stream.ts";
import type { Way } from "./ways.ts";

/** What one model made of a request. */
export type Column = {
  model: string;
  request: Request;
  phase: "sending" | "running" | "done" | "failed" | "stopped";
  startedAt: number;
  endedAt: number | null;
  taskId: string | null;
  task: Task | null;
  tokens: readonly Token[];
  use: Partial<TextUse>;
  vectors: readonly (readonly number[])[];
  error: ApiError | null;
};

/** One press of the button: a column for each model that was asked. */
export type Run = { id: number; account: string; way: Way; prompt: string; at: number; columns: readonly Column[]; stop: AbortController };

let runs: readonly Run[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

/** The runs of this session for an account, newest first. */
export function useRuns(account: string): readonly Run[] {
  const all = useSyncExternalStore(
    subscribe,
    useCallback(() => runs, []),
  );
  return all.filter((run) => run.account === account);
}

export function addRun({
  account,
  way,
  prompt,
  asked,
}: {
  account: string;
  way: Way;
  prompt: string;
  asked: readonly { model: string; request: Request }[];
}): Run {
  const now = Date.now();
  const columns = asked.map(({ model, request }): Column => ({
    model,
    request,
    phase: "sending",
    startedAt: now,
    endedAt: null,
    taskId: null,
    task: null,
    tokens: [],
    use: {},
    vectors: [],
    error: null,
  }));
  const run = { id: nextId++, account, way, prompt, at: now, columns, stop: new AbortController() };
  change([run, ...runs].slice(0, 200));
  return run;
}

/** Changes one column; what has come meanwhile is given, not what the caller last saw. */
export function changeColumn(id: number, index: number, changed: (column: Column) => Partial<Column>): void {
  change(
    runs.map((run) =>
      run.id === id
        ? { ...run, columns: run.columns.map((column, at) => (at === index ? { ...column, ...changed(column) } : column)) }
        : run,
    ),
  );
}

export function removeRuns(which: (run: Run) => boolean): void {
  change(runs.filter((run) => !which(run)));
}

function change(next: readonly Run[]): void {
  runs = next;
  for (const tell of listeners) tell();
}

function subscribe(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}
