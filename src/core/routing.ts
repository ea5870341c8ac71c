import { callOperations, kindOfOperation } from "./call.ts";
import { taskKinds, type Kind, type TaskKind } from "./kinds.ts";
import type { KindLimits, Provider } from "./provider.ts";
import type { Credential } from "./refusal.ts";
import type { Price } from "./pricing.ts";

/** A provider of the configuration, ready for work. */
export type Installed = {
  name: string;
  provider: Provider;
  credentials: Credential[];
  limits: { concurrent: number; perMinute: number | null };
  /** What the operator allows of calls; null is no limit. */
  callLimits: { concurrent: number | null; perMinute: number | null };
  allowPrivateNetwork: boolean;
  /** Works inside this process: each node has slots of its own. */
  perNode: boolean;
  /** Switched off for now by an operator. */
  readonly off: boolean;
};

export type Route = { provider: string; model: string; priority: number; weight: number };
/** `limits` is what the operator knows of the model; it goes before what the adapter says. */
export type Model = { name: string; price: Price; routes: Route[]; maxOutputTokens: number | null; limits?: KindLimits };

/** The models and providers as they are configured now. */
export type Catalog = {
  find(kind: Kind, model: string): Model | null;
  /** What a client can ask for, for listings and messages. */
  list(): { name: string; kinds: string[]; price: Price }[];
  provider(name: string): Installed | null;
  providers(): Installed[];
};

/** The name of the built-in provider. */
export const builtIn = "local";

/** The name of the built-in provider of calls for which nobody waits. */
export const deferredCalls = "calls";

/** The queue that a provider's work of a kind waits in. */
export function laneOf({ name, provider }: Installed, kind: TaskKind): string {
  return provider.tasks?.lanes === "per-kind" ? `${name}:${kind}` : name;
}

/** The kinds of task that a provider serves. */
export function taskKindsOf({ tasks }: Provider): TaskKind[] {
  return taskKinds.filter((kind) => tasks?.serves[kind] !== undefined);
}

/** All kinds that a provider serves, at once or as tasks. */
export function kindsOf(provider: Provider): Kind[] {
  const calls = callOperations
    .filter((operation) => provider.calls?.[operation] !== undefined)
    .map((operation) => kindOfOperation[operation]);
  return [...new Set<Kind>([...calls, ...taskKindsOf(provider)])];
}

/** Every queue that a provider's work waits in. */
export function lanesOf(installed: Installed): string[] {
  return [...new Set(taskKindsOf(installed.provider).map((kind) => laneOf(installed, kind)))];
}

/** Whether anybody takes work out of a queue, and with this credential, where one is named. */
export function isServed(catalog: Catalog, lane: string, credential: string): boolean {
  const installed = catalog.providers().find((each) => !each.off && lanesOf(each).includes(lane));
  return installed !== undefined && (credential === "" || installed.credentials.some(({ id }) => id === credential));
}

/** How many slots each credential of a provider has in a queue. */
export function slotsOf({ limits, perNode }: Installed, workers: number): number {
  return perNode ? limits.concurrent * workers : limits.concurrent;
}

/** What a provider calls the model that is asked for. */
export function upstreamModelOf(catalog: Catalog, { kind, model }: { kind: Kind; model: string }, provider: string): string {
  return catalog.find(kind, model)?.routes.find((route) => route.provider === provider)?.model ?? model;
}

/** The provider whose work waits in a queue. */
export function providerOf(lane: string): string {
  return lane.split(":")[0] ?? lane;
}

/** Routes in the order to try them: lowest priority number first, by weighted lot inside. */
export function orderRoutes(routes: readonly Route[], random: () => number): Route[] {
  const drawn = routes.map((route) => ({ route, lot: -Math.log(1 - random()) / Math.max(route.weight, 1e-9) }));
  return drawn.sort((a, b) => a.route.priority - b.route.priority || a.lot - b.lot).map(({ route }) => route);
}
