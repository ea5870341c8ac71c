import { createHash } from "node:crypto";
import type { Kind } from "../core/kinds.ts";
import type { Adapter, Provider } from "../core/provider.ts";
import { builtIn, kindsOf, type Catalog, type Installed, type Model } from "../core/routing.ts";
import type { Config } from "./configuration.ts";
import { matchModel } from "./model-match.ts";
import { isPlainlyPrivate } from "./web-address.ts";

/** Adds what a provider can do by way of what it does; applied to every provider that is made. */
type Widen = (provider: Provider) => Provider;
/** Providers that no configuration names, by their name; the generators only where they are switched on. */
export type BuiltIns = Readonly<Record<string, { provider: Provider; concurrent: number }>>;

/** Whether an operator has switched a provider off for now. */
type IsOff = (provider: string) => boolean;

export type LiveCatalog = Catalog & {
  /** Takes a changed configuration; providers that did not change stay as they are. */
  replace(config: Config): void;
};

/** The models and providers of the configuration, ready for work, and exchangeable while it goes on. */
export function createCatalog(
  config: Config,
  adapters: readonly Adapter[],
  builtIns: BuiltIns,
  widen: Widen,
  isOff: IsOff = () => false,
): LiveCatalog {
  let current = config;
  let installed = install(config, adapters, builtIns, widen, isOff);
  // Looking a model up means trying patterns; every call asks for one.
  const found = new Map<string, Model | null>();

  function look(kind: Kind, name: string): Model | null {
    const model = matchModel(current.models, name, kind);
    if (model === null) return null;
    const routes = model.routes.map((route) => ({ ...route, model: route.model ?? name }));
    const { price, maxOutputTokens, limits } = model;
    return { name: model.name, price, routes, maxOutputTokens, ...(limits && { limits }) };
  }

  return {
    find(kind, name) {
      const place = `${kind} ${name}`;
      const known = found.get(place);
      if (known !== undefined) return known;
      if (found.size >= mostRemembered) found.clear();
      const model = look(kind, name);
      found.set(place, model);
      return model;
    },
    list: () =>
      current.models.flatMap(({ name, kinds, price, routes }) => {
        const served = kinds.filter((kind) => routes.some(({ provider }) => serves(installed.get(provider), kind)));
        return served.length === 0 ? [] : [{ name, kinds: served, price }];
      }),
    provider: (name) => installed.get(name) ?? null,
    providers: () => [...installed.values()],
    replace(changed) {
      installed = install(changed, adapters, builtIns, widen, isOff);
      current = changed;
      found.clear();
    },
  };
}

const defaultConcurrent = 100;
const mostRemembered = 1_000;

function serves(installed: Installed | undefined, kind: Kind): boolean {
  return installed !== undefined && kindsOf(installed.provider).some((served) => served === kind);
}

function install(config: Config, adapters: readonly Adapter[], builtIns: BuiltIns, widen: Widen, isOff: IsOff): Map<string, Installed> {
  const all = new Map<string, Installed>();
  for (const [name, { provider, concurrent }] of Object.entries(builtIns)) {
    if (name === builtIn && !config.local.enabled) continue;
    all.set(name, {
      name,
      provider: widen(provider),
      credentials: [{ id: "built-in", secret: "" }],
      limits: { concurrent, perMinute: null },
      callLimits: { concurrent: null, perMinute: null },
      allowPrivateNetwork: false,
      perNode: true,
      get off() {
        return isOff(name);
      },
    });
  }
  for (const [name, { type, baseUrl, keys, limits, allowPrivateNetwork, webhookSecret, options }] of Object.entries(config.providers)) {
    const adapter = adapters.find((known) => known.type === type);
    if (adapter === undefined) continue;
    // An address that nobody but we chose may be on this machine, as those of local servers are.
    const isOwn = baseUrl === null && adapter.defaultBaseUrl !== undefined && isPlainlyPrivate(adapter.defaultBaseUrl);
    const allow = allowPrivateNetwork || isOwn;
    const given = { ...(baseUrl !== null && { baseUrl }), ...(webhookSecret !== null && { webhookSecret }) };
    const provider = widen(adapter.create({ name, allowPrivateNetwork: allow, options, ...given }));
    const usual = provider.tasks?.usualLimits;
    all.set(name, {
      name,
      provider,
      credentials: (keys.length === 0 ? [""] : keys).map((secret) => ({ id: credentialId(secret), secret })),
      limits: {
        concurrent: limits.concurrent ?? usual?.concurrent ?? defaultConcurrent,
        perMinute: limits.perMinute ?? usual?.perMinute ?? null,
      },
      callLimits: limits,
      allowPrivateNetwork: allow,
      perNode: false,
      get off() {
        return isOff(name);
      },
    });
  }
  return all;
}

// A key keeps its id when others are added before it, so that running jobs find it again.
function credentialId(secret: string): string {
  return `k_${createHash("sha256").update(secret).digest("hex").slice(0, 12)}`;
}
