import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { client, read, type Reply } from "./client.ts";
import { followEvents } from "./events.ts";

/** A task of any group, as `GET /v1/tasks/{id}` shows it. */
export type Task = Reply<"/v1/tasks/{id}">;

export function isFinal(status: string): boolean {
  return status === "SUCCESS" || status === "FAILURE";
}

/** Follows a task until it has ended; each state is told. Staff may follow one of another account than the chosen one. */
export async function followTask(id: string, signal: AbortSignal, onTask: (task: Task) => void, account?: string): Promise<void> {
  const told = ({ data }: { data: string }) => {
    const task: Task = JSON.parse(data);
    onTask(task);
    return isFinal(task.status) ? "end" : "more";
  };
  await followEvents(
    `/v1/tasks/${encodeURIComponent(id)}/events`,
    signal,
    told,
    account === undefined ? {} : { "x-genway-account": account },
  );
}

/** A task by id, kept up to date by its events while it runs. */
export function useTask(id: string) {
  const cache = useQueryClient();
  const query = useQuery({ queryKey: ["task", id], queryFn: () => read(client.GET("/v1/tasks/{id}", { params: { path: { id } } })) });
  const isRunning = query.data !== undefined && !isFinal(query.data.status);
  useEffect(() => {
    if (!isRunning) return;
    const stop = new AbortController();
    followTask(id, stop.signal, (task) => {
      // A finished task is read anew: the single record has more than its events do.
      if (isFinal(task.status)) void cache.invalidateQueries({ queryKey: ["task", id] });
      else cache.setQueryData(["task", id], (old: Task | undefined) => ({ ...old, ...task }));
    }).catch(() => undefined);
    return () => stop.abort();
  }, [id, isRunning, cache]);
  return query;
}
