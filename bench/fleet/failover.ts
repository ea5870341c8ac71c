import { mostAttempts, nextWay, wayAfterFailure } from "../../src/core/next-way.ts";
import type { Attempt } from "../../src/core/records.ts";
import type { FailureClass } from "../../src/core/refusal.ts";
import { orderRoutes, type Catalog } from "../../src/core/routing.ts";
import { acceptedTask, type Task } from "../../src/core/task.ts";
import type { Random } from "./random.ts";
import { offers } from "./upstreams.ts";

/** Where tasks go, first and after a no, by the rules of the service itself. */
export type Failover = {
  /** The provider that a new task waits for. */
  first(offer: number, random: Random): string;
  /** The lane after a start that was refused, or after a job that failed; null where there is none. */
  next(id: number, offer: number, provider: string, why: FailureClass, wasAccepted: boolean): string | null;
  forget(id: number): void;
  mayTryAgain(attempt: number): boolean;
};

export function createFailover(catalog: Catalog): Failover {
  const tasks = offers.map(taskOf);
  const routes = offers.map(({ name, work }) => catalog.find(work.kind, name)?.routes ?? []);
  // Only what was refused once has a past worth keeping.
  const pasts = new Map<number, Attempt[]>();
  return {
    first: (offer, random) => orderRoutes(routes[offer] ?? [], random.unit)[0]?.provider ?? "",
    next(id, offer, provider, why, wasAccepted) {
      const task = tasks[offer];
      if (task === undefined) return null;
      const past = pasts.get(id) ?? [];
      const key = `key-${past.filter((attempt) => attempt.provider === provider).length}`;
      past.push(attemptOf(past.length + 1, provider, key, why, wasAccepted));
      pasts.set(id, past);
      const needs = { catalog, breaker: always };
      return (wasAccepted ? wayAfterFailure(needs, task, past, why) : nextWay(needs, task, past, why))?.lane ?? null;
    },
    forget: (id) => void pasts.delete(id),
    mayTryAgain: (attempt) => attempt < mostAttempts,
  };
}

/** Each task finds out for itself what upstreams are out. */
const always = { admits: () => "open" as const };

function attemptOf(n: number, provider: string, credential: string, failure: FailureClass, wasAccepted: boolean): Attempt {
  const state = wasAccepted ? "ENDED" : "REJECTED";
  return { n, provider, credential, model: "", state, upstreamId: null, keep: {}, acceptedAt: null, cause: null, failure };
}

function taskOf({ name, work }: (typeof offers)[number]): Task {
  const none = { id: "", account: "", price: {}, holdNanos: 0, songIds: [], createdAt: 0, deadlineAt: 0 };
  return acceptedTask({ ...work, ...none, dialect: "call", model: name });
}
