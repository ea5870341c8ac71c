import type { Caller } from "./accounts.ts";
import { kindOfOperation, type AnswerCall } from "./call.ts";
import { Failure } from "./errors.ts";
import type { Asked } from "./meter.ts";
import { unknownModel } from "./plan.ts";
import { builtIn, orderRoutes, type Catalog, type Installed, type Model } from "./routing.ts";

/** A way to answer a call: a provider that can, and its own name of the model. */
export type CallRoute = { installed: Installed; answer: AnswerCall; model: string };

/** The model that a call asks for; throws when it cannot be had. */
export function modelOf(catalog: Catalog, caller: Caller, { operation, model: name }: Asked): Model {
  const allowed = caller.key?.models ?? null;
  if (allowed !== null && !allowed.includes(name))
    throw new Failure("not_allowed", { says: `This key may not use the model '${name}'.`, param: "model" });
  const kind = kindOfOperation[operation];
  const model = catalog.find(kind, name);
  if (model === null) throw unknownModel(catalog, { kind, model: name });
  return model;
}

/** The routes of a model that can answer an operation, in the order to try them; throws when there is none. */
export function routesOf(
  catalog: Catalog,
  caller: Caller,
  { operation, model: asked }: Asked,
  model: Model,
  random: () => number,
): CallRoute[] {
  const ordered = model.routes.length === 1 ? model.routes : orderRoutes(model.routes, random);
  const routes: CallRoute[] = [];
  let able = false;
  for (const { provider, model: name } of ordered) {
    const installed = catalog.provider(provider);
    const answer = installed?.provider.calls?.[operation];
    if (installed === null || answer === undefined) continue;
    able = true;
    if (installed.off || (caller.account.starter && installed.name !== builtIn)) continue;
    routes.push({ installed, answer, model: name });
  }
  if (!able) throw new Failure("not_supported", { says: `The model '${asked}' does not offer this operation.`, param: "model" });
  if (routes.length === 0) throw new Failure("upstream_unavailable");
  return routes;
}
