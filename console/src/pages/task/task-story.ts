import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { client, read, type Reply } from "../../api/client.ts";
import { followTask } from "../../api/follow-task.ts";
import { isFinal } from "../../api/tasks.ts";

/** A task as staff see it, with its attempts, money and messages. */
export type Story = Reply<"/admin/v1/tasks/{id}">;

const runningMs = 3000;
const tellingMs = 4000;

/** The whole story of a task of any account: its state by its events, the rest asked again while anything goes on. */
export function useStory(id: string) {
  const cache = useQueryClient();
  const query = useQuery({
    queryKey: ["task", id, "story"],
    queryFn: () => read(client.GET("/admin/v1/tasks/{id}", { params: { path: { id } } })),
    refetchInterval: ({ state: { data } }) => (data === undefined ? false : pauseOf(data)),
  });
  const account = query.data?.account;
  const isRunning = query.data !== undefined && !isFinal(query.data.status);
  useEffect(() => {
    if (!isRunning || account === undefined) return;
    const stop = new AbortController();
    let status = "";
    followTask(
      id,
      stop.signal,
      (task) => {
        if (task.status !== status) void cache.invalidateQueries({ queryKey: ["task", id] });
        status = task.status;
        cache.setQueryData<Story>(["task", id, "story"], (old) => old && { ...old, status, progress: task.progress });
      },
      account,
    ).catch(() => undefined);
    return () => stop.abort();
  }, [id, account, isRunning, cache]);
  return query;
}

/** Messages are sent after the end: they are waited for too. */
function pauseOf({ status, deliveries }: Story): number | false {
  if (!isFinal(status)) return runningMs;
  return deliveries.some(({ state }) => state === "pending") ? tellingMs : false;
}
