import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { loadConfig, type Config } from "../../src/config/config.ts";
import { readRunFile } from "../../src/config/run-file.ts";
import type { Clock, Log } from "../../src/core/ports.ts";
import { createGateway, type Gateway } from "../../src/main.ts";
import { adapters } from "../../src/providers/index.ts";
import { openTestDatabase, type TestDatabase } from "./database.ts";
import { chosenStore, type StoreName } from "./store-choice.ts";

export type TestGateway = Gateway & {
  dataDir: string;
  /** The PostgreSQL it is on; null on SQLite. */
  storeUrl: string | null;
  /** What was logged, for tests that look for leaks. */
  logged: string[];
  /** A call with the admin's rights. */
  admin(method: string, path: string, body?: unknown): Promise<{ status: number; body: Record<string, unknown> }>;
  /** An account with credit, and a key for it. */
  customer(creditUsd: number, limits?: object): Promise<{ account: string; key: string }>;
  end(): Promise<void>;
};

export type TestOptions = {
  yaml?: string;
  env?: Record<string, string>;
  dataDir?: string;
  clock?: Clock;
  /** Whether it serves the console, which must have been built. */
  console?: boolean;
  /** Where the file names no other. */
  store?: StoreName | null;
};

const consoleFiles = { folder: join(import.meta.dirname, "../../console/dist"), ready: Promise.resolve() };

/** Starts the real service in this process, on a free port, in a folder of its own, on the store that the test run is about. */
export async function startGateway({
  yaml,
  env = {},
  dataDir = mkdtempSync(join(tmpdir(), "genway-test-")),
  clock,
  console = false,
  store = chosenStore(),
}: TestOptions = {}): Promise<TestGateway> {
  const file = join(dataDir, "test.yaml");
  if (yaml !== undefined) writeFileSync(file, yaml);
  const variables = {
    HOST: "127.0.0.1",
    PORT: "0",
    GENWAY_DATA_DIR: dataDir,
    ...(yaml === undefined ? {} : { GENWAY_CONFIG: file }),
    ...env,
  };
  const read = () => loadConfig({ env: variables, cwd: dataDir, adapters });
  const database = store === "postgres" && read().storeUrl === null ? await databaseOf(dataDir) : null;
  const load = (): Config => ({ ...read(), ...(database && { storeUrl: database.url }) });
  const logged: string[] = [];
  const write = (detail: object, says: string) =>
    void logged.push(`${says} ${JSON.stringify(detail, (_key, value: unknown) => (value instanceof Error ? value.stack : value))}`);
  const log: Log = { info: write, warn: write, error: write };
  const config = load();
  const gateway = await createGateway({
    config,
    log,
    version: "test",
    reload: load,
    ...(clock && { clock }),
    ...(console && { console: consoleFiles }),
  });
  const token = readRunFile(dataDir)?.token ?? "";

  async function admin(method: string, path: string, body?: unknown) {
    const reply = await fetch(gateway.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
  }

  return {
    ...gateway,
    dataDir,
    storeUrl: config.storeUrl,
    logged,
    admin,
    async customer(creditUsd, limits = {}) {
      const name = `customer ${Math.random()}`;
      await admin("POST", "/admin/v1/accounts", { name, credit_usd: creditUsd });
      const { body } = await admin("POST", "/admin/v1/keys", { account: name, name: "test", ...limits });
      return { account: String(body["account"]), key: String(body["key"]) };
    },
    async end() {
      await gateway.close();
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The database that belongs to a folder, so that a service started there again finds its own. */
async function databaseOf(dataDir: string): Promise<TestDatabase> {
  const database = await openTestDatabase(basename(dataDir));
  if (database === null) throw new Error("there is no PostgreSQL to run the service on");
  return database;
}
