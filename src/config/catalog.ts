import { createHash } from "node:crypto";
import type { Kind } from "../core/kinds.ts";
import type { Adapter, Provider } from "../core/provider.ts";
import { builtIn, kindsOf, type Catalog, type Installed } from "../core/routing.ts";
import { matchModel, type Config } from "./config.ts";

type BuiltIn = { provider: Provider; concurrent: number } | null;

export type LiveCatalog = Catalog & {
  /** Takes a changed configuration; providers that did not change stay as they are. */
  replace(config: Config): void;
};

/** The models and providers of the configuration, ready for work, and exchangeable while it goes on. */
export function createCatalog(config: Config, adapters: readonly Adapter[], local: BuiltIn): LiveCatalog {
  let current = config;
  let installed = install(config, adapters, local, new Map());

  return {
    find(kind, name) {
      const model = matchModel(current.models, name, kind);
      if (model === null) return null;
      const routes = model.routes.map((route) => ({ ...route, model: route.model ?? name }));
      return { name: model.name, price: model.price, routes, ...(model.limits && { limits: model.limits }) };
    },
    list: () =>
      current.models.flatMap(({ name, kinds, price, routes }) => {
        const served = kinds.filter((kind) => routes.some(({ provider }) => serves(installed.get(provider), kind)));
        return served.length === 0 ? [] : [{ name, kinds: served, price }];
      }),
    provider: (name) => installed.get(name) ?? null,
    providers: () => [...installed.values()],
    replace(changed) {
      installed = install(changed, adapters, local, installed);
      current = changed;
    },
  };
}

function serves(installed: Installed | undefined, kind: Kind): boolean {
  return installed !== undefined && kindsOf(installed.provider).some((served) => served === kind);
}

function install(config: Config, adapters: readonly Adapter[], local: BuiltIn, before: Map<string, Installed>): Map<string, Installed> {
  const all = new Map<string, Installed>();
  if (config.local.enabled && local !== null) {
    all.set(builtIn, {
      name: builtIn,
      provider: local.provider,
      credentials: [{ id: "built-in", secret: "" }],
      limits: { concurrent: local.concurrent, perMinute: null },
      allowPrivateNetwork: false,
      off: before.get(builtIn)?.off ?? false,
    });
  }
  for (const [name, { type, baseUrl, keys, limits, allowPrivateNetwork }] of Object.entries(config.providers)) {
    const adapter = adapters.find((known) => known.type === type);
    if (adapter === undefined) continue;
    all.set(name, {
      name,
      provider: adapter.create({ name, allowPrivateNetwork, ...(baseUrl === null ? {} : { baseUrl }) }),
      credentials: (keys.length === 0 ? [""] : keys).map((secret) => ({ id: credentialId(secret), secret })),
      limits,
      allowPrivateNetwork,
      off: before.get(name)?.off ?? false,
    });
  }
  return all;
}

// A key keeps its id when others are added before it, so that running jobs find it again.
function credentialId(secret: string): string {
  return `k_${createHash("sha256").update(secret).digest("hex").slice(0, 12)}`;
}
