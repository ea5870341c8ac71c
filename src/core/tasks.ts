import { uuidv7 } from "../kit/ids.ts";
import { topUpStarter, type Caller } from "./accounts.ts";
import { Failure } from "./errors.ts";
import type { TaskEvents } from "./events.ts";
import type { SongSource, TaskInput } from "./kinds.ts";
import { quoteTask, songsPerTask, type Quote } from "./pricing.ts";
import type { AcceptRequest, Attempt, Clock, InlineHook, Store } from "./ports.ts";
import { builtIn, laneOf, providerOf, misfit, orderRoutes, type Catalog, type Installed, type Misfit, type Model } from "./routing.ts";
import { acceptedTask, isFinal, type Dialect, type Task } from "./task.ts";
import type { WorkInHand } from "./work-in-hand.ts";

export type TasksNeeds = {
  store: Store;
  catalog: Catalog;
  events: TaskEvents;
  inHand: WorkInHand;
  clock: Clock;
  random: () => number;
  deadlineMs: (kind: string) => number;
  /** Called when there is new work to do. */
  wake: () => void;
};

/** A create, as an operation group understood it. */
export type Draft = TaskInput & {
  dialect: Dialect;
  model: string;
  hook?: InlineHook | null;
  idempotency?: AcceptRequest["idempotency"];
};

export type Tasks = {
  /** Accepts a task: when this returns, task, hold and first step are on disk. */
  submit(caller: Caller, draft: Draft): Promise<{ task: Task; replayed: boolean; /** Where it goes first. */ provider: string }>;
  /** What a create would cost, without running it. */
  quote(caller: Caller, draft: Draft): Quote;
  get(caller: Caller, id: string): Promise<Task>;
  /** Waits until a task ends or the time is up, and answers it as it is then. */
  wait(task: Task, ms: number, signal?: AbortSignal): Promise<Task>;
  cancel(caller: Caller | null, id: string): Promise<{ task: Task; charged: boolean }>;
  /** The song that a continuation starts from; throws when it is not there to be continued. */
  songSource(caller: Caller, songId: string, atSeconds: number | null, direction: SongSource["direction"]): Promise<SongSource>;
};

export function createTasks(needs: TasksNeeds): Tasks {
  const { store, catalog, clock } = needs;

  function plan(caller: Caller, draft: Draft): { model: Model; lane: string; routes: Installed[] } {
    const allowed = caller.key?.models ?? null;
    if (allowed !== null && !allowed.includes(draft.model)) throw new Failure("not_allowed", { says: `This key may not use the model '${draft.model}'.`, param: "model" });
    const model = catalog.find(draft.kind, draft.model);
    if (model === null) throw unknownModel(catalog, draft);
    const routes = openRoutes(needs, caller, draft, model);
    const [first] = routes;
    if (first === undefined) throw new Failure("upstream_unavailable");
    return { model, lane: laneOf(first, draft.kind), routes };
  }

  async function request(caller: Caller, draft: Draft): Promise<AcceptRequest> {
    const planned = plan(caller, draft);
    const pin = await pinOf(store, catalog, draft);
    const now = clock();
    const { model, dialect, hook = null, idempotency = null, kind, input } = draft;
    const task: AcceptRequest["task"] = {
      ...({ kind, input } as TaskInput),
      id: uuidv7(now),
      account: caller.account.id,
      key: caller.key?.id ?? null,
      dialect,
      model,
      price: planned.model.price,
      holdNanos: quoteTask(draft, planned.model.price).amountNanos,
      songIds: kind === "music" ? Array.from({ length: songsPerTask }, () => uuidv7(now)) : [],
      createdAt: now,
      deadlineAt: now + needs.deadlineMs(kind),
      hook,
    };
    return { task, lane: pin?.lane ?? planned.lane, credential: pin?.credential ?? null, idempotency };
  }

  return {
    async submit(caller, draft) {
      const asked = await request(caller, draft);
      let reply = await store.accept(asked);
      if (reply.outcome === "insufficient" && caller.account.starter) {
        await topUpStarter(store, { ...caller.account, availableNanos: 0 }, clock());
        reply = await store.accept(asked);
      }
      if (reply.outcome === "insufficient") throw new Failure("insufficient_balance");
      if (reply.outcome === "frozen") throw new Failure("unavailable", { says: "Spending on this account is stopped until its books are checked." });
      if (reply.outcome === "mismatch") throw new Failure("idempotency_mismatch", { param: "Idempotency-Key" });
      const provider = providerOf(asked.lane);
      if (reply.outcome === "replay") return { task: reply.task, replayed: true, provider };
      if (caller.account.starter) await topUpStarter(store, { ...caller.account, availableNanos: reply.availableNanos }, clock());
      needs.wake();
      return { task: acceptedTask(asked.task), replayed: false, provider };
    },

    quote(caller, draft) {
      return quoteTask(draft, plan(caller, draft).model.price);
    },

    async get(caller, id) {
      const task = await store.task({ id, account: caller.account.id });
      if (task === null) throw new Failure("task_not_found");
      return task;
    },

    wait: (task, ms, signal) => waitForEnd(needs, task, ms, signal),
    cancel: (caller, id) => cancelTask(needs, caller, id),

    async songSource(caller, songId, atSeconds, direction) {
      const [task] = await store.tasksByIds({ ids: [songId], account: caller.account.id });
      const songIndex = task?.songIds.indexOf(songId) ?? -1;
      if (task === undefined || songIndex < 0) throw new Failure("task_not_found", { says: "There is no such song to continue." });
      const song = task.result?.kind === "music" ? task.result.songs[songIndex] : undefined;
      if (song === undefined) throw new Failure("task_not_ready", { says: "The song to continue is not finished." });
      const attempt = lastAttempt(await store.attempts({ taskId: task.id }));
      return {
        taskId: task.id,
        songIndex,
        upstreamTaskId: attempt?.upstreamId ?? null,
        upstreamSongId: song.upstreamId,
        atSeconds: atSeconds ?? song.durationSeconds,
        direction,
        song,
      };
    },
  };
}

