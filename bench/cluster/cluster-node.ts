import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export type NodeRole = "gateway" | "worker" | "both";

/** One process of the fleet, on its own folder and port, to be started and killed any number of times. */
export type ClusterNode = {
  name: string;
  role: NodeRole;
  url: string;
  logFile: string;
  pid(): number | null;
  /** Whether it has answered since it was started last. */
  isUp(): boolean;
  /** Starts the process; resolves when it answers, or has ended before that. */
  launch(): Promise<void>;
  /** `kill -9`; false when there was nothing to kill. */
  kill(): Promise<boolean>;
  /** SIGTERM; answers how it ended. */
  stop(): Promise<string>;
};

export type NodeNeeds = {
  name: string;
  role: NodeRole;
  port: number;
  folder: string;
  env: Record<string, string>;
  /** Told of every end that nobody asked for. */
  onEnd(end: { how: string; wasUp: boolean }): void;
  /** Told how long a start took until the node answered, and until it called itself ready. */
  onStart(ms: { listens: number; ready: number | null }): void;
};

const entry = new URL("../../src/cli/genway.ts", import.meta.url);
// A machine that is busy with other things may take its time.
const slowestReadyMs = 120_000;
const slowestStopMs = 15_000;

export function createNode({ name, role, port, folder, env, onEnd, onStart }: NodeNeeds): ClusterNode {
  const url = `http://127.0.0.1:${port}`;
  const home = join(folder, name);
  const logFile = join(folder, `${name}.log`);
  // As a volume is there before the service is.
  mkdirSync(join(home, "data"), { recursive: true });
  let child: ChildProcess | null = null;
  let isUp = false;

  function begin(): ChildProcess {
    const log = openSync(logFile, "a");
    const own = { PORT: String(port), GENWAY_ROLE: role, GENWAY_DATA_DIR: join(home, "data") };
    const begun = fork(entry, ["start"], {
      cwd: home,
      execArgv: [],
      stdio: ["ignore", log, log, "ipc"],
      env: { ...process.env, ...env, ...own },
    });
    closeSync(log);
    begun.once("exit", (code, signal) => {
      if (child !== begun) return;
      child = null;
      onEnd({ how: signal ?? `exit code ${code}`, wasUp: isUp });
    });
    return begun;
  }

  async function watchStart(begun: ChildProcess): Promise<void> {
    const at = performance.now();
    const since = () => performance.now() - at;
    const isOn = () => child === begun && since() < slowestReadyMs;
    const isSilent = () => !isUp && isOn();
    let listens: number | null = null;
    const ready = (async () => {
      for (; isOn(); await sleep(100)) {
        const reply = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(6_000) }).catch(() => null);
        await reply?.body?.cancel();
        if (reply === null || child !== begun) continue;
        listens ??= since();
        isUp = true;
        if (reply.status === 200) return since();
      }
      return null;
    })();
    void ready.then((ms) => {
      if (listens !== null && (ms !== null || child === begun)) onStart({ listens, ready: ms });
    });
    while (isSilent()) await sleep(20);
  }

  async function end(signal: "SIGKILL" | "SIGTERM"): Promise<string | null> {
    const ending = child;
    child = null;
    isUp = false;
    if (ending === null) return null;
    const gone = once(ending, "exit", { signal: AbortSignal.timeout(slowestStopMs) });
    ending.kill(signal);
    await gone.catch(() => ending.kill("SIGKILL"));
    return ending.signalCode ?? `exit code ${ending.exitCode}`;
  }

  return {
    name,
    role,
    url,
    logFile,
    pid: () => child?.pid ?? null,
    isUp: () => isUp,
    async launch() {
      if (child !== null) throw new Error(`${name} runs already`);
      isUp = false;
      child = begin();
      await watchStart(child);
    },
    kill: async () => (await end("SIGKILL")) !== null,
    stop: async () => (await end("SIGTERM")) ?? "it did not run",
  };
}
