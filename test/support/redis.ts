import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { freePort } from "./free-port.ts";

/** A Redis of this test's own, in memory alone, gone when the test process ends. */
export interface TemporaryRedis {
  url: string;
  /** Ends it as a crash would; what it knew is lost. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
  /** Makes it silent without ending it, and lets it go on. */
  freeze(): void;
  thaw(): void;
}

const programs = ["redis-server", "valkey-server"];

/** The program that can be started here, or null. */
export function findRedis(): string | null {
  return programs.find((program) => spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0) ?? null;
}

/** Starts one on a free loopback port; null where the machine has none. */
export async function startRedis(): Promise<TemporaryRedis | null> {
  const program = findRedis();
  if (program === null) return null;
  const port = await freePort();
  let server = await launch(program, port);
  process.once("exit", () => server.kill("SIGKILL"));
  return {
    url: `redis://127.0.0.1:${port}`,
    async kill() {
      server.ref();
      const ended = once(server, "exit");
      server.kill("SIGKILL");
      await ended;
    },
    async start() {
      server = await launch(program, port);
    },
    freeze: () => void server.kill("SIGSTOP"),
    thaw: () => void server.kill("SIGCONT"),
  };
}

function launch(program: string, port: number): Promise<ChildProcess> {
  const settings = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--logfile", ""];
  const server = spawn(program, settings, { stdio: ["ignore", "pipe", "ignore"] });
  return new Promise((resolve, reject) => {
    let words = "";
    server.once("error", reject);
    server.once("exit", () => reject(new Error(`${program} ended at its start: ${words.trim()}`)));
    server.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      words += chunk;
      if (!/ready to accept connections/i.test(words)) return;
      server.removeAllListeners("exit").unref();
      server.stdout.removeAllListeners("data").resume();
      resolve(server);
    });
  });
}
