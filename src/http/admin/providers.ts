import { Type, type Static } from "typebox";
import { Failure } from "../../core/errors.ts";
import { usdFromNanos } from "../../core/money.ts";
import { kindsOf, lanesOf } from "../../core/routing.ts";
import { operation } from "../operation.ts";
import type { Services } from "../services.ts";
import { listOf, ListReply, nullable } from "../wire.ts";
import { admin, recordAct } from "./acts.ts";

const ProviderRecord = Type.Object({
  name: Type.String(),
  object: Type.Literal("provider"),
  kinds: Type.Array(Type.String()),
  keys: Type.Integer(),
  off: Type.Boolean(),
  concurrent: Type.Integer(),
  per_minute: nullable(Type.Integer()),
  running: Type.Integer({ description: "slots in use" }),
  waiting: Type.Integer({ description: "tasks waiting for a slot" }),
});

async function records({ store, catalog }: Services): Promise<Static<typeof ProviderRecord>[]> {
  const gates = await store.gates();
  const depths = await store.queueDepth();
  return catalog.providers().map((installed) => {
    const lanes = new Set(lanesOf(installed));
    const mine = <R extends { lane: string }>(rows: R[]) => rows.filter(({ lane }) => lanes.has(lane));
    return {
      name: installed.name,
      object: "provider",
      kinds: kindsOf(installed.provider),
      keys: installed.credentials.length,
      off: installed.off,
      concurrent: installed.limits.concurrent,
      per_minute: installed.limits.perMinute,
      running: mine(gates).reduce((sum, { used }) => sum + used, 0),
      waiting: mine(depths)
        .filter(({ phase }) => phase === "start")
        .reduce((sum, { count }) => sum + count, 0),
    };
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

const switchProvider = operation({
  ...admin,
  method: "PATCH",
  url: "/admin/v1/providers/:name",
  summary: "Switch a provider off for now, or on again, for every node",
  params: Type.Object({ name: Type.String() }),
  body: Type.Object({ off: Type.Boolean() }),
  reply: ProviderRecord,
  async run({ params, body }, services) {
    const installed = services.catalog.provider(params.name);
    if (installed === null) throw new Failure("not_found", { says: `There is no provider '${params.name}'.` });
    await services.switchProvider(params.name, body.off);
    await recordAct(services, body.off ? "provider.off" : "provider.on", params.name);
    return (await records(services)).find(({ name }) => name === params.name);
  },
});

const listModels = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/models",
  summary: "The models of the configuration, with their prices in US dollars",
  reply: ListReply(
    Type.Object({
      name: Type.String(),
      object: Type.Literal("model"),
      kinds: Type.Array(Type.String()),
      price: Type.Record(Type.String(), Type.Number()),
    }),
  ),
  async run(_ask, { catalog }) {
    const models = catalog.list().map(({ name, kinds, price }) => ({
      name,
      object: "model" as const,
      kinds,
      price: Object.fromEntries(Object.entries(price).map(([unit, nanos]) => [unit, usdFromNanos(nanos)])),
    }));
    return listOf(models, models.length);
  },
});

export const providerOperations = [listProviders, switchProvider, listModels];
