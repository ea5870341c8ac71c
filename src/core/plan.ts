import { admissionOf, byAdmission, type Breaker } from "./breaker.ts";
import { fitRoute, type Misfit } from "./fit.ts";
import { uuidv7 } from "../kit/ids.ts";
import type { Caller } from "./accounts.ts";
import { Failure } from "./errors.ts";
import { isDeferred, workOf, type DeferredKind, type Kind, type TaskInput } from "./kinds.ts";
import { quoteTask, songsPerTask } from "./pricing.ts";
import type { Clock, Store } from "./ports.ts";
import type { AcceptRequest, InlineHook } from "./records.ts";
import { builtIn, deferredCalls, laneOf, orderRoutes, type Catalog, type Installed, type Model } from "./routing.ts";
import type { Dialect } from "./task.ts";

export type PlanNeeds = {
  store: Store;
  catalog: Catalog;
  breaker: Pick<Breaker, "admits">;
  clock: Clock;
  random: () => number;
  deadlineMs: (kind: string) => number;
  /** How many tasks a key without a limit of its own may have under way. */
  defaultTasks: () => number | null;
};

/** A create, as an operation group understood it. */
export type Draft = TaskInput & {
  /** Set where the client knows the task's id already. */
  id?: string;
  /** The most that it may cost, where that does not follow from the price alone. */
  holdNanos?: number;
  dialect: Dialect;
  model: string;
  hook?: InlineHook | null;
  idempotency?: AcceptRequest["idempotency"];
};

/** The model that a draft asks for and the queue it will wait in; throws when it cannot be had. */
export function planTask(needs: PlanNeeds, caller: Caller, draft: Draft): { model: Model; lane: string; work: TaskInput } {
  const { catalog } = needs;
  const allowed = caller.key?.models ?? null;
  if (allowed !== null && !allowed.includes(draft.model))
    throw new Failure("not_allowed", { says: `This key may not use the model '${draft.model}'.`, param: "model" });
  const model = catalog.find(draft.kind, draft.model);
  if (model === null) throw unknownModel(catalog, draft);
  if (isDeferred(draft)) return { model, lane: deferredLane(catalog, draft.kind), work: workOf(draft) };
  const [first] = openRoutes(needs, caller, draft, model);
  if (first === undefined) throw new Failure("upstream_unavailable");
  return { model, lane: laneOf(first.installed, draft.kind), work: first.work };
}

// Who answers a deferred call is found when its turn comes.
function deferredLane(catalog: Catalog, kind: DeferredKind): string {
  const installed = catalog.provider(deferredCalls);
  if (installed === null || installed.off) throw new Failure("upstream_unavailable");
  return laneOf(installed, kind);
}

/** What is to be accepted: the task with its price, its hold and its queue. */
export async function offerTask(needs: PlanNeeds, caller: Caller, asked: Draft): Promise<AcceptRequest> {
  const pin = await pinOf(needs, asked);
  const draft = pin === null ? withoutPin(asked) : asked;
  const planned = planTask(needs, caller, draft);
  const now = needs.clock();
  const { model, dialect, hook = null, idempotency = null, kind } = draft;
  const task: AcceptRequest["task"] = {
    ...workOf(planned.work),
    id: draft.id ?? uuidv7(now),
    account: caller.account.id,
    key: caller.key?.id ?? null,
    dialect,
    model,
    price: planned.model.price,
    holdNanos: draft.holdNanos ?? quoteTask(planned.work, planned.model.price).amountNanos,
    songIds: kind === "music" ? Array.from({ length: songsPerTask }, () => uuidv7(now)) : [],
    createdAt: now,
    deadlineAt: now + needs.deadlineMs(kind),
    hook,
  };
  const mostTasks = caller.key?.limits.concurrentTasks ?? needs.defaultTasks();
  return { task, lane: pin?.lane ?? planned.lane, credential: pin?.credential ?? null, idempotency, mostTasks };
}

