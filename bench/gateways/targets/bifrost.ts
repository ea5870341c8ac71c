import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findOnPath, freePort, runToEnd, startChild } from "../child.ts";
import { models } from "../exchange.ts";
import { peerFolder } from "../peers.ts";
import type { Target } from "../target.ts";

export const bifrost: Target = {
  name: "bifrost",
  title: "Bifrost",
  about: "bifrost-http built with go install, one provider key, its default plugins",
  readyWithinMs: 20_000,
  async start(upstreamPort) {
    const program = findOnPath("bifrost-http") ?? (await build());
    const folder = mkdtempSync(join(tmpdir(), "genway-bifrost-"));
    const port = await freePort();
    writeFileSync(join(folder, "config.json"), configuration(upstreamPort));
    const child = startChild(program, ["-app-dir", folder, "-host", "127.0.0.1", "-port", String(port)]);
    return {
      port,
      pid: child.pid,
      headers: {},
      modelPrefix: "openai/",
      trouble: () => (child.hasEnded() ? child.lastWords() : null),
      async stop() {
        await child.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};

async function build(): Promise<string> {
  const folder = peerFolder("bifrost");
  const program = join(folder, "bifrost-http");
  if (existsSync(program)) return program;
  const go = findOnPath("go");
  if (go === null) throw new Error("neither bifrost-http nor go is on the PATH");
  console.log("Bifrost: building with go install into bench/.peers (once, at most 5 minutes)");
  await runToEnd(go, ["install", "github.com/maximhq/bifrost/transports/bifrost-http@latest"], {
    cwd: folder,
    env: { GOBIN: folder },
    withinMs: 300_000,
  });
  return program;
}

function configuration(upstreamPort: number): string {
  const keys = [{ name: "mock", value: "mock-key", models: Object.values(models), weight: 1 }];
  return JSON.stringify({ providers: { openai: { keys, network_config: { base_url: `http://127.0.0.1:${upstreamPort}` } } } });
}
