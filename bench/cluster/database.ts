import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { findPostgres } from "../../test/support/postgres.ts";
import { startProgram, type KeptProgram } from "./kept-program.ts";
import { quietPort } from "./quiet-port.ts";

/** A PostgreSQL on a folder of its own, with every commit on disk as it is by default, to be killed and started any number of times. */
export type Database = {
  url: string;
  /** Resolves when it takes connections; answers when that was. */
  start(): Promise<number>;
  /** `kill -9` for the server and everything it started; returns when all are gone. */
  kill(): Promise<void>;
  stop(): Promise<void>;
};

const longestStartMs = 60_000;
const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=200", "shared_buffers=64MB"];

export async function createDatabase(folder: string, logFile: string): Promise<Database> {
  const found = findPostgres();
  if (found === null || found.isBundled) throw new Error("there is no PostgreSQL of the system (postgres, initdb)");
  const user = lesserUser();
  const data = join(folder, "data");
  mkdirSync(folder);
  if (user !== undefined) execFileSync("chown", [`${user.uid}:${user.gid}`, folder]);
  execFileSync(join(found.bin, "initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"], {
    ...user,
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe"],
  });
  const port = await quietPort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const args = ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])];
  let server: KeptProgram | null = null;

  return {
    url,
    async start() {
      server = await startProgram({ command: join(found.bin, "postgres"), args, logFile, ...(user && { user }) });
      for (const until = Date.now() + longestStartMs; Date.now() < until; await sleep(20)) {
        if (await answers(url)) return Date.now();
        if (server.hasEnded()) break;
      }
      throw new Error(`PostgreSQL did not start: ${readFileSync(logFile, "utf8").slice(-2_000)}`);
    },
    async kill() {
      if (server === null) return;
      // The server first: it would start what it misses again.
      const family = [server.pid, ...childrenOf(server.pid)];
      for (const pid of family) end(pid);
      await server.ended;
      while (family.some(isAlive)) await sleep(2);
    },
    async stop() {
      await server?.stop();
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** PostgreSQL refuses to run as root, so root hands it to a user with fewer rights. */
function lesserUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const rows = readFileSync("/etc/passwd", "utf8").split("\n");
  const row = ["postgres", "nobody"].flatMap((name) => rows.find((line) => line.startsWith(`${name}:`)) ?? []).at(0);
  if (row === undefined) throw new Error("running as root, and there is no user `postgres` or `nobody` to run PostgreSQL");
  const [, , uid, gid] = row.split(":");
  return { uid: Number(uid), gid: Number(gid) };
}

function childrenOf(parent: number): number[] {
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) && parentOf(Number(name)) === parent ? [Number(name)] : []));
}

/** 0 for a process that is gone. */
function parentOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1]);
  } catch {
    return 0;
  }
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself meanwhile.
  }
}
