import type { LabJob } from "../../lab/job-book.ts";
import { orderIn } from "../soak/orders.ts";
import type { PlacedTask } from "./rows.ts";
import type { TaskOrder } from "./task-orders.ts";

/** Milliseconds from the acceptance of a task to its job upstream, and from the end of the job to that of the task. */
export type Lags = { starts: number[]; ends: number[] };

/** How long tasks stood still that had no trouble of their own. */
export function lagsOf(orders: readonly TaskOrder[], placed: readonly PlacedTask[], jobs: readonly LabJob[], seed: number): Lags {
  const begun = new Map(jobs.map((job) => [orderIn(job.prompt, seed), job]));
  const made = new Map(placed.map((task) => [task.n, task]));
  const lags: Lags = { starts: [], ends: [] };
  for (const { n, plan, offer } of orders) {
    const [task, job] = [made.get(n), begun.get(n)];
    if (plan.name !== "none" || offer.instant || task?.status !== "SUCCESS" || task.finishedAt === null || job === undefined) continue;
    lags.starts.push(job.submittedAt - task.createdAt);
    lags.ends.push(task.finishedAt - job.submittedAt - (plan.seconds + plan.queueSeconds) * 1_000);
  }
  return lags;
}
