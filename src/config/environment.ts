import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Config } from "./configuration.ts";
import { collectProblems, type Problem } from "./problems.ts";
import { Environment } from "./schema.ts";
import { readNetworks } from "./settings.ts";
import { explainShape, fitting } from "./shape.ts";
import type { Variables } from "./source.ts";

/** What the environment alone decides. */
export type EnvironmentSettings = Pick<Config, "host" | "port" | "dataDir" | "adminKey" | "role" | "workers" | "outboundAllow"> & {
  /** The configuration file: as the operator wrote it, and in full; null without one. */
  file: { name: string; path: string } | null;
  problems: Problem[];
};

/** Reads the environment variables that are settings; an empty one counts as not set. */
export function readEnvironment(variables: Variables, cwd: string): EnvironmentSettings {
  const { report, problems } = collectProblems("environment", () => null);
  const given = (name: keyof typeof Environment.properties): string | undefined => {
    const text = variables[name] || undefined;
    if (text !== undefined) explainShape(Environment.properties[name], text, [name], report);
    return fitting(Environment.properties[name], text);
  };
  const port = Number(given("PORT") ?? 8787);
  if (port > 65_535) report(["PORT"], "must be a port from 0 to 65535");
  const networks = (given("GENWAY_OUTBOUND_ALLOW") ?? "").split(",").flatMap((entry) => entry.trim() || []);
  const role = given("GENWAY_ROLE");
  const workers = given("GENWAY_WORKERS") ?? "1";
  const named = given("GENWAY_CONFIG");
  const name = named ?? "genway.yaml";
  const path = resolve(cwd, name);
  const present = existsSync(path);
  if (!present && named !== undefined) report(["GENWAY_CONFIG"], `names a file that does not exist: ${path}`);
  return {
    host: given("HOST") ?? "127.0.0.1",
    port,
    dataDir: resolve(cwd, given("GENWAY_DATA_DIR") ?? "data"),
    adminKey: given("GENWAY_ADMIN_KEY") ?? null,
    role: role === "gateway" || role === "worker" ? role : "both",
    workers: workers === "auto" ? "auto" : Number(workers),
    outboundAllow: readNetworks(networks, ["GENWAY_OUTBOUND_ALLOW"], report),
    file: present ? { name, path } : null,
    problems: problems(),
  };
}
