import type { Task } from "./task.ts";

export type TaskEvents = {
  publish(task: Task): void;
  /** Calls back at every change of a task until the returned function is called. */
  subscribe(taskId: string, heard: (task: Task) => void): () => void;
};

/** Tells whoever listens in this process about changes that are on disk. */
export function createTaskEvents(): TaskEvents {
  const listeners = new Map<string, Set<(task: Task) => void>>();
  return {
    publish(task) {
      for (const heard of listeners.get(task.id) ?? []) heard(task);
    },
    subscribe(taskId, heard) {
      const set = listeners.get(taskId) ?? new Set();
      listeners.set(taskId, set);
      set.add(heard);
      return () => {
        set.delete(heard);
        if (set.size === 0) listeners.delete(taskId);
      };
    },
  };
}
