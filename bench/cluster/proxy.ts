import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findProgram, startProgram, type KeptProgram } from "./kept-program.ts";

/** The nginx of deploy/nginx/nginx.conf in front of gateways on this machine. */
export async function startProxy(folder: string, port: number, gateways: readonly number[]): Promise<KeptProgram> {
  const nginx = findProgram("nginx");
  if (nginx === null) throw new Error("there is no nginx on this machine");
  const file = join(folder, "nginx.conf");
  const logFile = join(folder, "nginx.log");
  mkdirSync(join(folder, "nginx"));
  const shipped = readFileSync(new URL("../../deploy/nginx/nginx.conf", import.meta.url), "utf8");
  writeFileSync(file, configurationOf(shipped, { folder: join(folder, "nginx"), port, gateways }));
  const program = await startProgram({ command: nginx, args: ["-c", file, "-e", "stderr", "-g", "daemon off;"], logFile });
  for (const until = Date.now() + 5_000; Date.now() < until && !program.hasEnded(); await sleep(20)) {
    if ((await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => null)) !== null) return program;
  }
  throw new Error(`nginx did not start: ${readFileSync(logFile, "utf8").slice(-2_000)}`);
}

export type ProxyPlace = { folder: string; port: number; gateways: readonly number[] };

/** The configuration that we ship, with the addresses and folders of this machine in place of its own; throws when it has none of them. */
export function configurationOf(shipped: string, { folder, port, gateways }: ProxyPlace): string {
  const [line] = /^ *server gateway-1:8787 .*;$/m.exec(shipped) ?? [];
  if (line === undefined) throw new Error("deploy/nginx/nginx.conf names no gateway-1:8787");
  const servers = gateways.map((gateway) => line.replace("gateway-1:8787", `127.0.0.1:${gateway}`)).join("\n");
  const changes: [RegExp, string][] = [
    [/^( *server gateway-\d:8787 .*;\n)+/m, `${servers}\n`],
    [/^worker_processes .*;$/m, "worker_processes 1;"],
    [/listen 8080;/, `listen 127.0.0.1:${port};`],
    [/\/tmp\//g, `${folder}/`],
  ];
  return changes.reduce((text, [found, instead]) => {
    const changed = text.replace(found, instead);
    if (changed === text) throw new Error(`deploy/nginx/nginx.conf has nothing like ${String(found)}`);
    return changed;
  }, shipped);
}
