import type { Reply } from "./client.ts";

/** A task of any group, as `GET /v1/tasks/{id}` shows it. */
export type Task = Reply<"/v1/tasks/{id}">;

export function isFinal(status: string): boolean {
  return status === "SUCCESS" || status === "FAILURE";
}
