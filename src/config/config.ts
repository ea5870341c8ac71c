import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Config, Role } from "./configuration.ts";
import { readEnvironment } from "./environment.ts";
import { localModels } from "./local-mode.ts";
import { readModels } from "./model-entries.ts";
import { ConfigError, type Problem } from "./problems.ts";
import { readProviders, type AdapterFacts } from "./provider-entries.ts";
import { ConfigFile } from "./schema.ts";
import { readSettings, type Settings } from "./settings.ts";
import { asMapping, explainShape } from "./shape.ts";
import { readSource, type Source, type Variables } from "./source.ts";

export type LoadOptions = { env: Variables; cwd: string; adapters: readonly AdapterFacts[] };

/** Reads environment and file into one configuration; throws a ConfigError that lists every problem at once. */
export function loadConfig({ env, cwd, adapters }: LoadOptions): Config {
  const { problems, file, outboundAllow, ...environment } = readEnvironment(env, cwd);
  const loaded = file === null ? localSettings() : readConfigFile(file, env, adapters);
  const found = [...problems, ...loaded.problems, ...roleProblems(environment.role, loaded.settings.storeUrl)];
  if (found.length > 0) throw new ConfigError(found);
  const { settings, providers, models, lines } = loaded;
  return {
    mode: file === null ? "local" : "configured",
    file: file?.path ?? null,
    ...environment,
    ...settings,
    outboundAllow: [...new Set([...settings.outboundAllow, ...outboundAllow])],
    providers,
    models,
    lines,
  };
}

/** What there is in a text that is not in force, and what is wrong with it. */
export type CheckedText = { problems: Problem[]; providers: number; models: number };

/** Looks at a text as if it were the file; nothing of it comes into force. */
export function checkText(
  text: string,
  { env, file, adapters }: { env: Variables; file: string | null; adapters: readonly AdapterFacts[] },
): CheckedText {
  const name = file === null ? "genway.yaml" : basename(file);
  const { providers, models, problems } = readText({ name, path: file ?? name, text }, env, adapters);
  return { problems, providers: Object.keys(providers).length, models: models.length };
}

function roleProblems(role: Role, storeUrl: string | null): Problem[] {
  if (role === "both" || storeUrl !== null) return [];
  const says = `${role} needs a database that others share: set store.url to PostgreSQL, or leave GENWAY_ROLE out`;
  return [{ file: "environment", line: null, column: null, path: "GENWAY_ROLE", says }];
}

type Loaded = Pick<Config, "providers" | "models" | "lines"> & { settings: Settings; problems: Problem[] };

function localSettings(): Loaded {
  const settings = readSettings({ local: true }, null, () => {});
  return { settings, providers: {}, models: localModels, lines: { providers: {}, models: {} }, problems: [] };
}

function readConfigFile(file: { name: string; path: string }, env: Variables, adapters: readonly AdapterFacts[]): Loaded {
  return readText({ ...file, text: openFile(file) }, env, adapters);
}

type Named = { name: string; path: string; text: string };

function readText(file: Named, env: Variables, adapters: readonly AdapterFacts[]): Loaded {
  const source = readSource(file.name, file.text, env);
  if (source.problems().length === 0 || source.value !== undefined) explainShape(ConfigFile, source.value, [], source.report);
  const root = asMapping(source.value);
  const settings = readSettings(root, file.path, source.report, env);
  const entries = asMapping(root["providers"]);
  const providers = readProviders(entries, adapters, source.report);
  const models = readModels(asMapping(root["models"]), { providers: Object.keys(entries), local: settings.local.enabled }, source);
  const lines = {
    providers: linesOf(source, "providers", Object.keys(providers)),
    models: linesOf(source, "models", Object.keys(asMapping(root["models"]))),
  };
  return { settings, providers, models, lines, problems: source.problems() };
}

function linesOf(source: Source, section: string, names: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, source.lineOf([section, name]) ?? 1]));
}

function openFile({ name, path }: { name: string; path: string }): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const says = `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    throw new ConfigError([{ file: name, line: null, column: null, path: "", says }]);
  }
}

export type { Config, ModelConfig } from "./configuration.ts";
export { ConfigError, type Problem } from "./problems.ts";
export { matchModel } from "./model-match.ts";
export { explainConfig } from "./summary.ts";
export { watchConfig } from "./watcher.ts";
