import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createAdminLock, makeAdminKey } from "./config/admin-key.ts";
import { watchConfig, type Config } from "./config/config.ts";
import { removeRunFile, writeRunFile } from "./config/run-file.ts";
import { hashKey, sameHash } from "./core/accounts.ts";
import { createDeferred, type DeferredNeeds } from "./core/deferred.ts";
import { makeStarter } from "./core/first-start.ts";
import type { Clock, Log } from "./core/ports.ts";
import { builtIn, deferredCalls } from "./core/routing.ts";
import { createEngines } from "./engines/engines.ts";
import { buildApp } from "./http/app.ts";
import { isLoopbackName } from "./http/auth.ts";
import type { ConsoleFiles } from "./http/console/pages.ts";
import type { Services } from "./http/services.ts";
import { randomText } from "./kit/ids.ts";
import { furnish } from "./main/furnish.ts";
import { openGround, readLive, type Ground } from "./main/ground.ts";
import { createLocalProvider } from "./providers/local/local.ts";

export type GatewayOptions = {
  config: Config;
  log: Log;
  version: string;
  /** Reads the configuration anew after the file changed. */
  reload?: () => Config;
  clock?: Clock;
  /** The web console, where it is to be served. */
  console?: ConsoleFiles | null;
  /** Where this process is one of several on the data folder. */
  place?: Place;
};

/** What whoever starts several processes gives to each; the run file is then theirs to write. */
export type Place = {
  /** Its own among those that run. */
  number: number;
  /** Opens each of them for the command line. */
  token: string;
  /** The figures of all of them. */
  gatherMetrics: Services["metrics"];
};

export type Gateway = {
  url: string;
  /** What was made at this first start, to be shown once. */
  firstKey: string | null;
  adminKey: string | null;
  /** The figures of this process alone. */
  metrics: Services["metrics"];
  /** Takes no more connections and ends each of those it has with its next reply; resolves when the last one is gone. */
  leave(): Promise<void>;
  /** Takes no more, hands over what runs, and ends within ten seconds. */
  close(): Promise<void>;
};

const drainMs = 6_000;
// Time for whoever spreads requests over nodes to see that this one is leaving.
const farewellMs = 1_500;
const deferredAtOnce = 32;
const workingBytes = 1.5 * 1024 ** 3;

/** Puts the rooms together and starts serving. */
export async function createGateway({ config, log, version, reload, clock, place, console = null }: GatewayOptions): Promise<Gateway> {
  const { dataDir, role } = config;
  const workDir = join(dataDir, "work", place === undefined ? "" : String(place.number));
  // What an earlier process left half-made; the work itself begins again.
  await rm(workDir, { recursive: true, force: true });
  const concurrent = Math.max(1, Math.floor(availableParallelism() / 2));
  const engines = createEngines({ workDir, concurrency: concurrent, memoryLimitBytes: { text: textMemory(config.local.gguf) } });
  let modelPath = () => config.local.gguf;
  const local = createLocalProvider({ engines, workDir, cacheDir: join(dataDir, "models"), modelPath: () => modelPath() });
  const deferred = Promise.withResolvers<DeferredNeeds>();
  const builtIns = {
    [builtIn]: { provider: local, concurrent },
    [deferredCalls]: { provider: createDeferred(deferred.promise), concurrent: deferredAtOnce },
  };
  const ground = await openGround({ config, log, version, builtIns, ...(clock && { clock }), ...(place && { number: place.number }) });
  const { live, store } = ground;
  modelPath = () => live.config.local.gguf;

  const admin = createAdminLock(dataDir, config.adminKey);
  const adminKey = admin.exists() ? null : makeAdminKey(dataDir);
  const starter = config.mode === "local" ? await makeStarter(store, ground.clock) : null;
  const token = place?.token ?? randomText(48);
  const tokenHash = hashKey(token);
  const isAdminKey = async (text: string) => sameHash(hashKey(text), tokenHash) || admin.opensFor(text);
  const closing = new AbortController();
  const { services, dispatcher, upkeep, close } = furnish({
    ground,
    version,
    isAdminKey,
    adminMark: admin.mark,
    closing: closing.signal,
    tellDeferred: deferred.resolve,
  });
  const { metrics } = services;
  if (place !== undefined) services.metrics = place.gatherMetrics;
  const app = await buildApp(services, { trustProxy: config.server.trustProxy, role, console, observe: ground.metrics.countRequest });
  const end = async () => {
    await app.close();
    await engines.close();
    await close();
    await store.close();
  };
  await upkeep.plan();
  await app.server.listen({ host: config.host, port: config.port }).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  live.url = urlOf(config.host, app.server.server.address());
  if (role !== "gateway") dispatcher.start();
  if (place === undefined) writeRunFile(dataDir, { pid: process.pid, url: live.url, token });
  const watch = reload === undefined ? null : watchFile(ground, reload);

  return {
    url: live.url,
    firstKey: starter?.key ?? null,
    adminKey,
    metrics,
    leave: app.leave,
    async close() {
      app.turnAway();
      if (config.storeUrl !== null && ground.fleet.nodes().length > 1) await sleep(farewellMs);
      app.drain();
      closing.abort();
      watch?.close();
      if (place === undefined) removeRunFile(dataDir);
      await Promise.all([dispatcher.stop(drainMs), services.underWay.drain(drainMs)]);
      await end();
    },
  };
}

function watchFile({ live, catalog, clock, log }: Ground, reload: () => Config): { close(): void } {
  return watchConfig(reload, {
    current: live.config,
    onChange(changed, needsRestart) {
      Object.assign(live, readLive(changed), { loadedAt: clock(), refused: null });
      catalog.replace(changed);
      log.info({ needsRestart }, "the configuration was read anew");
    },
    onRefused(says) {
      live.refused = { at: clock(), says };
      log.error({ says }, "the changed configuration was refused; the old one stays");
    },
    onSame() {
      live.refused = null;
    },
  });
}

/** A language model lies in memory whole, beside what it works with. */
function textMemory(gguf: string | null): number {
  return workingBytes + (gguf === null ? 0 : (statSync(gguf, { throwIfNoEntry: false })?.size ?? 0));
}

function urlOf(host: string, address: string | AddressInfo | null): string {
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const name = isLoopbackName(host) && !host.includes(":") ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
