import { hostname } from "node:os";
import { join } from "node:path";
import type { BuiltIns, LiveCatalog } from "../config/catalog.ts";
import { createCatalog } from "../config/catalog.ts";
import type { Config } from "../config/config.ts";
import { httpSettings } from "../config/http-settings.ts";
import { createFleet, type Fleet } from "../core/fleet.ts";
import { noBulletin, type Bulletin, type Clock, type Log, type MediaStore, type Store } from "../core/ports.ts";
import { withBridges } from "../dialects/bridged.ts";
import { withImageTasks } from "../dialects/image-tasks.ts";
import { createMetrics, type Metrics } from "../http/metrics.ts";
import type { HttpSettings } from "../http/services.ts";
import { parseCidrs, type AddressSet } from "../kit/address.ts";
import { uuidv7 } from "../kit/ids.ts";
import { openSecrets, type Secrets } from "../kit/secrets.ts";
import { createDiskMedia } from "../media/disk.ts";
import { createS3Media } from "../media/s3.ts";
import { adapters } from "../providers/index.ts";
import { openPostgresBulletin } from "../store/postgres-bulletin.ts";
import { openPostgresStore } from "../store/postgres.ts";
import { openSqliteStore } from "../store/sqlite.ts";

export type Live = { config: Config; settings: HttpSettings; allow: AddressSet };

type Refused = { at: number; says: string };

/** What most rooms are handed. */
export type Ground = {
  /** What follows from the configuration in force. */
  live: Live & { url: string; loadedAt: number; /** The latest change of the file, where it was not taken. */ refused: Refused | null };
  /** This process among those that share its database. */
  node: string;
  store: Store;
  bulletin: Bulletin;
  fleet: Fleet;
  media: MediaStore;
  secrets: Secrets;
  catalog: LiveCatalog;
  metrics: Metrics;
  clock: Clock;
  log: Log;
};

type GroundNeeds = { config: Config; log: Log; version: string; clock?: Clock; number?: number; builtIns: BuiltIns };

/** Opens what everything stands on: the store and its fleet, media, secrets, catalog. */
export async function openGround({ config, log, version, clock, number, builtIns }: GroundNeeds): Promise<Ground> {
  const { dataDir, storeUrl, mediaTarget, role } = config;
  const node = uuidv7();
  const secrets = openSecrets(dataDir);
  const store =
    storeUrl === null
      ? await openSqliteStore(dataDir)
      : await openPostgresStore(
          storeUrl,
          once(() => log.warn({}, "the database does not answer yet")),
        );
  const bulletin = storeUrl === null ? noBulletin : openPostgresBulletin(storeUrl, node);
  const name = number === undefined ? hostname() : `${hostname()}/${number}`;
  const self = { id: node, name, role, version };
  // A clock that was given is the one to go by.
  const shared = storeUrl !== null && clock === undefined;
  const fleet = createFleet({ store, bulletin, log, machineClock: clock ?? Date.now, shared, self });
  try {
    await fleet.join();
    if (storeUrl !== null) await agreeOnMasterKey(store, secrets, fleet.clock());
    const isOff = (provider: string) => fleet.fact(offFact(provider)) === "yes";
    const catalog = createCatalog(config, adapters, builtIns, (provider) => withImageTasks(withBridges(provider)), isOff);
    const media = mediaTarget === null ? createDiskMedia(join(dataDir, "media")) : createS3Media(mediaTarget);
    const live = { ...readLive(config), url: "", loadedAt: fleet.clock(), refused: null };
    const metrics = createMetrics({ ...fleet, node, store, bulletin, catalog, ...(number !== undefined && { number }) });
    return { live, node, store, bulletin, fleet, media, secrets, catalog, metrics, clock: fleet.clock, log };
  } catch (error) {
    await fleet.leave();
    await bulletin.close();
    await store.close();
    throw error;
  }
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}

export function readLive(config: Config): Live {
  return { config, settings: httpSettings(config), allow: parseCidrs(config.outboundAllow) };
}

/** What says that a provider is switched off for now. */
export function offFact(provider: string): string {
  return `off ${provider}`;
}

/** What one node seals the others must open, and addresses that one signs the others must honour. */
async function agreeOnMasterKey(store: Store, secrets: Secrets, now: number): Promise<void> {
  const own = secrets.derive("fleet").toString("hex").slice(0, 16);
  const known = await store.setFact({ name: "master key", value: own, ifAbsent: true, now });
  if (known === own) return;
  throw new Error(
    "This node has another master key than those that share its database: set GENWAY_MASTER_KEY to the same on all of them, " +
      "or copy master.key from the data folder of the first",
  );
}
