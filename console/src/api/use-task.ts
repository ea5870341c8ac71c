import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { client, read } from "./client.ts";
import { followTask } from "./follow-task.ts";
import { isFinal, type Task } from "./tasks.ts";

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
