import { topUpStarter, type Caller } from "./accounts.ts";
import { cancelTask } from "./cancel.ts";
import { Failure } from "./errors.ts";
import type { TaskEvents } from "./events.ts";
import type { SongSource } from "./kinds.ts";
import { offerTask, planTask, type Draft, type PlanNeeds } from "./plan.ts";
import { quoteTask, type Quote } from "./pricing.ts";
import type { Store } from "./ports.ts";
import type { Pulse } from "./pulse.ts";
import type { Purse } from "./purse.ts";
import type { AcceptReply, AcceptRequest, Key } from "./records.ts";
import { providerOf } from "./routing.ts";
import { acceptedTask, isFinal, type Task } from "./task.ts";
import type { WorkInHand } from "./work-in-hand.ts";

export type TasksNeeds = PlanNeeds & {
  events: TaskEvents;
  pulse: Pick<Pulse, "add">;
  inHand: WorkInHand;
  purse: Purse;
  /** Called when there is new work to do. */
  wake: () => void;
};

export type Tasks = {
  /** Accepts a task: when this returns, task, hold and first step are on disk. */
  submit(caller: Caller, draft: Draft): Promise<{ task: Task; replayed: boolean; /** Where it goes first. */ provider: string }>;
  /** What a create would cost, without running it. */
  quote(caller: Caller, draft: Draft): Quote;
  get(caller: Caller, id: string): Promise<Task>;
  /** A task by its own id or by that of one of its songs. */
  find(caller: Caller, id: string): Promise<Task | null>;
  /** Waits until a task ends or the time is up, and answers it as it is then. */
  wait(task: Task, ms: number, signal?: AbortSignal): Promise<Task>;
  /** A finished task to go on from, and how its upstream knows it; throws when it is not there or not finished. */
  source(caller: Caller, id: string): Promise<{ task: Task; upstreamTaskId: string | null }>;
  cancel(caller: Caller | null, id: string): Promise<{ task: Task; charged: boolean }>;
  /** The song that a continuation starts from; throws when it is not there to be continued. */
  songSource(caller: Caller, songId: string, atSeconds: number | null, direction: SongSource["direction"]): Promise<SongSource>;
};

export function createTasks(needs: TasksNeeds): Tasks {
  const { store, clock } = needs;

  return {
    async submit(caller, draft) {
      const asked = await offerTask(needs, caller, draft);
      const reply = await acceptWithin(needs, caller, asked);
      if (reply.outcome === "insufficient") throw new Failure("insufficient_balance");
      if (reply.outcome === "over_cap")
        throw new Failure("insufficient_balance", { says: "The spend cap of this key does not cover this request; nothing was started." });
      if (reply.outcome === "too_many")
        throw new Failure("too_many_tasks", {
          says: `Too many tasks of this key are running; ${asked.mostTasks} are allowed at a time.`,
          retryAfterMs: 5_000,
        });
      if (reply.outcome === "frozen")
        throw new Failure("unavailable", { says: "Spending on this account is stopped until its books are checked." });
      if (reply.outcome === "mismatch") throw new Failure("idempotency_mismatch", { param: "Idempotency-Key" });
      const provider = providerOf(asked.lane);
      if (reply.outcome === "replay") return { task: reply.task, replayed: true, provider };
      if (caller.account.starter) await topUpStarter(store, { ...caller.account, availableNanos: reply.availableNanos }, clock());
      needs.wake();
      return { task: acceptedTask(asked.task), replayed: false, provider };
    },

    quote(caller, draft) {
      const { model, work } = planTask(needs, caller, draft);
      return quoteTask(work, model.price);
    },

    async get(caller, id) {
      const task = await store.task({ id, account: caller.account.id });
      if (task === null) throw new Failure("task_not_found");
      return task;
    },

    async find(caller, id) {
      const [task] = await store.tasksByIds({ ids: [id], account: caller.account.id });
      return task ?? null;
    },

    async source(caller, id) {
      const task = await store.task({ id, account: caller.account.id });
      if (task === null) throw new Failure("task_not_found");
      if (task.status !== "SUCCESS") throw new Failure("task_not_ready", { says: "The task to go on from is not finished." });
      return { task, upstreamTaskId: (await store.attempts({ taskId: id })).at(-1)?.upstreamId ?? null };
    },

    wait: (task, ms, signal) => waitForEnd(needs, task, ms, signal),
    cancel: (caller, id) => cancelTask(needs, caller?.account.id ?? null, id),

    songSource: (caller, songId, atSeconds, direction) => findSong(store, caller, songId, atSeconds, direction),
  };
}

/** Asks the store, with the hold set aside beside what calls have reserved; the starter account is topped up first if it must be. */
async function acceptWithin({ store, purse, clock }: TasksNeeds, { account, key }: Caller, asked: AcceptRequest): Promise<AcceptReply> {
  const { holdNanos } = asked.task;
  const accept = async (): Promise<AcceptReply> => {
    const reservation = await purse.reserveHold(account.id, key, holdNanos);
    // The store knows more: a request that was accepted before is answered again, whatever the balance.
    if (reservation === null) return asked.idempotency === null ? refusedBy(key) : store.accept({ ...asked, onlyReplay: refusedBy(key) });
    try {
      return await store.accept(asked);
    } finally {
      reservation.release();
    }
  };
  let reply = await accept();
  if (reply.outcome === "insufficient" && (await purse.recall(account.id))) reply = await accept();
  if (reply.outcome !== "insufficient" || !account.starter) return reply;
  const fresh = await store.account({ idOrName: account.id });
  if (fresh !== null) await topUpStarter(store, fresh, clock(), holdNanos);
  return accept();
}

function refusedBy(key: Key | null): Extract<AcceptReply, { outcome: "insufficient" | "over_cap" }> {
  return { outcome: key?.limits.spendCapNanos === null || key === null ? "insufficient" : "over_cap" };
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

async function findSong(
  store: Store,
  caller: Caller,
  songId: string,
  atSeconds: number | null,
  direction: SongSource["direction"],
): Promise<SongSource> {
  const [task] = await store.tasksByIds({ ids: [songId], account: caller.account.id });
  const songIndex = task?.songIds.indexOf(songId) ?? -1;
  if (task === undefined || songIndex < 0) throw new Failure("task_not_found", { says: "There is no such song to continue." });
  const song = task.result?.kind === "music" ? task.result.songs[songIndex] : undefined;
  if (song === undefined) throw new Failure("task_not_ready", { says: "The song to continue is not finished." });
  const attempt = (await store.attempts({ taskId: task.id })).at(-1);
  return {
    taskId: task.id,
    songId,
    songIndex,
    upstreamTaskId: attempt?.upstreamId ?? null,
    upstreamSongId: song.upstreamId,
    atSeconds: atSeconds ?? song.durationSeconds,
    direction,
    song,
  };
}
