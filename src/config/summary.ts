import { formatDuration } from "../kit/duration.ts";
import { masked } from "../kit/masked.ts";
import { decimalFromNanos } from "./price-table.ts";
import type { Config, ModelConfig, ProviderConfig } from "./configuration.ts";

/** The configuration in words, for the log and for `doctor`: complete, but no secret can be read from it. */
export function explainConfig(config: Config): string {
  const providers = Object.entries(config.providers).map(describeProvider);
  return [
    config.file === null ? "Local mode: no configuration file" : `Configuration file ${config.file}`,
    ...columns(describeSettings(config)),
    `Providers (${providers.length})`,
    ...columns(providers),
    `Models (${config.models.length})`,
    ...columns(config.models.map(describeModel)),
  ].join("\n");
}

function describeSettings(config: Config): string[][] {
  const { server, limits, tasks, assets } = config;
  const deadlines = Object.entries(tasks.deadlineMs).map(([kind, ms]) => `${kind} ${formatDuration(ms)}`);
  return [
    ["listen", `${config.host.includes(":") ? `[${config.host}]` : config.host}:${config.port}`],
    ["data", config.dataDir],
    ["role", config.role === "both" ? "takes requests and runs tasks" : config.role === "gateway" ? "takes requests" : "runs tasks"],
    ["admin key", config.adminKey === null ? "made on first start" : "from GENWAY_ADMIN_KEY"],
    ["store", config.storeUrl === null ? "SQLite in the data folder" : maskUrl(config.storeUrl)],
    ["media", config.mediaUrl === null ? "the data folder" : maskUrl(config.mediaUrl)],
    ["redis", config.redisUrl === null ? "none" : maskUrl(config.redisUrl)],
    ["public URL", server.publicUrl ?? "none"],
    ["proxy", server.trustProxy ? "its forwarded addresses are trusted" : "forwarded addresses are ignored"],
    ["CORS", listed(server.cors)],
    ["hosts", listed(server.hosts)],
    ["outbound", config.outboundAllow.length === 0 ? "public addresses only" : `public addresses and ${config.outboundAllow.join(", ")}`],
    ["without key", config.anonymousAccount === null ? "no account" : `account ${config.anonymousAccount}`],
    ["key limits", `${limits.requestsPerMinute ?? "unlimited"} requests a minute, ${limits.concurrentTasks ?? "unlimited"} tasks at once`],
    ["tasks", `kept ${formatDuration(tasks.retentionMs)}; deadlines ${deadlines.join(", ")}`],
    ["assets", `kept ${formatDuration(assets.retentionMs)}, links valid for ${formatDuration(assets.urlTtlMs)}`],
    ["built-in", config.local.enabled ? `on${config.local.gguf === null ? "" : `, text model ${config.local.gguf}`}` : "off"],
  ];
}

function describeProvider([name, provider]: [string, ProviderConfig]): string[] {
  const { type, baseUrl, keys, limits, allowPrivateNetwork } = provider;
  const perMinute = limits.perMinute === null ? "" : `, ${limits.perMinute} a minute`;
  return [
    name,
    type,
    baseUrl ?? "its usual address",
    keys.length === 0 ? "no key" : `${keys.length === 1 ? "key" : `${keys.length} keys`} ${keys.map(masked).join(" ")}`,
    `${limits.concurrent} at once${perMinute}${allowPrivateNetwork ? ", private network allowed" : ""}`,
  ];
}

function describeModel({ name, kinds, routes, price, maxOutputTokens }: ModelConfig): string[] {
  const amounts = Object.entries(price).map(([unit, nanos]) => `${decimalFromNanos(nanos)} ${unit}`);
  const ordered = routes.toSorted((a, b) => a.priority - b.priority);
  return [
    name,
    kinds.join(", "),
    amounts.length === 0 ? "free" : `USD ${amounts.join(" + ")}`,
    `by ${ordered.map(({ provider, model }) => (model === null ? provider : `${provider} as ${model}`)).join(", then ")}`,
    maxOutputTokens === null ? "" : `up to ${maxOutputTokens} tokens`,
  ];
}

const openParameters = new Set(["endpoint", "public_endpoint", "region", "path_style", "sslmode"]);

function maskUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) return "****";
  if (url.password !== "") url.password = "****";
  for (const name of url.searchParams.keys()) {
    if (!openParameters.has(name)) url.searchParams.set(name, "****");
  }
  return url.href;
}

function listed(list: readonly string[]): string {
  return list.length === 0 ? "none" : list.join(", ");
}

function columns(rows: readonly string[][]): string[] {
  const widths = rows.reduce<number[]>((wide, row) => row.map((cell, index) => Math.max(cell.length, wide[index] ?? 0)), []);
  return rows.map((row) => `  ${row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join("  ")}`.trimEnd());
}
