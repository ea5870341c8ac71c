import { setTimeout as sleep } from "node:timers/promises";
import type { Observer } from "./observer.ts";

/** Work that was in the hands of some node when one was killed. */
export type Leased = { id: string; phase: string; node: string; killedAt: number; movedAt: number | null };

export type LeaseWatch = {
  /** Has the work looked at that is in hand now. */
  note(node: string, killedAt: number): void;
  /** Looks on until nothing is left to wait for, or the time is up; answers the work that was not renewed by a node that lives. */
  end(withinMs: number): Promise<Leased[]>;
};

type Row = { id: string; phase: string; fence: number; run_at: number };
type Tracked = Leased & { fence: number; runAt: number };

const query = `select id, phase, fence, run_at from step where leased = 1 and (phase in ('run', 'collect') or work = 'webhook')`;

/** Watches what nodes have in hand: work of a dead node moves when another one takes it. */
export function createLeaseWatch({ ask }: Observer, everyMs = 200): LeaseWatch {
  const kills: { node: string; killedAt: number }[] = [];
  const moved: Leased[] = [];
  let tracked: Tracked[] = [];
  const ending = new AbortController();

  function follow(rows: ReadonlyMap<string, Row>): void {
    const now = Date.now();
    tracked = tracked.filter((one) => {
      const row = rows.get(one.id);
      if (row?.fence === one.fence && row.phase === one.phase) return row.run_at === one.runAt;
      moved.push({ id: one.id, phase: one.phase, node: one.node, killedAt: one.killedAt, movedAt: now });
      return false;
    });
    // What an earlier kill left is still its own.
    const known = new Set(tracked.map(({ id }) => id));
    const fresh = [...rows.values()].filter(({ id }) => !known.has(id));
    for (const { node, killedAt } of kills.splice(0).slice(0, 1))
      tracked.push(...fresh.map(({ id, phase, fence, run_at: runAt }) => ({ id, phase, fence, runAt, node, killedAt, movedAt: null })));
  }

  async function watch(): Promise<void> {
    for (; !ending.signal.aborted; await sleep(everyMs)) {
      if (kills.length === 0 && tracked.length === 0) continue;
      const rows = await ask<Row>(query);
      if (rows !== null) follow(new Map(rows.map((row) => [row.id, row])));
    }
  }

  const watching = watch();
  return {
    note: (node, killedAt) => void kills.push({ node, killedAt }),
    async end(withinMs) {
      for (const until = Date.now() + withinMs; Date.now() < until && tracked.length + kills.length > 0;) await sleep(everyMs);
      ending.abort();
      await watching;
      return [...moved, ...tracked.map(({ id, phase, node, killedAt }) => ({ id, phase, node, killedAt, movedAt: null }))];
    },
  };
}
