import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Kind } from "../core/kinds.ts";
import type { Price } from "../core/pricing.ts";
import type { KindLimits } from "../core/provider.ts";
import type { OidcSettings } from "../http/console/oidc-settings.ts";
import type { S3Target } from "../media/s3-url.ts";
import { readEnvironment, type Role } from "./environment.ts";
import { localModels } from "./local-mode.ts";
import { readModels } from "./model-entries.ts";
import { ConfigError, type Problem } from "./problems.ts";
import { readProviders, type AdapterFacts } from "./provider-entries.ts";
import { ConfigFile } from "./schema.ts";
import { readSettings, type Settings } from "./settings.ts";
import { asMapping, explainShape } from "./shape.ts";
import { readSource, type Source, type Variables } from "./source.ts";

export type ProviderConfig = {
  type: string;
  /** Null where the adapter's own address is used. */
  baseUrl: string | null;
  keys: string[];
  /** For each key. */
  limits: { concurrent: number | null; perMinute: number | null };
  allowPrivateNetwork: boolean;
  /** What the upstream signs its callbacks with, where the operator made a secret there. */
  webhookSecret: string | null;
  /** Settings of the adapter alone. */
  options: Record<string, unknown>;
};

export type RouteConfig = {
  provider: string;
  /** The upstream's name of the model; null where it is the name that the client sent. */
  model: string | null;
  priority: number;
  weight: number;
};

export type ModelConfig = {
  /** May hold `*`, which stands for any characters. */
  name: string;
  kinds: Kind[];
  routes: RouteConfig[];
  /** Empty means free. */
  price: Price;
  maxOutputTokens: number | null;
  /** What the operator knows about the model; overrides what the adapter says. */
  limits?: KindLimits;
};

/** Everything an operator decides, complete and checked. */
export type Config = {
  /** `local` without a configuration file. */
  mode: "local" | "configured";
  file: string | null;
  host: string;
  port: number;
  dataDir: string;
  adminKey: string | null;
  role: Role;
  /** Processes that serve together, unless the command line says; `auto` is one for each processor. */
  workers: number | "auto";
  server: { trustProxy: boolean; cors: string[]; hosts: string[]; publicUrl: string | null };
  outboundAllow: string[];
  anonymousAccount: string | null;
  providers: Record<string, ProviderConfig>;
  /** In the order of the file. */
  models: ModelConfig[];
  /** The lines of the file that providers and models stand on. */
  lines: { providers: Record<string, number>; models: Record<string, number> };
  local: { enabled: boolean; gguf: string | null };
  /** For keys that set none; null means unlimited. */
  limits: {
    requestsPerMinute: number | null;
    tokensPerMinute: number | null;
    concurrentCalls: number | null;
    concurrentTasks: number | null;
  };
  calls: {
    /** How long a call may take in all. */
    deadlineMs: number;
    /** How long an upstream may be silent. */
    silenceMs: number;
    /** Replies that are given again to the same request; null: none. */
    cache: { ttlMs: number; bytes: number } | null;
  };
  /** Deadlines by kind. */
  tasks: { deadlineMs: Record<string, number>; retentionMs: number };
  assets: { urlTtlMs: number; retentionMs: number };
  storeUrl: string | null;
  mediaUrl: string | null;
  /** The bucket that it names. */
  mediaTarget: S3Target | null;
  /** Whether whoever reads an asset is sent to the bucket. */
  presignedDownloads: boolean;
  redisUrl: string | null;
  /** The identity provider whose people may enter the console. */
  oidc: OidcSettings | null;
};

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

export { ConfigError, type Problem } from "./problems.ts";
export type { Price } from "../core/pricing.ts";
export { matchModel } from "./model-match.ts";
export { explainConfig } from "./summary.ts";
export { watchConfig } from "./watcher.ts";
