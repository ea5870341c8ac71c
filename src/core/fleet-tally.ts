import { createRhythm, type RhythmNeeds } from "./exchange-rhythm.ts";
import type { Clock, StoreWrites } from "./ports.ts";
import { createTally, minuteMs, type Tally } from "./tally.ts";

export type FleetTallyNeeds = Pick<RhythmNeeds, "tellContact"> & {
  store: Pick<StoreWrites, "exchange">;
  /** The name of this process among the others. */
  node: string;
  clock: Clock;
};

/** A tally that nodes keep together; `close` tells the others a last time. */
export type FleetTally = Tally & { close(): Promise<void> };

/** So long counts what a node said it runs, if it says nothing more. */
export const lapseMs = 5_000;
const forgetAfterMs = 2 * minuteMs;

/**
 * Counts here at once, and tells the others a moment later, in the minutes of the clock so that all mean the same ones. Only names whose
 * standing somebody asks for are exchanged.
 */
export function createFleetTally({ store, node, clock, tellContact }: FleetTallyNeeds): FleetTally {
  const own = createTally(clock, startOfMinute);
  const others = createOthers(clock);
  const { want, holds, close } = createRhythm({ exchange, tellContact });
  let tidiedAt = 0;

  async function exchange(names: readonly string[]): Promise<Map<string, boolean>> {
    const now = clock();
    const minute = startOfMinute(now);
    const counts = names.map((name) => ({ name, used: own.minute(name).used, running: own.running(name) }));
    const forgetBefore = tidiedAt === minute ? null : now - forgetAfterMs;
    const replies = await store.exchange({ node, minute, now, until: now + lapseMs, counts, forgetBefore });
    for (const [at, name] of names.entries()) others.hear(name, minute, replies[at] ?? nothing);
    if (forgetBefore !== null) others.forget((name, { askedAt }) => askedAt < minute - minuteMs && !holds(name));
    tidiedAt = minute;
    return new Map(counts.map(({ name, running }) => [name, running > 0]));
  }

  function ask(name: string): Others {
    want(name);
    return others.ask(name);
  }

  function change(name: string, act: () => void): void {
    act();
    if (others.has(name)) want(name);
  }

  return {
    add: (name, amount) => change(name, () => own.add(name, amount)),
    minute(name) {
      const { used, leftMs } = own.minute(name);
      const { minute, used: elsewhere, askedAt } = ask(name);
      return { used: minute === startOfMinute(askedAt) ? used + elsewhere : used, leftMs };
    },
    enter: (name) => change(name, () => own.enter(name)),
    leave: (name) => change(name, () => own.leave(name)),
    running(name) {
      const { running, until, askedAt } = ask(name);
      return own.running(name) + (until > askedAt ? running : 0);
    },
    close,
  };
}

type Others = { minute: number; used: number; running: number; until: number; askedAt: number };

const nothing = { used: 0, running: 0 };

/** What the others said last under each name that was asked for. */
function createOthers(clock: Clock) {
  const known = new Map<string, Others>();
  return {
    has: (name: string) => known.has(name),
    ask(name: string): Others {
      const found = known.get(name) ?? { ...nothing, minute: 0, until: 0, askedAt: 0 };
      if (found.askedAt === 0) known.set(name, found);
      found.askedAt = clock();
      return found;
    },
    hear(name: string, minute: number, { used, running }: { used: number; running: number }): void {
      const found = known.get(name);
      if (found === undefined) return;
      // A node whose clock is ahead has replaced what it said of this minute; it counted all the same.
      const most = found.minute === minute ? Math.max(found.used, used) : used;
      Object.assign(found, { minute, used: most, running, until: clock() + lapseMs });
    },
    forget(isOver: (name: string, found: Others) => boolean): void {
      for (const [name, found] of known) if (isOver(name, found)) known.delete(name);
    },
  };
}

function startOfMinute(now: number): number {
  return Math.floor(now / minuteMs) * minuteMs;
}
