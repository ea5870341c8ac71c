import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readRunFile } from "../../src/config/run-file.ts";

/** `genway start --workers N` as an operator runs it. */
export type CrewRun = {
  url: string;
  lead: ChildProcess;
  /** All that it has printed so far. */
  said(): string;
  /** The numbers of its processes, without the one that looks after them. */
  pids(): number[];
  admin(path: string, body?: object): Promise<Record<string, unknown>>;
  /** A figure of /metrics by its name with labels, all that match it, in the order of the workers. */
  figures(pattern: RegExp): Promise<number[]>;
  /** Sends a signal and answers how the process ended. */
  end(signal: "SIGTERM" | "SIGINT" | "SIGKILL"): Promise<string>;
};

const entry = fileURLToPath(new URL("../../src/cli/genway.ts", import.meta.url));
const slowestStartMs = 60_000;

export type StartOptions = { workers: string; yaml: string | null; env?: Record<string, string> };

/** Starts it in a folder of its own and does not wait. */
export function launch(folder: string, { workers, yaml, env = {} }: StartOptions): { lead: ChildProcess; said(): string } {
  mkdirSync(folder, { recursive: true });
  if (yaml !== null) writeFileSync(join(folder, "genway.yaml"), yaml);
  const lead = spawn(process.execPath, [entry, "start", "--workers", workers], {
    cwd: folder,
    env: { ...process.env, HOST: "127.0.0.1", PORT: "0", NODE_COMPILE_CACHE: join(folder, "../compiled"), ...env },
    // With a channel it ends when this process does.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let words = "";
  for (const stream of [lead.stdout, lead.stderr]) stream?.setEncoding("utf8").on("data", (text: string) => (words += text));
  return { lead, said: () => words };
}

/** Starts it and returns when it serves. */
export async function startCrew(folder: string, options: StartOptions): Promise<CrewRun> {
  const { lead, said } = launch(folder, options);
  const dataDir = join(folder, "data");
  const until = Date.now() + slowestStartMs;
  let run = readRunFile(dataDir);
  // An earlier one may have been killed and have left its file.
  for (; run?.pid !== lead.pid && lead.exitCode === null && Date.now() < until; run = readRunFile(dataDir)) await sleep(20);
  if (run === null || run.pid !== lead.pid) {
    lead.kill("SIGKILL");
    throw new Error(`the crew did not start:\n${said()}`);
  }
  const { url, token } = run;
  // One connection each: the worker at the other end of a kept one may be killed.
  const headers = { authorization: `Bearer ${token}`, connection: "close" };
  return {
    url,
    lead,
    said,
    pids: () => childrenOf(lead.pid ?? 0),
    async admin(path, body) {
      const json = { ...headers, "content-type": "application/json" };
      const reply = await fetch(
        url + path,
        body === undefined ? { headers } : { method: "POST", headers: json, body: JSON.stringify(body) },
      );
      if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
      return (await reply.json()) as Record<string, unknown>;
    },
    async figures(pattern) {
      const text = await (await fetch(`${url}/metrics`, { headers })).text();
      return text.split("\n").flatMap((line) => (pattern.test(line) ? Number(line.split(" ").at(-1)) : []));
    },
    async end(signal) {
      const ended = once(lead, "exit");
      lead.kill(signal);
      const [code, by] = (await ended) as [number | null, string | null];
      return by ?? `exit code ${code}`;
    },
  };
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function childrenOf(parent: number): number[] {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  return rows.map((row) => row.trim().split(/\s+/).map(Number)).flatMap(([pid = 0, ppid]) => (ppid === parent ? pid : []));
}

export type Load = {
  answered: number;
  /** Connections that ended while they were used again. */
  cut: number;
  /** What else went wrong. */
  failed: string[];
  stop(): Promise<void>;
};

/** Asks over a few connections that stay open, again and again, until it is stopped. */
export function keepAsking(url: string, connections: number): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const load: Load = { answered: 0, cut: 0, failed: [], stop };
  const stopping = new AbortController();
  const loops = Array.from({ length: connections }, async () => {
    for (; !stopping.signal.aborted; await sleep(10)) await ask();
  });
  async function ask(): Promise<void> {
    const sent = request(`${url}/health`, { agent });
    const outcome = await new Promise<string>((resolve) => {
      sent.once("error", (error) => resolve(error.message));
      sent.once("response", (reply) => {
        reply.once("error", (error) => resolve(error.message)).resume();
        reply.once("end", () => resolve(String(reply.statusCode)));
      });
      sent.end();
    });
    if (outcome === "200") load.answered++;
    // A server may end a connection that rests, at the very moment in which it is used again: every client tries anew then.
    else if (sent.reusedSocket) load.cut++;
    else load.failed.push(outcome);
  }
  async function stop(): Promise<void> {
    stopping.abort();
    await Promise.all(loops);
    agent.destroy();
  }
  return load;
}
