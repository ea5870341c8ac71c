import { processorMicros, readProcessor } from "../gateways/process-tree.ts";
import type { Cluster, RedisServer } from "./servers.ts";

/** What something cost; NaN where the system does not tell. */
export type Spent = { seconds: number; databaseUs: number; redisUs: number; processUs: number; walBytes: number };

/** Runs something and adds up what the servers and this process spent meanwhile. */
export async function spend({ cluster, redis }: { cluster: Cluster; redis: RedisServer | null }, act: () => Promise<void>): Promise<Spent> {
  const wal = await cluster.walBytes();
  const before = { database: readProcessor(cluster.pid), redis: redis && readProcessor(redis.pid), own: process.cpuUsage() };
  const began = performance.now();
  await act();
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(before.own);
  return {
    seconds,
    databaseUs: processorMicros(before.database, readProcessor(cluster.pid)),
    redisUs: redis === null || before.redis === null ? 0 : processorMicros(before.redis, readProcessor(redis.pid)),
    processUs: user + system,
    walBytes: (await cluster.walBytes()) - wal,
  };
}
