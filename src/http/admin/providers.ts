import { Type, type Static } from "typebox";
import { readPlace } from "../../core/breaker.ts";
import { Failure } from "../../core/errors.ts";
import { usdFromNanos } from "../../core/money.ts";
import { tryProvider } from "../../core/provider-trial.ts";
import { kindsOf, lanesOf, slotsOf, type Installed } from "../../core/routing.ts";
import { operation } from "../operation.ts";
import type { Services } from "../services.ts";
import { listOf, ListReply, nullable } from "../wire.ts";
import { admin, recordAct } from "./acts.ts";
import { shownKey } from "./shown-key.ts";

const Place = nullable(
  Type.Object({ file: Type.String(), line: Type.Integer() }, { description: "where it stands in the configuration file" }),
);
const shownSecret = Type.String({ description: "the end of a key" });

const ProviderRecord = Type.Object({
  name: Type.String(),
  object: Type.Literal("provider"),
  type: Type.String(),
  base_url: nullable(Type.String({ description: "null where it works inside this service" })),
  place: Place,
  kinds: Type.Array(Type.String()),
  keys: Type.Integer(),
  off: Type.Boolean(),
  concurrent: Type.Integer(),
  per_minute: nullable(Type.Integer()),
  running: Type.Integer({ description: "slots in use" }),
  waiting: Type.Integer({ description: "tasks waiting for a slot" }),
  gates: Type.Array(
    Type.Object({
      lane: Type.String({ description: "the queue; 'calls' for what is answered at once by the process that tells this" }),
      credential: shownSecret,
      used: Type.Integer(),
      limit: nullable(Type.Integer()),
    }),
  ),
  resting: Type.Array(
    Type.Object({
      model: Type.String(),
      key: shownSecret,
      until: Type.Number({ description: "unix seconds, with their fraction" }),
      why: Type.Union([Type.Literal("broken"), Type.Literal("full")]),
    }),
    { description: "what work is kept away from, seen from the process that tells this" },
  ),
});
type Gate = Static<typeof ProviderRecord>["gates"][number];

async function records(services: Services): Promise<Static<typeof ProviderRecord>[]> {
  const { store, catalog, operating } = services;
  const [gates, depths] = await Promise.all([store.gates(), store.queueDepth()]);
  const { file, providers } = operating.configuration();
  return catalog.providers().map((installed) => {
    const { name, limits } = installed;
    const lanes = new Set(lanesOf(installed));
    const mine = <R extends { lane: string }>(rows: R[]) => rows.filter(({ lane }) => lanes.has(lane));
    const { type = name, baseUrl = null, line = null } = providers[name] ?? {};
    return {
      name,
      object: "provider",
      type,
      base_url: baseUrl,
      place: file === null || line === null ? null : { file, line },
      kinds: kindsOf(installed.provider),
      keys: installed.credentials.length,
      off: installed.off,
      concurrent: limits.concurrent,
      per_minute: limits.perMinute,
      running: mine(gates).reduce((sum, { used }) => sum + used, 0),
      waiting: mine(depths)
        .filter(({ phase }) => phase === "start")
        .reduce((sum, { count }) => sum + count, 0),
      gates: gatesOf(services, installed, mine(gates)),
      resting: restingOf(services, name),
    };
  });
}

type GateRow = Awaited<ReturnType<Services["store"]["gates"]>>[number];

/** The use of each key: of its slots in each queue, and of what is answered at once. */
function gatesOf({ catalog, operating, nodes }: Services, installed: Installed, rows: GateRow[]): Gate[] {
  const { name, credentials, callLimits, provider } = installed;
  const workers = Math.max(1, nodes().filter(({ role }) => role !== "gateway").length);
  const limit = slotsOf(installed, workers);
  return credentials.flatMap(({ id }) => {
    const credential = shownKey(catalog, name, id);
    const queues = lanesOf(installed).map((lane): Gate => {
      const used = rows.find((row) => row.lane === lane && row.credential === id)?.used ?? 0;
      return { lane, credential, used, limit };
    });
    const calls: Gate = { lane: "calls", credential, used: operating.callsAt(name, id), limit: callLimits.concurrent };
    return provider.calls === undefined ? queues : [...queues, calls];
  });
}

