/** The work that this process is doing now, so that a cancel can stop it or wait for it. */

type Piece = { controller: AbortController; done: Promise<void>; stoppable: boolean; fence: number | null };

export type WorkInHand = {
  /** Runs something for a task under a signal; only one thing at a time is done for a task. */
  run(taskId: string, act: (signal: AbortSignal) => Promise<void>): Promise<void>;
  has(taskId: string): boolean;
  /** Says under which fence the work is leased, so that the lease is kept while it lasts. */
  lease(taskId: string, fence: number): void;
  leases(): { taskId: string; fence: number }[];
  /** Says that the work may be cut off at any moment without harm. */
  allowStop(taskId: string): void;
  stop(taskId: string, reason: string): void;
  /** Cuts the work off if it may be, and waits until it has ended. */
  settle(taskId: string): Promise<void>;
  /** Cuts everything off and waits until it has ended. */
  settleAll(): Promise<void>;
  size(): number;
};

/** Keeps account of the work in hand. */
export function createWorkInHand(): WorkInHand {
  const pieces = new Map<string, Piece>();
  return {
    async run(taskId, act) {
      if (pieces.has(taskId)) return;
      const controller = new AbortController();
      const piece: Piece = { controller, done: Promise.resolve(), stoppable: false, fence: null };
      pieces.set(taskId, piece);
      piece.done = act(controller.signal).finally(() => pieces.delete(taskId));
      await piece.done;
    },
    has: (taskId) => pieces.has(taskId),
    lease(taskId, fence) {
      const piece = pieces.get(taskId);
      if (piece !== undefined) piece.fence = fence;
    },
    leases: () => [...pieces].flatMap(([taskId, { fence }]) => (fence === null ? [] : [{ taskId, fence }])),
    allowStop(taskId) {
      const piece = pieces.get(taskId);
      if (piece !== undefined) piece.stoppable = true;
    },
    stop(taskId, reason) {
      pieces.get(taskId)?.controller.abort(new Error(reason));
    },
    async settle(taskId) {
      const piece = pieces.get(taskId);
      if (piece === undefined) return;
      if (piece.stoppable) piece.controller.abort(new Error("cancelled"));
      await piece.done.catch(() => undefined);
    },
    async settleAll() {
      const all = [...pieces.values()];
      for (const { controller } of all) controller.abort(new Error("stopping"));
      await Promise.allSettled(all.map(({ done }) => done));
    },
    size: () => pieces.size,
  };
}
