import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startPostgres } from "../../test/support/postgres.ts";
import { freePort } from "../../test/support/free-port.ts";
import { findOnPath } from "../gateways/child.ts";

/** A PostgreSQL of one engine's own, with default settings, so that whatever its processes spend was spent for that engine. */
export type Cluster = {
  url: string;
  version: string;
  /** The process above all others of the server. */
  pid: number;
  /** A new database in it; answers its address. */
  createDatabase(name: string): Promise<string>;
  /** Cleans up and counts rows, as the server itself would in a while. */
  settle(): Promise<void>;
  /** How much has been written to its log so far. */
  walBytes(): Promise<number>;
  stop(): Promise<void>;
};

export type Fsync = "always" | "everysec";
export type RedisServer = { port: number; pid: number; stop(): Promise<void> };

/** Null where the machine has no PostgreSQL. */
export async function startCluster(): Promise<Cluster | null> {
  const server = await startPostgres();
  if (server === null) return null;
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const ask = async (question: string) => String((await client.query<{ answer: unknown }>(question)).rows[0]?.answer);
  return {
    url: server.url,
    version: await ask("select current_setting('server_version') as answer"),
    pid: parentOf(Number(await ask("select pg_backend_pid() as answer"))),
    async createDatabase(name) {
      await client.query(`create database ${name}`);
      return server.url.replace(/\/postgres$/, `/${name}`);
    },
    async settle() {
      await client.query("vacuum analyze");
    },
    walBytes: async () => Number(await ask("select pg_current_wal_lsn() - '0/0'::pg_lsn as answer")),
    async stop() {
      await client.end();
      await server.stop();
    },
  };
}

/** NaN where the system does not tell. */
function parentOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1]);
  } catch {
    return Number.NaN;
  }
}

export function findRedis(): string | null {
  return findOnPath("redis-server");
}

/** The shell reads its stdin to the end, which comes with `stop` or with the death of this process, however it dies. */
const keeper = `
exec 3<&0
"$1" --port "$3" --bind 127.0.0.1 --dir "$2" --appendonly yes --appendfsync "$4" --save "" </dev/null 3<&- >/dev/null &
server=$!
echo $server
{ cat <&3 >/dev/null; kill $server; } 2>/dev/null &
wait $server
rm -rf "$2"`;

/** Starts a Redis that keeps an append-only file; null where there is none on the PATH. */
export async function startRedis(fsync: Fsync): Promise<RedisServer | null> {
  const program = findRedis();
  if (program === null) return null;
  const folder = mkdtempSync(join(tmpdir(), "genway-redis-"));
  const port = await freePort();
  const shell = spawn("sh", ["-c", keeper, "sh", program, folder, String(port), fsync], { stdio: ["pipe", "pipe", "inherit"] });
  const [pid] = (await once(createInterface(shell.stdout), "line")) as [string];
  return { port, pid: Number(pid), stop: () => stopKeeper(shell) };
}

async function stopKeeper(shell: ChildProcess): Promise<void> {
  if (shell.exitCode !== null || shell.signalCode !== null) return;
  const ended = once(shell, "exit");
  shell.stdin?.end();
  await ended;
}
