import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createAdminLock, makeAdminKey } from "./config/admin-key.ts";
import { createCatalog, type LiveCatalog } from "./config/catalog.ts";
import { watchConfig, type Config } from "./config/config.ts";
import { httpSettings } from "./config/http-settings.ts";
import { removeRunFile, writeRunFile } from "./config/run-file.ts";
import { createKeyRing, hashKey, sameHash } from "./core/accounts.ts";
import { createAdvance } from "./core/advance.ts";
import { createCallbacks } from "./core/callbacks.ts";
import { createDeferred, type DeferredNeeds } from "./core/deferred.ts";
import { createTaskEvents } from "./core/events.ts";
import { makeStarter } from "./core/first-start.ts";
import type { Clock, Log, MediaStore, Store } from "./core/ports.ts";
import { readiness } from "./core/readiness.ts";
import { builtIn, deferredCalls } from "./core/routing.ts";
import { createUpkeep, type Upkeep } from "./core/upkeep.ts";
import { createWorkInHand } from "./core/work-in-hand.ts";
import { withBridges } from "./dialects/bridged.ts";
import { withImageTasks } from "./dialects/image-tasks.ts";
import { createDispatcher, type Dispatcher } from "./dispatch/dispatcher.ts";
import { createPaceBook } from "./dispatch/pace-book.ts";
import { createEngines } from "./engines/engines.ts";
import { buildApp } from "./http/app.ts";
import { assetUrls } from "./http/asset-url.ts";
import { isLoopbackName } from "./http/auth.ts";
import { createCallsUnderWay } from "./http/calls/calls-under-way.ts";
import { createLimits } from "./http/limits.ts";
import { createMetrics, type Metrics } from "./http/metrics.ts";
import { createReplyShelf } from "./http/calls/reply-shelf.ts";
import type { HttpSettings, Services } from "./http/services.ts";
import { dialectRecord } from "./http/task-record.ts";
import { parseCidrs, type AddressSet } from "./kit/address.ts";
import { randomText } from "./kit/ids.ts";
import { openSecrets, type Secrets } from "./kit/secrets.ts";
import { createDiskMedia } from "./media/disk.ts";
import { createS3Media } from "./media/s3.ts";
import { createSigner } from "./media/sign.ts";
import { mediaWork } from "./main/media-work.ts";
import { callbackBase, checkUrl, mediaFetcher } from "./main/outside.ts";
import { adapters } from "./providers/index.ts";
import { createLocalProvider } from "./providers/local/local.ts";
import { openPostgresStore } from "./store/postgres.ts";
import { openSqliteStore } from "./store/sqlite.ts";
import { createDeliverer } from "./webhooks/deliver.ts";
import { createWebhookSecret } from "./webhooks/sign.ts";
import { createWork } from "./main/work.ts";

export type GatewayOptions = {
  config: Config;
  log: Log;
  version: string;
  /** Reads the configuration anew after the file changed. */
  reload?: () => Config;
  clock?: Clock;
};

export type Gateway = {
  url: string;
  /** What was made at this first start, to be shown once. */
  firstKey: string | null;
  adminKey: string | null;
  /** Takes no more, hands over what runs, and ends within ten seconds. */
  close(): Promise<void>;
};

type Live = { config: Config; settings: HttpSettings; allow: AddressSet };

/** What most rooms are handed. */
type Ground = {
  /** What follows from the configuration in force. */
  live: Live & { url: string };
  store: Store;
  media: MediaStore;
  secrets: Secrets;
  catalog: LiveCatalog;
  metrics: Metrics;
  clock: Clock;
  log: Log;
};

const leaseMs = 30_000;
const drainMs = 6_000;
const deferredAtOnce = 32;
const workingBytes = 1.5 * 1024 ** 3;

/** Puts the rooms together and starts serving. */
export async function createGateway({ config, log, version, reload, clock = Date.now }: GatewayOptions): Promise<Gateway> {
  const { dataDir } = config;
  const store = config.storeUrl === null ? await openSqliteStore(dataDir) : await openPostgresStore(config.storeUrl);
  const admin = createAdminLock(dataDir, config.adminKey);
  const adminKey = admin.exists() ? null : makeAdminKey(dataDir);
  const starter = config.mode === "local" ? await makeStarter(store, clock) : null;
  const workDir = join(dataDir, "work");
  const concurrent = Math.max(1, Math.floor(availableParallelism() / 2));
  // What an earlier process left half-made; the work itself begins again.
  await rm(workDir, { recursive: true, force: true });
  const engines = createEngines({ workDir, concurrency: concurrent, memoryLimitBytes: { text: textMemory(config.local.gguf) } });
  const live = { ...readLive(config), url: "" };
  const modelPath = () => live.config.local.gguf;
  const local = createLocalProvider({ engines, workDir, cacheDir: join(dataDir, "models"), modelPath });
  // Calls for which nobody waits are asked of whom the catalog holds, and are themselves in it.
  const deferred = Promise.withResolvers<DeferredNeeds>();
  const builtIns = {
    [builtIn]: { provider: local, concurrent },
    [deferredCalls]: { provider: createDeferred(deferred.promise), concurrent: deferredAtOnce },
  };
  const catalog = createCatalog(config, adapters, builtIns, (provider) => withImageTasks(withBridges(provider)));
  const media = config.mediaTarget === null ? createDiskMedia(join(dataDir, "media")) : createS3Media(config.mediaTarget);
  const ground: Ground = { live, store, media, secrets: openSecrets(dataDir), catalog, metrics: createMetrics(store), clock, log };

  const token = randomText(48);
  const tokenHash = hashKey(token);
  const isAdminKey = async (text: string) => sameHash(hashKey(text), tokenHash) || admin.opensFor(text);
  const closing = new AbortController();
  const { services, dispatcher, upkeep } = furnish(ground, version, isAdminKey, closing.signal, deferred.resolve);
  const app = await buildApp(services, { trustProxy: config.server.trustProxy, observe: ground.metrics.countRequest });
  const end = async () => {
    await app.server.close();
    await engines.close();
    await store.close();
  };
  await upkeep.plan();
  await app.server.listen({ host: config.host, port: config.port }).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  live.url = urlOf(config.host, app.server.server.address());
  dispatcher.start();
  writeRunFile(dataDir, { pid: process.pid, url: live.url, token });
  const watch = reload === undefined ? null : watchFile(ground, reload);

  return {
    url: live.url,
    firstKey: starter?.key ?? null,
    adminKey,
    async close() {
      app.drain();
      closing.abort();
      watch?.close();
      removeRunFile(dataDir);
      await Promise.all([dispatcher.stop(drainMs), services.underWay.drain(drainMs)]);
      await end();
    },
  };
}

