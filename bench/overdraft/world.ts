import type { ChargeRequest } from "../../src/core/records.ts";
import type { NewsText } from "../../src/store/news.ts";
import type { VerbName } from "../../src/store/verbs.ts";
import { createRandom, type Random } from "../fleet/random.ts";
import type { Plan } from "./plan.ts";
import type { SharedDatabase } from "./shared-database.ts";
import { createTimeline, type Timeline } from "./timeline.ts";

/** What all nodes of a run have in common, and what an observer above them knows. */
export type World = {
  timeline: Timeline;
  random: Random;
  latencyMs: number;
  database: SharedDatabase;
  commit(node: string, verb: VerbName, items: unknown[], again: boolean): Promise<{ replies: unknown[]; news: NewsText }>;
  /** By the observer's own count: what was committed, how many calls were to be paid, and how many were told that they are. */
  charged: { calls: number; costNanos: number; asked: number; told: number };
  commits: number;
  /** For how long a request was refused at most while there was money for it. */
  longestWaitMs: number;
  /** Something happened after which we may have to bear a cost. */
  excuse(why: string): void;
  excuses: Set<string>;
  /** Notes what happens, for whoever wants to read it. */
  tell(says: string): void;
  trace: string[];
  violate(says: string): void;
  violation: string | null;
};

export function createWorld(plan: Plan, database: SharedDatabase, isTold: boolean): World {
  const timeline = createTimeline();
  const random = createRandom(plan.seed ^ 0x5bd1e995);
  const world: World = {
    timeline,
    random,
    latencyMs: plan.latencyMs,
    database,
    charged: { calls: 0, costNanos: 0, asked: 0, told: 0 },
    commits: 0,
    longestWaitMs: 0,
    excuses: new Set(),
    excuse: (why) => void world.excuses.add(why),
    trace: [],
    tell: (says) => void (isTold && world.trace.push(`${(timeline.now() / 1_000).toFixed(3).padStart(8)} ${says}`)),
    violation: null,
    violate(says) {
      world.tell(`VIOLATION ${says}`);
      world.violation ??= says;
    },
    async commit(node, verb, items, again) {
      try {
        const done = await database.commit(verb, items, again);
        world.commits++;
        if (verb === "charge") count(world, items as ChargeRequest[]);
        if (isTold)
          world.tell(`${node} ${verb}${again ? " again" : ""} ${JSON.stringify(brief(items))} → ${JSON.stringify(brief(done.replies))}`);
        return done;
      } catch (error) {
        world.violate(`${verb} threw ${String(error)} for ${JSON.stringify(items)}`);
        throw error;
      }
    },
  };
  return world;
}

function count({ charged }: World, requests: readonly ChargeRequest[]): void {
  for (const { calls, costNanos } of requests) {
    charged.calls += calls;
    charged.costNanos += costNanos;
  }
}

const telling = new Set(["account", "epoch", "needNanos", "extraNanos", "nanos", "costNanos", "lease", "node", "outcome", "taskId"]);
const tellingToo = new Set(["grantedNanos", "leasedNanos", "freeNanos", "status", "task", "id", "holdNanos", "calls"]);

/** The fields that matter to whoever reads a trace. */
function brief(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(brief);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => telling.has(name) || tellingToo.has(name));
  return Object.fromEntries(entries.map(([name, inner]) => [name.replace("Nanos", ""), brief(inner)]));
}
