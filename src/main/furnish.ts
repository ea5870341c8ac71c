import { setTimeout as sleep } from "node:timers/promises";
import { createKeyRing } from "../core/accounts.ts";
import { createAdvance } from "../core/advance.ts";
import { createCallbacks } from "../core/callbacks.ts";
import type { DeferredNeeds } from "../core/deferred.ts";
import { createTaskEvents, type TaskEvents } from "../core/events.ts";
import { createPulse } from "../core/pulse.ts";
import { readiness } from "../core/readiness.ts";
import { isFinal } from "../core/task.ts";
import { createUpkeep, type Upkeep } from "../core/upkeep.ts";
import { createWorkInHand, type WorkInHand } from "../core/work-in-hand.ts";
import { createDispatcher, type Dispatcher } from "../dispatch/dispatcher.ts";
import { createPaceBook } from "../dispatch/pace-book.ts";
import { alertRecord } from "../http/alerts.ts";
import { assetUrls } from "../http/asset-url.ts";
import { createCallsUnderWay } from "../http/calls/calls-under-way.ts";
import { createReplyShelf } from "../http/calls/reply-shelf.ts";
import type { Sealer } from "../http/console/sealed-cookie.ts";
import { createSessions } from "../http/console/sessions.ts";
import type { Services } from "../http/services.ts";
import { dialectRecord } from "../http/task-record.ts";
import { parseCidrs } from "../kit/address.ts";
import { createSigner } from "../media/sign.ts";
import { createDeliverer } from "../webhooks/deliver.ts";
import { createWebhookSecret } from "../webhooks/sign.ts";
import { offFact, type Ground } from "./ground.ts";
import { createSharedLimits } from "./limits.ts";
import { mediaWork } from "./media-work.ts";
import { createOperating } from "./operating.ts";
import { callbackBase, checkUrl, mediaFetcher } from "./outside.ts";
import { createWork } from "./work.ts";

type FurnishNeeds = {
  ground: Ground;
  version: string;
  isAdminKey: Services["isAdminKey"];
  adminMark: Services["adminMark"];
  closing: AbortSignal;
  /** Calls for which nobody waits are asked of whom the catalog holds, and are themselves in it. */
  tellDeferred: (needs: DeferredNeeds) => void;
};

/** The rooms at work; `close` gives back what this node shares with others. */
export type Furnished = { services: Services; dispatcher: Dispatcher; upkeep: Upkeep; close(): Promise<void> };

// A node that dies is missed for so long by the tasks it had in hand.
const leaseMs = 10_000;
const lookAgainMs = 5_000;
const checkMs = 500;
const pulseMs = 5_000;
// How many nodes look at once when one tells of work.
const woken = 4;

