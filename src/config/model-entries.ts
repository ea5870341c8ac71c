import type { Static } from "typebox";
import type { Kind } from "../core/kinds.ts";
import type { KindLimits } from "../core/provider.ts";
import type { ModelConfig, RouteConfig } from "./configuration.ts";
import { readPrice } from "./price-table.ts";
import type { Path, Report } from "./problems.ts";
import { KindName, ModelEntry, ModelLimits, RouteEntry } from "./schema.ts";
import { asList, asMapping, fitting } from "./shape.ts";
import type { Source } from "./source.ts";
import { suggest } from "./suggestion.ts";

/** Where the routes of a model may lead. */
export type Destinations = { providers: readonly string[]; local: boolean };

/** Reads the entries under `models` in the order of the file; every field is judged by itself, so that one wrong field hides nothing. */
export function readModels(entries: Record<string, unknown>, destinations: Destinations, source: Source): ModelConfig[] {
  return Object.entries(entries).map(([name, entry]) => {
    const path = ["models", name];
    if (!/^[^\s"'<>\\]{1,200}$/.test(name))
      source.report(path, "must be named without spaces, quotes, brackets and backslashes, in 200 characters at most");
    return readModel(name, asMapping(entry), path, destinations, source);
  });
}

function readModel(name: string, entry: Record<string, unknown>, path: Path, destinations: Destinations, source: Source): ModelConfig {
  const { report } = source;
  const kinds = readKinds(entry["kinds"], [...path, "kinds"], report);
  const price = fitting(ModelEntry.properties.price, entry["price"]);
  const limits = fitting(ModelLimits, entry["limits"]);
  return {
    name,
    kinds,
    routes: asList(entry["routes"]).flatMap((route, index) => readRoute(route, [...path, "routes", index], destinations, report)),
    price: price === undefined ? {} : readPrice(price, kinds, [...path, "price"], source),
    maxOutputTokens: fitting(ModelEntry.properties.max_output_tokens, entry["max_output_tokens"]) ?? null,
    ...(limits && { limits: readLimits(limits, [...path, "limits"], report) }),
  };
}

function readKinds(given: unknown, path: Path, report: Report): Kind[] {
  const list = asList(given).map((name) => fitting(KindName, name));
  list.forEach((kind, index) => {
    if (kind !== undefined && list.indexOf(kind) < index) report([...path, index], `${kind} stands here twice`);
  });
  return list.filter((kind) => kind !== undefined);
}

function readRoute(given: unknown, path: Path, destinations: Destinations, report: Report): RouteConfig[] {
  const route = fitting(RouteEntry, given);
  if (route === undefined) return [];
  checkProvider(route.provider, [...path, "provider"], destinations, report);
  return [{ provider: route.provider, model: route.model ?? null, priority: route.priority ?? 0, weight: route.weight ?? 1 }];
}

function checkProvider(name: string, path: Path, { providers, local }: Destinations, report: Report): void {
  if (name === "local") {
    if (!local) report(path, "the built-in provider is off; switch it on with local: true at the top level");
  } else if (!providers.includes(name)) {
    report(path, `there is no provider "${name}"; ${suggest(name, local ? [...providers, "local"] : providers)}`);
  }
}

function readLimits(limits: Static<typeof ModelLimits>, path: Path, report: Report): KindLimits {
  const { durations, aspect_ratios: aspectRatios, prompt_characters: promptCharacters, needs_image: needsImage } = limits;
  if (durations !== undefined && !Array.isArray(durations) && durations.min > durations.max)
    report([...path, "durations"], "min is above max");
  return {
    ...(durations && { durations }),
    ...(aspectRatios && { aspectRatios }),
    ...(promptCharacters !== undefined && { promptCharacters }),
    ...(needsImage !== undefined && { needsImage }),
  };
}
