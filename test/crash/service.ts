import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../support/free-port.ts";

export type Service = {
  url: string;
  dataDir: string;
  logFile: string;
  /** A call with the admin's rights. */
  admin(path: string, body: object): Promise<Record<string, unknown>>;
  /** What the admin reads at an address. */
  read(path: string): Promise<string>;
  /** Starts the process and does not wait for it. */
  launch(aheadMs: number): void;
  /** Starts the process; answers the milliseconds until it listens and until it calls itself ready. */
  start(aheadMs: number): Promise<{ listensMs: number; readyMs: number }>;
  /** `kill -9`; returns when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM; throws unless the process ends well within its time. */
  stop(): Promise<void>;
};

const adminKey = "admin-key-of-the-crash-test-0123456789";
const slowestStartMs = 30_000;
const slowestStopMs = 15_000;

/** The service on one folder and one port, to be started and killed any number of times. */
export async function createService(folder: string, yaml: string): Promise<Service> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const dataDir = join(folder, "data");
  const logFile = join(folder, "service.log");
  const configFile = join(folder, "genway.yaml");
  writeFileSync(configFile, yaml);
  let child: ChildProcess | null = null;

  function launch(aheadMs: number): void {
    if (child !== null) throw new Error("the service runs already");
    const log = openSync(logFile, "a");
    child = fork(new URL("./service-entry.ts", import.meta.url), {
      cwd: folder,
      execArgv: [],
      stdio: ["ignore", log, log, "ipc"],
      env: {
        ...process.env,
        HOST: "127.0.0.1",
        PORT: String(port),
        GENWAY_DATA_DIR: dataDir,
        GENWAY_CONFIG: configFile,
        GENWAY_ADMIN_KEY: adminKey,
        GENWAY_OUTBOUND_ALLOW: "127.0.0.0/8",
        NODE_COMPILE_CACHE: join(folder, "compiled"),
        CRASH_AHEAD_MS: String(aheadMs),
      },
    });
    closeSync(log);
  }

  async function end(signal: "SIGKILL" | "SIGTERM"): Promise<string> {
    const ending = child;
    if (ending === null) throw new Error("the service does not run");
    child = null;
    if (ending.exitCode === null && ending.signalCode === null) {
      const gone = once(ending, "exit", { signal: AbortSignal.timeout(slowestStopMs) });
      ending.kill(signal);
      await gone.catch(() => ending.kill("SIGKILL"));
    }
    return ending.signalCode ?? `exit code ${ending.exitCode}`;
  }

  return {
    url,
    dataDir,
    logFile,
    launch,
    async start(aheadMs) {
      const at = performance.now();
      launch(aheadMs);
      let listensMs: number | null = null;
      while (performance.now() - at < slowestStartMs) {
        if (child?.exitCode !== null) break;
        const reply = await fetch(`${url}/ready`).catch(() => null);
        if (reply !== null) listensMs ??= performance.now() - at;
        if (reply?.status === 200) return { listensMs: listensMs ?? 0, readyMs: performance.now() - at };
        await sleep(10);
      }
      throw new Error(`the service did not become ready:\n${readFileSync(logFile, "utf8").slice(-3_000)}`);
    },
    async kill() {
      const how = await end("SIGKILL");
      if (how !== "SIGKILL") throw new Error(`the service had ended by itself (${how}):\n${readFileSync(logFile, "utf8").slice(-3_000)}`);
    },
    async stop() {
      const how = await end("SIGTERM");
      if (how !== "exit code 0") throw new Error(`the service did not stop well: ${how}`);
    },
    async read(path) {
      const reply = await fetch(url + path, { headers: { authorization: `Bearer ${adminKey}` } });
      if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
      return reply.text();
    },
    async admin(path, body) {
      const headers = { authorization: `Bearer ${adminKey}`, "content-type": "application/json" };
      const reply = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
      if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
      return (await reply.json()) as Record<string, unknown>;
    },
  };
}

/** Processes that live inside a folder; null where the system does not tell. */
export function processesIn(folder: string): number[] | null {
  if (process.platform !== "linux") return null;
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return readlinkSync(`/proc/${name}/cwd`).startsWith(folder) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}
