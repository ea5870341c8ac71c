import { loadConfig } from "../config/config.ts";
import { adapters } from "../providers/index.ts";
import { upgradePostgres, upgradeSqlite } from "../store/upgrade.ts";
import type { Shell } from "./shell.ts";

/** Brings the tables of the configured store up to date, and says what was done. */
export async function upgradeStore({ env, cwd }: Shell): Promise<string> {
  const { storeUrl, dataDir } = loadConfig({ env, cwd, adapters });
  const names = storeUrl === null ? await upgradeSqlite(dataDir) : await upgradePostgres(storeUrl);
  const where = storeUrl === null ? `SQLite in ${dataDir}` : "PostgreSQL";
  return names.length === 0
    ? `The tables (${where}) are up to date.`
    : `The tables (${where}) were brought up to date: ${names.join(", ")}.`;
}
