import type { Client as Api } from "openapi-fetch";
import type { paths, Reply } from "../../generated/openapi.d.ts";
import { taskEvents, type FollowOptions } from "./task-events.ts";
import type { TaskRecord } from "./task-record.ts";
import type { Send } from "./transport.ts";
import { unwrap } from "./unwrap.ts";
import { waitForTask, type WaitOptions } from "./wait.ts";

/** A task that was accepted. */
export type TaskHandle = {
  id: string;
  get(): Promise<Reply<"getTasksById">>;
  /** Waits for its end; throws TaskFailure when it fails. */
  wait(options?: WaitOptions): Promise<TaskRecord>;
  /** The task as it is now, then each change, up to its end. */
  events(options?: FollowOptions): AsyncGenerator<TaskRecord, void>;
  cancel(): Promise<Reply<"postTasksByIdCancel">>;
};

/** What can be done with a task by its id. */
export function taskHandles(api: Api<paths>, send: Send, baseUrl: string): (id: string) => TaskHandle {
  return (id) => {
    const params = { path: { id } };
    return {
      id,
      get: () => unwrap(api.GET("/v1/tasks/{id}", { params })),
      wait: (options) => waitForTask(send, baseUrl, id, options),
      events: (options) => taskEvents(send, baseUrl, id, options),
      cancel: () => unwrap(api.POST("/v1/tasks/{id}/cancel", { params })),
    };
  };
}
