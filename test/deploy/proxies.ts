import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { runProgram, startProgram, textOf } from "./deploy-files.ts";

export type Answer = (request: IncomingMessage, reply: ServerResponse) => void;
/** What stands where a gateway would. */
export type Origin = { port: number; seen: IncomingMessage[]; stop(): Promise<void> };
export type Proxy = { url: string; stop(): Promise<void> };

/** A server that takes note of every request but the health checks, and answers as it is told. */
export async function startOrigin(answer: Answer): Promise<Origin> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, reply) => {
    if (request.url !== "/ready") seen.push(request);
    answer(request, reply);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts nginx with the file of the project, told other ports and another folder. */
export async function startNginx(ports: readonly number[]): Promise<Proxy> {
  const { folder, port, file } = await place("nginx.conf", (text, own, folderOfRun) =>
    withPorts(text, ports).replace("listen 8080;", `listen 127.0.0.1:${own};`).replaceAll("/tmp/", `${folderOfRun}/`),
  );
  // Root's own processes would otherwise not be let into a folder that is root's alone.
  const user = process.getuid?.() === 0 ? " user root;" : "";
  const child = startProgram("nginx", ["-c", file, "-p", folder, "-g", `daemon off;${user}`], {});
  return proxyOf(child, port, folder);
}

/** What `nginx -t` says of the file, with addresses in place of names that only the stack knows. */
export async function testNginx(): Promise<{ status: number | null; said: string }> {
  const { folder, file } = await place("nginx.conf", (text, _own, folderOfRun) =>
    withPorts(text, [1, 2]).replaceAll("/tmp/", `${folderOfRun}/`),
  );
  const tested = runProgram("nginx", ["-t", "-c", file, "-p", folder]);
  rmSync(folder, { recursive: true, force: true });
  return tested;
}

/** Starts Caddy with the file of the project, without its admin port. */
export async function startCaddy(ports: readonly number[]): Promise<Proxy> {
  const { folder, port, file } = await place("Caddyfile", (text) => text.replace("admin 127.0.0.1:2019", "admin off"));
  const env = {
    HOME: folder,
    GENWAY_SITE: `:${port}`,
    GENWAY_UPSTREAMS: ports.map((other) => `127.0.0.1:${other}`).join(" "),
  };
  const child = startProgram("caddy", ["run", "--config", file, "--adapter", "caddyfile"], env);
  return proxyOf(child, port, folder);
}

function withPorts(text: string, ports: readonly number[]): string {
  return ports.reduce((changed, port, index) => changed.replace(`gateway-${index + 1}:8787`, `127.0.0.1:${port}`), text);
}

async function place(name: "nginx.conf" | "Caddyfile", change: (text: string, port: number, folder: string) => string) {
  const folder = mkdtempSync(join(tmpdir(), "genway-proxy-"));
  const port = await freePort();
  const file = join(folder, name);
  writeFileSync(file, change(textOf(`deploy/${name === "Caddyfile" ? "caddy" : "nginx"}/${name}`), port, folder));
  return { folder, port, file };
}

async function proxyOf(child: ChildProcess, port: number, folder: string): Promise<Proxy> {
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (said += text));
  const url = `http://127.0.0.1:${port}`;
  const answers = async () => {
    if (child.exitCode !== null) throw new Error(said);
    return (await fetch(url).catch(() => null))?.status === 200;
  };
  await eventually(answers, { withinMs: 10_000, what: "the proxy" });
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
