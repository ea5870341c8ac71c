import { existsSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findOnPath, freePort, runToEnd, startChild } from "../child.ts";
import { peerFolder } from "../peers.ts";
import type { Target } from "../target.ts";

/** The pinned pair: with later versions of it this release answers every stream with a 500. */
const manifest = {
  private: true,
  dependencies: { "@portkey-ai/gateway": "1.15.2" },
  overrides: { "@hono/node-server": "1.13.5", hono: "4.9.7" },
};

export const portkey: Target = {
  name: "portkey",
  title: "Portkey",
  about: "@portkey-ai/gateway 1.15.2 from npm on the same Node, started headless; it has no keys, limits or metering of its own",
  readyWithinMs: 20_000,
  async start(upstreamPort) {
    const program = await install();
    const port = await freePort();
    const child = startChild(process.execPath, [program, "--headless", `--port=${port}`], { env: { NODE_ENV: "production" } });
    const headers = {
      authorization: "Bearer mock-key",
      "x-portkey-provider": "openai",
      "x-portkey-custom-host": `http://127.0.0.1:${upstreamPort}/v1`,
    };
    return { port, pid: child.pid, headers, trouble: () => (child.hasEnded() ? child.lastWords() : null), stop: child.stop };
  },
};

async function install(): Promise<string> {
  const folder = peerFolder("portkey");
  const program = join(folder, "node_modules/@portkey-ai/gateway/build/start-server.js");
  if (existsSync(program)) return program;
  const npm = findNpm();
  if (npm === null) throw new Error("there is no npm to install it with");
  console.log("Portkey: installing from the npm registry into bench/.peers (once, 25 MB, no install scripts)");
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  await runToEnd(process.execPath, [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, withinMs: 120_000 });
  return program;
}

/** npm's own script: the one that started us, else the one beside this Node, else the one on the PATH. */
function findNpm(): string | null {
  const beside = join(dirname(process.execPath), "../lib/node_modules/npm/bin/npm-cli.js");
  const onPath = findOnPath("npm");
  const places = [process.env["npm_execpath"], beside, onPath === null ? undefined : realpathSync(onPath)];
  return places.find((place) => place?.endsWith("npm-cli.js") === true && existsSync(place)) ?? null;
}
