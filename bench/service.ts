import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readRunFile } from "../src/config/run-file.ts";

export type BenchService = {
  url: string;
  dataDir: string;
  process: ChildProcess;
  /** A key of a new account with that much credit. */
  customer(creditUsd: number): Promise<string>;
  stop(): Promise<void>;
};

/** Starts the real service as a process of its own, or as several on PostgreSQL, in a folder of its own. */
export async function startService(yaml: string | null, workers = 1): Promise<BenchService> {
  const dataDir = mkdtempSync(join(tmpdir(), "genway-bench-"));
  const file = join(dataDir, "genway.yaml");
  if (yaml !== null) writeFileSync(file, yaml);
  const env = {
    ...process.env,
    HOST: "127.0.0.1",
    PORT: "0",
    GENWAY_DATA_DIR: dataDir,
    LOG_LEVEL: "error",
    ...(yaml === null ? {} : { GENWAY_CONFIG: file }),
  };
  const child = fork(new URL("../src/cli/genway.ts", import.meta.url), ["start", "--workers", String(workers)], {
    env,
    cwd: dataDir,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const { url, token } = await running(dataDir, child);
  const admin = async (path: string, body: object) => {
    const reply = await fetch(url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return (await reply.json()) as Record<string, string>;
  };
  return {
    url,
    dataDir,
    process: child,
    async customer(creditUsd) {
      const account = `bench ${Math.random()}`;
      await admin("/admin/v1/accounts", { name: account, credit_usd: creditUsd });
      return (await admin("/admin/v1/keys", { account, name: "bench" }))["key"] ?? "";
    },
    async stop() {
      child.kill("SIGTERM");
      await once(child, "exit");
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function running(dataDir: string, child: ChildProcess): Promise<{ url: string; token: string }> {
  for (const until = Date.now() + 30_000; Date.now() < until;) {
    const run = readRunFile(dataDir);
    if (run !== null) return run;
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the service did not start");
}

/** Processor seconds that a process has used, all its threads together; NaN where the system does not tell. */
export function processorSeconds(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}

/** The value below which a share of a sorted list lies. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
