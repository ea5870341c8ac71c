import type { Static } from "typebox";
import type { Adapter } from "../core/provider.ts";
import { builtIn, deferredCalls } from "../core/routing.ts";
import type { ProviderConfig } from "./configuration.ts";
import type { Path, Report } from "./problems.ts";
import { ProviderEntry } from "./schema.ts";
import { asList, asMapping, fitting } from "./shape.ts";
import { suggest } from "./suggestion.ts";
import { httpProblem, isPlainlyPrivate, withoutTrailingSlash } from "./web-address.ts";

/** What the configuration needs to know of an adapter. */
export type AdapterFacts = Pick<Adapter, "type" | "needsKey" | "defaultBaseUrl">;

const fields = ProviderEntry.properties;

/** Reads the entries under `providers`; every field is judged by itself, so that one wrong field hides nothing. */
export function readProviders(
  entries: Record<string, unknown>,
  adapters: readonly AdapterFacts[],
  report: Report,
): Record<string, ProviderConfig> {
  const providers = Object.entries(entries).map(([name, entry]): [string, ProviderConfig] => {
    const path = ["providers", name];
    if (name === builtIn)
      report(path, "is the name of the built-in provider: choose another, and switch the built-in one on with local: true");
    if (name === deferredCalls) report(path, "is the name of what answers calls with async: true: choose another");
    if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name))
      report(path, "must be named with letters, digits, dots, hyphens and underscores, 64 at most");
    checkAdapter(asMapping(entry), path, adapters, report);
    return [name, readProvider(asMapping(entry), path, report)];
  });
  return Object.fromEntries(providers);
}

function readProvider(entry: Record<string, unknown>, path: Path, report: Report): ProviderConfig {
  const field = <K extends keyof typeof fields>(name: K): Static<(typeof fields)[K]> | undefined => fitting(fields[name], entry[name]);
  const limits = field("limits");
  const keys = field("keys") ?? [];
  keys.forEach((key, index) => {
    if (keys.indexOf(key) < index) report([...path, "keys", index], "is the same key as one above it");
  });
  const baseUrl = field("base_url");
  const allowPrivateNetwork = field("allow_private_network") ?? false;
  if (baseUrl !== undefined) checkBaseUrl(baseUrl, allowPrivateNetwork, [...path, "base_url"], report);
  return {
    type: field("type") ?? "",
    baseUrl: baseUrl === undefined ? null : withoutTrailingSlash(baseUrl),
    keys,
    limits: { concurrent: limits?.concurrent ?? null, perMinute: limits?.per_minute ?? null },
    allowPrivateNetwork,
    webhookSecret: field("webhook_secret") ?? null,
    options: field("options") ?? {},
  };
}

function checkAdapter(entry: Record<string, unknown>, path: Path, adapters: readonly AdapterFacts[], report: Report): void {
  const type = fitting(fields.type, entry["type"]) ?? "";
  const known = adapters.map((adapter) => adapter.type).filter((name) => name !== "local");
  const adapter = adapters.find((candidate) => candidate.type === type && known.includes(type));
  if (adapter === undefined) return report([...path, "type"], `"${type}" is not a type of provider; ${suggest(type, known)}`);
  if (adapter.needsKey && asList(entry["keys"]).length === 0)
    report([...path, "keys"], `${type} needs at least one key, such as ["\${NAME_OF_A_VARIABLE}"]`);
  if (adapter.defaultBaseUrl === undefined && entry["base_url"] === undefined)
    report([...path, "base_url"], `${type} needs the address of the upstream`);
}

function checkBaseUrl(baseUrl: string, allowPrivateNetwork: boolean, path: Path, report: Report): void {
  const problem = httpProblem(baseUrl);
  if (problem !== null) report(path, problem);
  else if (!allowPrivateNetwork && isPlainlyPrivate(baseUrl))
    report(path, "is an address of a private network: set allow_private_network: true beside it if that is meant");
}
