import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LabCall } from "../../lab/calls/ledger.ts";
import { describeCallConfiguration } from "../../lab/configuration.ts";
import { createService, processesIn, type Service } from "../../test/crash/service.ts";
import { freePort } from "../../test/support/free-port.ts";

/** Gateway and lab, each a process of its own, and the customers. */
export type Stage = {
  service: Service;
  customers: { account: string; keys: string[] }[];
  /** What the lab has in its book, when no call is open any more. */
  labCalls(): Promise<LabCall[]>;
  /** Memory of the gateway's process, in bytes; 0 where the system does not tell. */
  memory(): number;
  end(): Promise<void>;
};

export type StageOptions = { accounts: number; keysEach: number; creditUsd: number };

const labKey = "lab-key-of-the-charges";

export async function setStage({ accounts, keysEach, creditUsd }: StageOptions): Promise<Stage> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "genway-charges-")));
  const port = await freePort();
  const labUrl = `http://127.0.0.1:${port}`;
  const lab = fork(new URL("../../lab/main.ts", import.meta.url), ["--port", String(port), "--key", labKey], {
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await answers(`${labUrl}/lab/totals`);
  const service = await createService(folder, describeCallConfiguration({ baseUrl: (type) => `${labUrl}/${type}` }, labKey));
  await service.start(0);
  const customers = await Promise.all(Array.from({ length: accounts }, (_none, n) => makeCustomer(service, n, keysEach, creditUsd)));
  return {
    service,
    customers,
    labCalls: () => settledCalls(labUrl),
    memory: () => (processesIn(folder) ?? []).reduce((sum, pid) => sum + memoryOf(pid), 0),
    async end() {
      await service.kill().catch(() => undefined);
      lab.kill("SIGTERM");
      if (lab.exitCode === null) await Promise.race([once(lab, "exit"), pause(3_000)]);
      if (lab.exitCode === null) lab.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function makeCustomer(service: Service, n: number, count: number, creditUsd: number): Promise<{ account: string; keys: string[] }> {
  const { id } = await service.admin("/admin/v1/accounts", { name: `account ${n}`, credit_usd: creditUsd });
  const account = String(id);
  const keys = await Promise.all(
    Array.from({ length: count }, (_none, k) => service.admin("/admin/v1/keys", { account, name: `key ${k}` })),
  );
  return { account, keys: keys.map(({ key }) => String(key)) };
}

async function settledCalls(labUrl: string): Promise<LabCall[]> {
  for (let tries = 0; ; tries++) {
    const calls = (await (await fetch(`${labUrl}/lab/calls`)).json()) as LabCall[];
    if (tries >= 60 || calls.every(({ ended }) => ended !== "open")) return calls;
    await pause(100);
  }
}

async function answers(url: string): Promise<void> {
  for (const until = Date.now() + 20_000; Date.now() < until; await pause(50)) {
    const reply = await fetch(url).catch(() => null);
    if (reply?.ok) return;
  }
  throw new Error("the lab did not start");
}

function memoryOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
