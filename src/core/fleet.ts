import type { Bulletin, Clock, Log, Store } from "./ports.ts";
import type { FleetView, NodeRow } from "./records.ts";

export type FleetNeeds = {
  store: Pick<Store, "beat" | "leave" | "setFact">;
  bulletin: Bulletin;
  log: Log;
  /** The wall clock of this machine. */
  machineClock: Clock;
  /** Whether other processes may share the database. */
  shared: boolean;
  self: Omit<NodeRow, "seenAt" | "startedAt">;
};

/** The processes that share a database, seen from one of them. */
export type Fleet = {
  /** The clock of the database, so that nodes whose own clocks differ agree about time. */
  clock: Clock;
  /** The nodes that were alive a moment ago, this one among them. */
  nodes(): NodeRow[];
  /** When the database last wrote down that this one is alive; null where nobody else could want to know. */
  seenAt(): number | null;
  /** How many of them run tasks. */
  workers(): number;
  fact(name: string): string | null;
  setFact(name: string, value: string): Promise<void>;
  /** Joins; throws when the store does not answer. */
  join(): Promise<void>;
  leave(): Promise<void>;
};

const beatMs = 3_000;
const aliveMs = 10_000;
// What a request takes is no difference of clocks.
const noticeableMs = 50;

/** Keeps a node known to the others, and what all are to know known to it. */
export function createFleet({ store, bulletin, log, machineClock, shared, self }: FleetNeeds): Fleet {
  const node = { ...self, startedAt: machineClock() };
  let view: FleetView = { at: node.startedAt, nodes: [], facts: {} };
  let offsetMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const clock = () => machineClock() + offsetMs;

  async function beat(): Promise<void> {
    const sentAt = machineClock();
    view = await store.beat({ ...node, now: clock() });
    const difference = shared ? view.at - (sentAt + machineClock()) / 2 : 0;
    if (Math.abs(difference - offsetMs) > noticeableMs) offsetMs = Math.round(difference);
  }

  const beatQuietly = () =>
    beat().catch((error: unknown) => log.warn({ err: error }, "the other nodes could not be told that this one is alive"));
  bulletin.hear("config", () => void beatQuietly());
  bulletin.onGap(() => void beatQuietly());

  const nodes = () => {
    const now = clock();
    return view.nodes.flatMap((row) => (row.id === self.id ? [{ ...row, seenAt: now }] : row.seenAt > now - aliveMs ? [row] : []));
  };
  return {
    clock,
    nodes,
    seenAt: () => (shared ? (view.nodes.find(({ id }) => id === self.id)?.seenAt ?? 0) : null),
    workers: () => Math.max(1, nodes().filter(({ role }) => role !== "gateway").length),
    fact: (name) => view.facts[name] ?? null,
    async setFact(name, value) {
      await store.setFact({ name, value, ifAbsent: false, now: clock() });
      await beat();
      bulletin.post("config", name);
    },
    async join() {
      await beat();
      if (shared) timer = setInterval(() => void beatQuietly(), beatMs);
    },
    async leave() {
      clearInterval(timer);
      await store.leave({ id: self.id }).catch(() => undefined);
    },
  };
}
