import type { Reply } from "../../generated/openapi.d.ts";

/** A task of any group, as `GET /v1/tasks` and its events show it. */
export type TaskRecord = Reply<"getTasks">["data"][number];

/** One file that a task made. */
export type Asset = TaskRecord["assets"][number];

export function hasEnded({ status }: Pick<TaskRecord, "status">): boolean {
  return status === "SUCCESS" || status === "FAILURE";
}