function restingOf({ catalog, operating }: Services, name: string): Static<typeof ProviderRecord>["resting"] {
  return operating.resting().flatMap(({ place, until, why }) => {
    const { provider, model, credential } = readPlace(place);
    return provider === name ? [{ model, key: shownKey(catalog, name, credential), until: until / 1000, why }] : [];
  });
}

const listProviders = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/providers",
  summary: "The providers of the configuration, and how busy they are",
  reply: ListReply(ProviderRecord),
  async run(_ask, services) {
    const all = await records(services);
    return listOf(all, all.length);
  },
});

const Name = Type.Object({ name: Type.String() });

function named({ catalog }: Services, name: string): Installed {
  const installed = catalog.provider(name);
  if (installed === null) throw new Failure("not_found", { says: `There is no provider '${name}'.` });
  return installed;
}

const switchProvider = operation({
  ...admin,
  method: "PATCH",
  url: "/admin/v1/providers/:name",
  summary: "Switch a provider off for now, or on again, for every node",
  params: Name,
  body: Type.Object({ off: Type.Boolean() }),
  reply: ProviderRecord,
  async run(ask, services) {
    const { params, body } = ask;
    named(services, params.name);
    await services.switchProvider(params.name, body.off);
    await recordAct(services, ask, body.off ? "provider.off" : "provider.on", params.name);
    return (await records(services)).find(({ name }) => name === params.name);
  },
});

const testProvider = operation({
  ...admin,
  method: "POST",
  url: "/admin/v1/providers/:name/test",
  summary: "Try a provider out with each of its keys; no account pays for it",
  params: Name,
  body: Type.Optional(
    nullable(Type.Object({ model: Type.Optional(nullable(Type.String({ maxLength: 200, description: "a model to ask for one token" }))) })),
  ),
  reply: Type.Object({
    object: Type.Literal("provider.test"),
    ok: Type.Boolean(),
    ms: Type.Integer(),
    says: Type.String(),
  }),
  async run(ask, services) {
    const { params, body } = ask;
    const installed = named(services, params.name);
    const began = performance.now();
    const { ok, says } = await tryProvider(services.catalog, installed, body?.model || null);
    await recordAct(services, ask, "provider.test", params.name, { ok });
    return { object: "provider.test", ok, ms: Math.round(performance.now() - began), says };
  },
});

const listModels = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/models",
  summary: "The models of the configuration, with their routes, and their prices in US dollars",
  reply: ListReply(
    Type.Object({
      name: Type.String(),
      object: Type.Literal("model"),
      kinds: Type.Array(Type.String()),
      price: Type.Record(Type.String(), Type.Number()),
      routes: Type.Array(
        Type.Object({
          provider: Type.String(),
          model: nullable(Type.String({ description: "null: the name that the client sent" })),
          priority: Type.Integer(),
          weight: Type.Number(),
        }),
      ),
      max_output_tokens: nullable(Type.Integer()),
      place: Place,
    }),
  ),
  async run(_ask, { catalog, operating }) {
    const { file, models: views } = operating.configuration();
    const models = catalog.list().map(({ name, kinds, price }) => {
      const view = views.find((model) => model.name === name);
      const line = view?.line ?? null;
      return {
        name,
        object: "model" as const,
        kinds,
        price: Object.fromEntries(Object.entries(price).map(([unit, nanos]) => [unit, usdFromNanos(nanos)])),
        routes: view?.routes ?? [],
        max_output_tokens: view?.maxOutputTokens ?? null,
        place: file === null || line === null ? null : { file, line },
      };
    });
    return listOf(models, models.length);
  },
});

export const providerOperations = [listProviders, switchProvider, testProvider, listModels];