/** The rooms that work, each with what it needs of the others. */
export function furnish({ ground, version, isAdminKey, adminMark, closing, tellDeferred }: FurnishNeeds): Furnished {
  const { live, store, bulletin, fleet, media, secrets, catalog, metrics, clock, log } = ground;
  const config = () => live.config;
  const events = createTaskEvents(store, bulletin);
  const pulse = createPulse(ground);
  const pulseTimer = setInterval(() => void pulse.flush(), pulseMs);
  const inHand = createWorkInHand();
  const paces = createPaceBook(catalog);
  const fetchMedia = mediaFetcher(
    () => live.allow,
    () => live.config.providers,
  );
  const wake = () => {
    dispatcher.wake();
    bulletin.post("work", "");
  };
  const observers = { observe: metrics.countCall, observeRefusal: metrics.countRefusal, observePurse: metrics.countPurse };
  const { limits, tally, close: closeLimits } = createSharedLimits({ ...ground, config });
  const { tasks, calls, deferred, closePurse } = createWork({ ...ground, ...observers, tally, config, events, pulse, inHand, wake });
  tellDeferred(deferred);
  const callbacks = createCallbacks({
    ...ground,
    key: secrets.derive("callbacks"),
    baseUrl: (provider) => callbackBase(live.config, live.url, catalog.provider(provider)),
    wake,
  });
  const shared = { store, catalog, events, pulse, inHand, log, media, fetchMedia, clock, leaseMs };
  const advance = createAdvance({
    ...shared,
    ...mediaWork(shared),
    assetRetentionMs: () => live.config.assets.retentionMs,
    paceOf: paces.paceOf,
    learn: paces.learn,
    callbackFor: callbacks.addressFor,
    breaker: deferred.breaker,
    wake,
  });
  const upkeep = createUpkeep({
    ...ground,
    breaker: deferred.breaker,
    wake,
    taskRetentionMs: () => live.config.tasks.retentionMs,
    showAlert: alertRecord,
    observeAlert: metrics.countAlert,
  });
  const sealer: Sealer = {
    sealCookie: (text) => secrets.seal(text, "cookie"),
    openCookie: (sealed) => secrets.open(sealed, "cookie"),
  };
  const signer = createSigner(secrets.derive("assets"));
  const services: Services = {
    ...shared,
    tasks,
    calls,
    callbacks,
    limits,
    underWay: createCallsUnderWay(),
    shelf: createReplyShelf({
      ...ground,
      alone: live.config.storeUrl === null,
      cache: () => config().calls.cache,
      deadlineMs: () => config().calls.deadlineMs,
    }),
    version,
    isAdminKey,
    adminMark,
    ...sealer,
    sessions: createSessions({ clock, sealer, adminMark }),
    closing,
    keyRing: createKeyRing(store, clock, bulletin),
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
    operating: createOperating({ ...deferred, ground, lastTickAt: () => dispatcher.lastTickAt() }),
    nodes: fleet.nodes,
    switchProvider: (name, off) => fleet.setFact(offFact(name), off ? "yes" : "no"),
    async readiness() {
      const found = await readiness({
        ...ground,
        lastAudit: upkeep.lastAudit,
        lastTickAt: config().role === "gateway" ? null : dispatcher.lastTickAt,
        tellBooks: metrics.books,
      });
      metrics.checks(found.checks);
      return found;
    },
    async metrics() {
      // What takes long to check is told the next time.
      await Promise.race([services.readiness(), sleep(checkMs, null, { ref: false })]);
      return metrics.expose();
    },
  };
  // A look at a database that others share costs them something too, and they say when there is work.
  const longestRestMs = live.config.storeUrl === null ? 100 : 400;
  const chores = { ...upkeep.chores, webhook: delivererOf(ground, services) };
  const dispatcher = createDispatcher({
    ...shared,
    advance,
    paces,
    chores,
    workers: fleet.workers,
    longestRestMs,
    observeLag: metrics.observePollLag,
    observeLook: metrics.countLook,
    observeChore: metrics.countChore,
  });
  const stopHearing = hearOthers(ground, dispatcher, inHand, events);
  return {
    services,
    dispatcher,
    upkeep,
    async close() {
      stopHearing();
      clearInterval(pulseTimer);
      // Twice: one that is under way knows nothing of what was counted since it began.
      await pulse.flush();
      await pulse.flush();
      await Promise.all([closePurse(), closeLimits()]);
      await fleet.leave();
      await bulletin.close();
    },
  };
}

/** What other nodes' words mean to the work here. */
function hearOthers(
  { live, store, bulletin, fleet, log }: Ground,
  dispatcher: Dispatcher,
  inHand: WorkInHand,
  events: TaskEvents,
): () => void {
  const { role, storeUrl } = live.config;
  async function stopIfEnded(id: string): Promise<void> {
    const task = await store.task({ id, account: null });
    if (!inHand.has(id) || (task !== null && !isFinal(task.status))) return;
    log.info({ task: id }, "work was cut off: it was ended at another node");
    inHand.stop(id, "it was ended at another node");
  }
  // A few, and not at the same moment: the first to look takes what there is, and in a large fleet somebody always looks.
  const hearOfWork = () => {
    const workers = fleet.workers();
    if (Math.random() * workers < woken) setTimeout(dispatcher.wake, Math.random() * 5 * Math.min(workers, woken)).unref();
  };
  if (role !== "gateway") bulletin.hear("work", hearOfWork);
  bulletin.hear("task", (id) => {
    if (!inHand.has(id)) return;
    void stopIfEnded(id).catch(() => undefined);
  });
  if (storeUrl === null) return () => undefined;
  const timer = setInterval(() => void events.lookAgain(), lookAgainMs);
  return () => clearInterval(timer);
}

function delivererOf({ live, store, secrets, metrics, clock }: Ground, services: Services): ReturnType<typeof createDeliverer> {
  return createDeliverer({
    store,
    clock,
    random: Math.random,
    observe: metrics.countDelivery,
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
