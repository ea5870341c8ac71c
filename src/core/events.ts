import type { Bulletin, Store } from "./ports.ts";
import type { Task } from "./task.ts";

export type TaskEvents = {
  /** Tells of a change that is on disk. */
  publish(task: Task): void;
  /** Calls back at every change of a task until the returned function is called. */
  subscribe(taskId: string, heard: (task: Task) => void): () => void;
  /** Looks again at the tasks that somebody here follows: a node's word may have been lost. */
  lookAgain(): Promise<void>;
};

/** Tells whoever listens, in this process and at other nodes, about changes of tasks. */
export function createTaskEvents(store: Pick<Store, "task">, bulletin: Bulletin): TaskEvents {
  const listeners = new Map<string, Set<(task: Task) => void>>();
  const versions = new Map<string, number>();

  function tell(task: Task): void {
    if (!listeners.has(task.id) || task.version <= (versions.get(task.id) ?? -1)) return;
    versions.set(task.id, task.version);
    for (const heard of listeners.get(task.id) ?? []) heard(task);
  }

  async function look(id: string): Promise<void> {
    if (!listeners.has(id)) return;
    const task = await store.task({ id, account: null });
    if (task !== null) tell(task);
  }

  const lookQuietly = (id: string) => look(id).catch(() => undefined);
  const lookAgain = async () => void (await Promise.all([...listeners.keys()].map(lookQuietly)));
  bulletin.hear("task", (id) => void lookQuietly(id));
  bulletin.onGap(() => void lookAgain());

  return {
    publish(task) {
      tell(task);
      bulletin.post("task", task.id);
    },
    subscribe(taskId, heard) {
      const set = listeners.get(taskId) ?? new Set();
      listeners.set(taskId, set);
      set.add(heard);
      return () => {
        set.delete(heard);
        if (set.size > 0) return;
        listeners.delete(taskId);
        versions.delete(taskId);
      };
    },
    lookAgain,
  };
}
