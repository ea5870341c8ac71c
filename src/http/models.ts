import { Type } from "typebox";
import { Failure } from "../core/errors.ts";
import type { Caller } from "../core/accounts.ts";
import { kinds } from "../core/kinds.ts";
import type { Catalog } from "../core/routing.ts";
import { operation } from "./operation.ts";

const Model = Type.Object({
  id: Type.String(),
  object: Type.Literal("model"),
  created: Type.Integer(),
  owned_by: Type.String(),
  kinds: Type.Array(Type.String()),
});

// The day this interface was first served; models of the configuration have no birthday of their own.
const created = 1_794_700_800;

function visible(catalog: Catalog, caller: Caller) {
  const names = caller.key?.models ?? [...new Set(catalog.list().map(({ name }) => name))];
  return names.flatMap((name) => recordOf(catalog, name) ?? []);
}

/** A model by the name a request would use, be it listed or behind a pattern. */
function recordOf(catalog: Catalog, id: string) {
  const listed = catalog.list().filter(({ name }) => name === id);
  const served = listed.length > 0 ? listed.flatMap((model) => model.kinds) : kinds.filter((kind) => catalog.find(kind, id) !== null);
  return served.length === 0 ? null : { id, object: "model" as const, created, owned_by: "genway", kinds: served };
}

const group = { tag: "models", errors: "plain", auth: "client" } as const;

const listModels = operation({
  ...group,
  method: "GET",
  url: "/v1/models",
  summary: "List the models that this key may use",
  reply: Type.Object({ object: Type.Literal("list"), data: Type.Array(Model) }),
  run: async ({ caller }, { catalog }) => ({ object: "list", data: visible(catalog, caller) }),
});

const getModel = operation({
  ...group,
  method: "GET",
  url: "/v1/models/:id",
  summary: "Get one model",
  params: Type.Object({ id: Type.String() }),
  reply: Model,
  async run({ params, caller }, { catalog }) {
    const allowed = caller.key?.models ?? null;
    const model = allowed === null || allowed.includes(params.id) ? recordOf(catalog, params.id) : null;
    if (model !== null) return model;
    const names = visible(catalog, caller).map(({ id }) => id);
    const offer = `Available: ${names.slice(0, 50).join(", ")}.`;
    throw new Failure("model_not_found", { says: `There is no model '${params.id}'. ${offer}`, param: "id" });
  },
});

export const modelOperations = [listModels, getModel];
