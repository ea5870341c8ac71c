import type { ConfigView } from "../http/operating.ts";
import type { Config } from "./configuration.ts";
import type { AdapterFacts } from "./provider-entries.ts";

/** What operators may see of a configuration. */
export function viewConfig(config: Config, adapters: readonly AdapterFacts[]): Pick<ConfigView, "file" | "providers" | "models"> {
  const { file, providers, models, lines } = config;
  const shown = Object.entries(providers).map(([name, { type, baseUrl }]) => {
    const usual = adapters.find((adapter) => adapter.type === type)?.defaultBaseUrl;
    return [name, { type, baseUrl: baseUrl ?? usual ?? null, line: lines.providers[name] ?? null }] as const;
  });
  return {
    file,
    providers: Object.fromEntries(shown),
    models: models.map(({ name, routes, maxOutputTokens }) => ({ name, routes, maxOutputTokens, line: lines.models[name] ?? null })),
  };
}
