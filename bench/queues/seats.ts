import type { Engine, Kind, Place } from "./engine-port.ts";
import { openEngine } from "./engine.ts";
import { startCluster, startRedis, type Cluster, type Fsync, type RedisServer } from "./servers.ts";

/** An engine at its own servers: a column of the tables. */
export type Seat = { title: string; kind: Kind; place: Place; cluster: Cluster; redis: RedisServer | null; engine: Engine };

const columns: { title: string; kind: Kind; fsync?: Fsync }[] = [
  { title: "Genway", kind: "genway" },
  { title: "pg-boss, retried", kind: "pg-boss" },
  { title: "pg-boss, sent again", kind: "pg-boss-resend" },
  { title: "BullMQ, always", kind: "bullmq", fsync: "always" },
  { title: "BullMQ, everysec", kind: "bullmq", fsync: "everysec" },
  { title: "rows alone", kind: "bare" },
];

/** Starts the servers and engines that this machine has, or those of them that are wanted; empty without PostgreSQL. */
export async function openSeats(wanted?: readonly string[]): Promise<Seat[]> {
  const seats: Seat[] = [];
  for (const { title, kind, fsync } of columns) {
    if (wanted?.includes(title) === false) continue;
    const redis = fsync === undefined ? null : await startRedis(fsync);
    if (fsync !== undefined && redis === null) continue;
    const cluster = await startCluster();
    if (cluster === null) return [];
    const place = { databaseUrl: cluster.url, redisPort: redis?.port ?? null, prefix: "bench" };
    seats.push({ title, kind, place, cluster, redis, engine: await openEngine(kind, place) });
  }
  return seats;
}

/** A place beside: another database of the same server, and other keys. */
export async function besides({ cluster, place }: Seat, name: string): Promise<Place> {
  return { ...place, databaseUrl: await cluster.createDatabase(name), prefix: name };
}

/** The seat of an engine, where its servers differ the one that costs least. */
export function seatOf(seats: readonly Seat[], kind: Kind): Seat | undefined {
  return seats.findLast((seat) => seat.kind === kind);
}

export async function closeSeats(seats: readonly Seat[]): Promise<void> {
  await Promise.all(
    seats.map(async ({ engine, cluster, redis }) => {
      await engine.close();
      await cluster.stop();
      await redis?.stop();
    }),
  );
}
