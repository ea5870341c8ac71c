import { Type } from "typebox";
import { Failure } from "../core/errors.ts";
import type { Caller } from "../core/accounts.ts";
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
  const allowed = caller.key?.models ?? null;
  return catalog
    .list()
    .filter(({ name }) => allowed === null || allowed.includes(name))
    .map(({ name, kinds }) => ({ id: name, object: "model" as const, created, owned_by: "genway", kinds }));
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
    const models = visible(catalog, caller);
    const model = models.find(({ id }) => id === params.id);
    if (model === undefined)
      throw new Failure("model_not_found", {
        says: `There is no model '${params.id}'. Available: ${models
          .map(({ id }) => id)
          .slice(0, 50)
          .join(", ")}.`,
        param: "id",
      });
    return model;
  },
});

export const modelOperations = [listModels, getModel];
