import type { Config } from "../config/config.ts";
import { createFleetTally } from "../core/fleet-tally.ts";
import type { Clock, Log, Store } from "../core/ports.ts";
import { createTally, type Tally } from "../core/tally.ts";
import { createLimits, type Limits } from "../http/limits.ts";
import { createTallyCounts } from "../http/limits/key-counts.ts";
import { createRedisCounts } from "../http/limits/redis-counts.ts";
import { openRedis } from "../http/limits/redis-link.ts";
import type { Metrics } from "../http/metrics.ts";
import { uuidv7 } from "../kit/ids.ts";

type SharedLimitsNeeds = {
  config: () => Config;
  store: Store;
  node: string;
  clock: Clock;
  log: Log;
  metrics: Pick<Metrics, "limitsShared">;
};

/** What is counted to keep limits, and those of keys; `close` says goodbye to the other nodes. */
export type SharedLimits = { limits: Limits; tally: Tally; close(): Promise<void> };

/** Counts as the configuration wants it: in Redis, through PostgreSQL, or here alone. */
export function createSharedLimits(needs: SharedLimitsNeeds): SharedLimits {
  const { config, store, clock } = needs;
  const { storeUrl, redisUrl } = config();
  const fleet =
    storeUrl === null ? null : createFleetTally({ store, clock, node: needs.node, tellContact: contactTeller(needs, "PostgreSQL") });
  const tally = fleet ?? createTally(clock);
  const redis = redisUrl === null ? null : createRedisCounts(openRedis(redisUrl, contactTeller(needs, "Redis")), tally, uuidv7);
  return {
    limits: createLimits(() => config().limits, redis ?? createTallyCounts(tally)),
    tally,
    async close() {
      redis?.close();
      await fleet?.close();
    },
  };
}

/** Tells the log and the metrics of each change, and of what never changes nothing. */
function contactTeller({ log, metrics }: SharedLimitsNeeds, by: "PostgreSQL" | "Redis"): (isThere: boolean, cause?: unknown) => void {
  let known: boolean | null = null;
  return (isThere, cause) => {
    if (isThere === known) return;
    metrics.limitsShared(by, isThere);
    if (!isThere) log.warn({ by, cause: cause instanceof Error ? (cause.cause ?? cause.message) : cause }, "limits are not shared");
    else if (known !== null) log.info({ by }, "limits are shared again");
    known = isThere;
  };
}