function unknownModel(catalog: Catalog, draft: Draft): Failure {
  const names = catalog.list().filter(({ kinds }) => kinds.includes(draft.kind)).map(({ name }) => name);
  const offer = names.length === 0 ? `No model for ${draft.kind} is configured.` : `Available for ${draft.kind}: ${names.slice(0, 50).join(", ")}.`;
  return new Failure("model_not_found", { says: `There is no model '${draft.model}'. ${offer}`, param: "model" });
}

/** The providers that can do it, in the order to try them. */
function openRoutes({ catalog, random }: TasksNeeds, caller: Caller, draft: Draft, model: Model): Installed[] {
  let reason: Misfit | null = null;
  const open = orderRoutes(model.routes, random).flatMap((route) => {
    const installed = catalog.provider(route.provider);
    const serves = installed?.provider.serves[draft.kind];
    if (installed === null || serves === undefined || installed.off) return [];
    if (caller.account.starter && installed.name !== builtIn) return [];
    const wrong = misfit(draft, { ...serves(route.model), ...model.limits });
    reason ??= wrong;
    return wrong === null ? [installed] : [];
  });
  if (open.length === 0 && reason !== null) {
    const { param, says }: Misfit = reason;
    throw new Failure("not_supported", { says, param });
  }
  return open;
}

/** A continuation stays on the provider and the credential that made its source. */
async function pinOf(store: Store, catalog: Catalog, draft: Draft): Promise<{ lane: string; credential: string | null } | null> {
  if (draft.kind !== "music" || draft.input.continues === undefined) return null;
  const attempt = lastAttempt(await store.attempts({ taskId: draft.input.continues.taskId }));
  const installed = attempt === null ? null : catalog.provider(attempt.provider);
  if (attempt === null || installed === null) throw new Failure("upstream_unavailable", { says: "The provider that made the song to continue is not configured any more." });
  return { lane: laneOf(installed, "music"), credential: attempt.credential };
}

function lastAttempt(attempts: readonly Attempt[]): Attempt | null {
  return attempts.at(-1) ?? null;
}

async function waitForEnd({ store, events }: TasksNeeds, task: Task, ms: number, signal?: AbortSignal): Promise<Task> {
  const end = Promise.withResolvers<void>();
  const unsubscribe = events.subscribe(task.id, (changed) => {
    if (isFinal(changed.status)) end.resolve();
  });
  const timer = setTimeout(end.resolve, ms);
  signal?.addEventListener("abort", () => end.resolve(), { once: true });
  try {
    const now = await store.task({ id: task.id, account: task.account });
    if (now !== null && isFinal(now.status)) return now;
    await end.promise;
    return (await store.task({ id: task.id, account: task.account })) ?? task;
  } finally {
    clearTimeout(timer);
    unsubscribe();
  }
}

/** Ends a task for its owner: free of charge if nothing runs upstream or the upstream confirms, else at its full price. */
async function cancelTask(needs: TasksNeeds, caller: Caller | null, id: string): Promise<{ task: Task; charged: boolean }> {
  const { store, inHand, clock, events } = needs;
  const account = caller?.account.id ?? null;
  for (let tries = 0; tries < 5; tries++) {
    await inHand.settle(id);
    const task = await store.task({ id, account });
    if (task === null) throw new Failure("task_not_found");
    if (isFinal(task.status)) throw new Failure("task_finished");
    const attempt = lastAttempt(await store.attempts({ taskId: id }));
    const sent = attempt !== null && (attempt.state === "INTENT" || attempt.state === "ACCEPTED");
    const charged = sent && !(await stopsUpstream(needs, task, attempt));
    const ended = await store.finish({
      taskId: id,
      fence: null,
      onlyUnsent: !sent,
      now: clock(),
      status: "FAILURE",
      costNanos: charged ? task.holdNanos : 0,
      result: null,
      assets: [],
      failCode: "cancelled",
      failReason: charged ? "The task was cancelled; the provider had started it and did not confirm, so it was charged." : "The task was cancelled.",
      attemptState: "ENDED",
      cause: "cancelled",
    });
    if (ended === null) continue;
    events.publish(ended);
    inHand.stop(id, "cancelled");
    needs.wake();
    return { task: ended, charged };
  }
  throw new Failure("unavailable", { says: "The task could not be cancelled now; try again." });
}

async function stopsUpstream({ catalog }: TasksNeeds, task: Task, attempt: Attempt): Promise<boolean> {
  const installed = catalog.provider(attempt.provider);
  const credential = installed?.credentials.find(({ id }) => id === attempt.credential);
  if (attempt.upstreamId === null || credential === undefined || installed?.provider.cancel === undefined) return false;
  const job = { upstreamId: attempt.upstreamId, keep: attempt.keep, kind: task.kind, model: attempt.model };
  const work = { signal: AbortSignal.timeout(15_000), credential, report: () => undefined, load: () => Promise.reject(new Error("nothing to load")) };
  return installed.provider.cancel(job, work).catch(() => false);
}