/** No such model, with what there is. */
export function unknownModel(catalog: Catalog, draft: { kind: Kind; model: string }): Failure {
  const names = catalog
    .list()
    .filter(({ kinds }) => kinds.includes(draft.kind))
    .map(({ name }) => name);
  const offer =
    names.length === 0 ? `No model for ${draft.kind} is configured.` : `Available for ${draft.kind}: ${names.slice(0, 50).join(", ")}.`;
  return new Failure("model_not_found", { says: `There is no model '${draft.model}'. ${offer}`, param: "model" });
}

/** The providers that can do it, in the order to try them. */
function openRoutes(
  { catalog, breaker, random }: PlanNeeds,
  caller: Caller,
  draft: Draft,
  model: Model,
): { installed: Installed; work: TaskInput }[] {
  let reason: Misfit | null = null;
  const open = orderRoutes(model.routes, random).flatMap((route) => {
    const installed = catalog.provider(route.provider);
    const serves = installed?.provider.tasks?.serves[draft.kind];
    if (installed === null || serves === undefined || installed.off) return [];
    if (caller.account.starter && installed.name !== builtIn) return [];
    const work = fitRoute(workOf(draft), serves, route.model, model.limits);
    if ("says" in work) reason ??= work;
    return "says" in work ? [] : [{ installed, work, admission: admissionOf(breaker, installed, draft.kind, route.model) }];
  });
  if (open.length === 0 && reason !== null) {
    const { param, says }: Misfit = reason;
    throw new Failure("not_supported", { says, param });
  }
  return byAdmission(open);
}

type Pin = { lane: string; credential: string | null };

/** What goes on from a finished task stays on the provider and the credential that made it, as far as that provider can do it. */
async function pinOf({ store, catalog }: PlanNeeds, draft: Draft): Promise<Pin | null> {
  const sourceId = pinnedTo(draft);
  if (sourceId === null) return null;
  const attempt = (await store.attempts({ taskId: sourceId })).at(-1);
  const maker = attempt === undefined ? null : catalog.provider(attempt.provider);
  const isOpen = maker !== null && !maker.off && maker.credentials.some(({ id }) => id === attempt?.credential);
  const offers = catalog.find(draft.kind, draft.model)?.routes.some(({ provider }) => provider === maker?.name) ?? true;
  const installed = isOpen && offers ? maker : null;
  const pin = attempt === undefined || installed === null ? null : { lane: laneOf(installed, draft.kind), credential: attempt.credential };
  if (draft.kind === "music") {
    if (!offers && maker !== null)
      throw new Failure("not_supported", { says: "The song to continue was made by a provider without this model.", param: "model" });
    if (pin === null)
      throw new Failure("upstream_unavailable", { says: "The provider that made the song to continue is not available any more." });
    return pin;
  }
  const serves = installed?.provider.tasks?.serves[draft.kind];
  if (attempt === undefined || serves === undefined) return null;
  return "says" in fitRoute(workOf(draft), serves, attempt.model, undefined) ? null : pin;
}

/** The task whose maker must do this too, or had better; null where it makes no difference. */
export function pinnedTo(task: TaskInput): string | null {
  if (task.kind === "music") return task.input.continues?.taskId ?? null;
  const source = task.kind === "video" || task.kind === "image" ? task.input.source : undefined;
  return source === undefined || source.upstreamTaskId === null ? null : source.taskId;
}

// Another provider has the files to go by, and cannot know the ids.
function withoutPin(draft: Draft): Draft {
  if (draft.kind === "video" && draft.input.source !== undefined)
    return { ...draft, input: { ...draft.input, source: { ...draft.input.source, upstreamTaskId: null } } };
  if (draft.kind === "image" && draft.input.source !== undefined)
    return { ...draft, input: { ...draft.input, source: { ...draft.input.source, upstreamTaskId: null, button: null } } };
  return draft;
}