/** The rooms that work, each with what it needs of the others. */
function furnish(
  ground: Ground,
  version: string,
  isAdminKey: Services["isAdminKey"],
  closing: AbortSignal,
  tellDeferred: (needs: DeferredNeeds) => void,
): { services: Services; dispatcher: Dispatcher; upkeep: Upkeep } {
  const { live, store, media, secrets, catalog, metrics, clock, log } = ground;
  const events = createTaskEvents();
  const inHand = createWorkInHand();
  const paces = createPaceBook(catalog);
  const fetchMedia = mediaFetcher(
    () => live.allow,
    () => live.config.providers,
  );
  const wake = () => dispatcher.wake();
  const observers = { observe: metrics.countCall, observeRefusal: metrics.countRefusal };
  const { tasks, calls, deferred } = createWork({ ...ground, ...observers, config: () => live.config, events, inHand, wake });
  tellDeferred(deferred);
  const callbacks = createCallbacks({
    ...ground,
    key: secrets.derive("callbacks"),
    baseUrl: (provider) => callbackBase(live.config, live.url, catalog.provider(provider)),
    wake,
  });
  const shared = { store, catalog, events, inHand, log, media, fetchMedia, clock, leaseMs };
  const advance = createAdvance({
    ...shared,
    ...mediaWork(shared),
    assetRetentionMs: () => live.config.assets.retentionMs,
    paceOf: paces.paceOf,
    learn: paces.learn,
    callbackFor: callbacks.addressFor,
    wake,
  });
  const upkeep = createUpkeep({ store, media, clock, log, taskRetentionMs: () => live.config.tasks.retentionMs });
  const signer = createSigner(secrets.derive("assets"));
  const services: Services = {
    ...shared,
    tasks,
    calls,
    callbacks,
    limits: createLimits(() => live.config.limits),
    underWay: createCallsUnderWay(),
    shelf: createReplyShelf({ cache: () => live.config.calls.cache, clock }),
    version,
    isAdminKey,
    closing,
    keyRing: createKeyRing(store, clock),
    settings: () => live.settings,
    boundUrl: () => live.url,
    signAsset: signer.sign,
    verifyAsset: signer.verify,
    checkUrl: (text, param) => checkUrl(text, param, live.allow),
    makeHookSecret() {
      const text = createWebhookSecret();
      return { text, sealed: secrets.seal(text, "webhook") };
    },
    inNetworks: (ip, networks) => parseCidrs(networks).has(ip),
    readiness: () => readiness({ ...ground, lastAudit: upkeep.lastAudit, lastTickAt: dispatcher.lastTickAt, tellBooks: metrics.books }),
    async metrics() {
      await services.readiness();
      return metrics.expose();
    },
  };
  const webhook = delivererOf(ground, services);
  const chores = { ...upkeep.chores, webhook };
  const dispatcher = createDispatcher({ ...shared, advance, paces, chores, observeLag: metrics.observePollLag });
  return { services, dispatcher, upkeep };
}

function delivererOf({ live, store, secrets, clock }: Ground, services: Services): ReturnType<typeof createDeliverer> {
  return createDeliverer({
    store,
    clock,
    random: Math.random,
    allow: () => live.allow,
    seal: (text) => secrets.seal(text, "webhook"),
    open: (sealed) => secrets.open(sealed, "webhook"),
    render: async (task, at) => {
      const account = await store.account({ idOrName: task.account });
      if (account === null) throw new Error(`the account of task ${task.id} is gone`);
      return dialectRecord(task, account, assetUrls(services, live.config.server.publicUrl ?? live.url, at));
    },
  });
}

function readLive(config: Config): Live {
  return { config, settings: httpSettings(config), allow: parseCidrs(config.outboundAllow) };
}

function watchFile({ live, catalog, log }: Ground, reload: () => Config): { close(): void } {
  return watchConfig(reload, {
    current: live.config,
    onChange(changed, needsRestart) {
      Object.assign(live, readLive(changed));
      catalog.replace(changed);
      log.info({ needsRestart }, "the configuration was read anew");
    },
    onRefused: (says) => log.error({ says }, "the changed configuration was refused; the old one stays"),
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
