import { fitRoute } from "./fit.ts";
import { workOf } from "./kinds.ts";
import { pinnedTo } from "./plan.ts";
import type { Attempt } from "./records.ts";
import type { FailureClass } from "./refusal.ts";
import { laneOf, type Catalog } from "./routing.ts";
import type { Task } from "./task.ts";

/** How often a task is tried in all. */
export const mostAttempts = 8;

// What is wrong with the request is wrong everywhere, and an upstream that judged the content is not overruled by another.
const elsewhere = new Set<FailureClass>(["rate_limit", "transient", "auth", "quota", "not_found", "timeout", "unsupported"]);
// What may have passed a moment later.
const passing = new Set<FailureClass>(["rate_limit", "transient"]);

/** The queue of the next route after one that said no; where waiting can help and there is no other, the same one again. */
export function nextLane(catalog: Catalog, task: Task, attempts: readonly Attempt[], why: FailureClass): string | null {
  if (!elsewhere.has(why)) return null;
  const last = attempts.at(-1)?.provider ?? "";
  // Who took the job and failed it, and who has no money or no such model, is not asked again.
  const hopeless = attempts.filter(({ state, failure }) => state === "ENDED" || (failure !== null && !passing.has(failure)));
  const other = otherLane(catalog, task, last, [...hopeless.map(({ provider }) => provider), last]);
  if (other !== null) return other;
  const installed = catalog.provider(last);
  const waits = passing.has(why) && installed !== null && !installed.off;
  return waits && installed.provider.tasks?.serves[task.kind] !== undefined ? laneOf(installed, task.kind) : null;
}

/** The queue of the next route for a job that an upstream took and failed; none where that one must do it. */
export function laneAfterFailure(catalog: Catalog, task: Task, attempts: readonly Attempt[], why: FailureClass): string | null {
  if (!elsewhere.has(why) && why !== "expired") return null;
  const tried = attempts.map(({ provider }) => provider);
  return otherLane(catalog, task, tried.at(-1) ?? "", tried);
}

/** The routes after the last one that was tried, and then those before it. */
function otherLane(catalog: Catalog, task: Task, last: string, without: readonly string[]): string | null {
  if (pinnedTo(task) !== null) return null;
  const model = catalog.find(task.kind, task.model);
  const routes = model?.routes ?? [];
  const place = routes.findIndex(({ provider }) => provider === last);
  const others = [...routes.slice(place + 1), ...routes.slice(0, Math.max(0, place))];
  for (const { provider: name, model: upstreamModel } of others) {
    const installed = catalog.provider(name);
    const serves = installed?.provider.tasks?.serves[task.kind];
    if (installed === null || installed.off || serves === undefined || without.includes(name)) continue;
    if (!("says" in fitRoute(workOf(task), serves, upstreamModel, model?.limits))) return laneOf(installed, task.kind);
  }
  return null;
}
