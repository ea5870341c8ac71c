import { admissionOf, byAdmission, placeOf, type Breaker } from "./breaker.ts";
import { fitRoute } from "./fit.ts";
import { workOf } from "./kinds.ts";
import { pinnedTo } from "./plan.ts";
import type { Attempt } from "./records.ts";
import type { FailureClass } from "./refusal.ts";
import { laneOf, providerOf, upstreamModelOf, type Catalog, type Installed } from "./routing.ts";
import type { Task } from "./task.ts";

/** How often a task is tried in all. */
export const mostAttempts = 8;

/** Where a task goes on: the queue, the one key of its provider to be used, where that matters, and whether it is open now. */
export type Way = { lane: string; credential: string | null; isOpen: boolean };

/** Who was asked to do a task, or was to be. */
type Asked = Pick<Attempt, "provider" | "credential">;

export type WayNeeds = { catalog: Catalog; breaker: Pick<Breaker, "admits"> };

// What is wrong with the request is wrong everywhere, and an upstream that judged the content is not overruled by another.
const elsewhere = new Set<FailureClass>(["rate_limit", "transient", "auth", "quota", "not_found", "timeout", "unsupported"]);
// What may have passed a moment later.
const passing = new Set<FailureClass>(["rate_limit", "transient"]);
// What is wrong with one key, and not with another.
const ofKey = new Set<FailureClass>(["auth", "quota"]);

/** The way after a no: another key or the next route; where waiting can help and there is no other, the same queue again. */
export function nextWay(needs: WayNeeds, task: Task, attempts: readonly Attempt[], why: FailureClass): Way | null {
  if (!elsewhere.has(why)) return null;
  const key = ofKey.has(why) ? otherKey(needs, task, attempts) : null;
  const other = key ?? otherRoute(needs, task, attempts, hopeless(attempts));
  if (other !== null || !passing.has(why)) return other;
  return (why === "rate_limit" ? otherKey(needs, task, attempts) : null) ?? sameAgain(needs, task, attempts);
}

/** The way of a job that an upstream took and failed; none where that one must do it. */
export function wayAfterFailure(needs: WayNeeds, task: Task, attempts: readonly Attempt[], why: FailureClass): Way | null {
  if (!elsewhere.has(why) && why !== "expired") return null;
  const tried = attempts.map(({ provider }) => provider);
  return otherRoute(needs, task, attempts, tried);
}

/** The way past a place that rests, before anything is sent to it; null where no other is known to be better. */
export function wayAround(needs: WayNeeds, task: Task, attempts: readonly Attempt[]): Way | null {
  const other = otherKey(needs, task, attempts) ?? otherRoute(needs, task, attempts, hopeless(attempts));
  return other?.isOpen === true ? other : null;
}

/** The way of a task out of a queue that nobody serves, or of a key that is gone; null where it can only wait. */
export function wayOfStray(
  needs: WayNeeds,
  task: Task,
  attempts: readonly Attempt[],
  at: { lane: string; credential: string },
): Way | null {
  const asked = [...attempts, { provider: providerOf(at.lane), credential: at.credential }];
  return otherKey(needs, task, asked) ?? otherRoute(needs, task, asked, hopeless(attempts));
}

// Who took the job and failed it, and who has no money or no such model, is not asked again.
function hopeless(attempts: readonly Attempt[]): string[] {
  const over = attempts.filter(({ state, failure }) => state === "ENDED" || (failure !== null && !passing.has(failure)));
  return over.map(({ provider }) => provider);
}

/** Another key of the provider that was asked last, one that has not said no to this task. */
function otherKey({ catalog, breaker }: WayNeeds, task: Task, attempts: readonly Asked[]): Way | null {
  const installed = serving(catalog, task, lastOf(attempts).provider);
  if (installed === null || pinnedTo(task) !== null) return null;
  const tried = new Set(attempts.filter(({ provider }) => provider === installed.name).map(({ credential }) => credential));
  const model = upstreamModelOf(catalog, task, installed.name);
  const other = installed.credentials.find(
    ({ id }) => !tried.has(id) && breaker.admits(placeOf(installed.name, task.kind, model, id)) === "open",
  );
  return other === undefined ? null : { lane: laneOf(installed, task.kind), credential: other.id, isOpen: true };
}

/** The same queue; with the same key where others will not do. */
function sameAgain({ catalog }: WayNeeds, task: Task, attempts: readonly Attempt[]): Way | null {
  const { provider, credential } = lastOf(attempts);
  const installed = serving(catalog, task, provider);
  if (installed === null) return null;
  const isOnlyKey = pinnedTo(task) !== null || hopeless(attempts).includes(provider);
  return { lane: laneOf(installed, task.kind), credential: isOnlyKey ? credential : null, isOpen: false };
}

function lastOf(attempts: readonly Asked[]): Asked {
  return attempts.at(-1) ?? { provider: "", credential: "" };
}

/** A provider that is there, and makes what is asked for. */
function serving(catalog: Catalog, task: Task, name: string): Installed | null {
  const installed = catalog.provider(name);
  return installed === null || installed.off || installed.provider.tasks?.serves[task.kind] === undefined ? null : installed;
}

/** The next of the routes after the last one that was tried, and then of those before it; one that rests only if all do. */
function otherRoute({ catalog, breaker }: WayNeeds, task: Task, attempts: readonly Asked[], without: readonly string[]): Way | null {
  if (pinnedTo(task) !== null) return null;
  const { provider: last } = lastOf(attempts);
  const found = catalog.find(task.kind, task.model);
  const routes = found?.routes ?? [];
  const place = routes.findIndex(({ provider }) => provider === last);
  const others = [...routes.slice(place + 1), ...routes.slice(0, Math.max(0, place))];
  const fitting = others.flatMap(({ provider: name, model }) => {
    const installed = name === last || without.includes(name) ? null : serving(catalog, task, name);
    const serves = installed?.provider.tasks?.serves[task.kind];
    if (installed === null || serves === undefined || "says" in fitRoute(workOf(task), serves, model, found?.limits)) return [];
    return { lane: laneOf(installed, task.kind), admission: admissionOf(breaker, installed, task.kind, model) };
  });
  const [best] = byAdmission(fitting);
  return best === undefined ? null : { lane: best.lane, credential: null, isOpen: best.admission === "open" };
}
