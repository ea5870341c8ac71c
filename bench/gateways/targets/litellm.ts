import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findOnPath, freePort, runToEnd, startChild } from "../child.ts";
import { models } from "../exchange.ts";
import { peerFolder } from "../peers.ts";
import type { Target } from "../target.ts";

const masterKey = "sk-bench";

export const litellm: Target = {
  name: "litellm",
  title: "LiteLLM",
  about: "litellm[proxy] from PyPI, one worker, a master key, no database: no per-key limits or spend",
  readyWithinMs: 90_000,
  async start(upstreamPort) {
    const folder = peerFolder("litellm");
    const program = await install(folder);
    const port = await freePort();
    writeFileSync(join(folder, "config.yaml"), configuration(upstreamPort));
    const env = { LITELLM_LOG: "ERROR", LITELLM_MODE: "PRODUCTION", LITELLM_LOCAL_MODEL_COST_MAP: "True", LITELLM_TELEMETRY: "False" };
    const args = ["--config", "config.yaml", "--host", "127.0.0.1", "--port", String(port), "--num_workers", "1"];
    const child = startChild(program, args, { cwd: folder, env });
    const headers = { authorization: `Bearer ${masterKey}` };
    return { port, pid: child.pid, headers, trouble: () => (child.hasEnded() ? child.lastWords() : null), stop: child.stop };
  },
};

async function install(folder: string): Promise<string> {
  const program = join(folder, "venv/bin/litellm");
  if (existsSync(program)) return program;
  const python = findOnPath("python3");
  if (python === null) throw new Error("python3 is not on the PATH");
  console.log("LiteLLM: installing from PyPI into bench/.peers (once, about 750 MB, at most 4 minutes)");
  await runToEnd(python, ["-m", "venv", "venv"], { cwd: folder, withinMs: 60_000 });
  // The two versions left out were published by thieves and steal credentials.
  const wanted = "litellm[proxy]!=1.82.7,!=1.82.8";
  await runToEnd(join(folder, "venv/bin/pip"), ["install", "--quiet", wanted], { cwd: folder, withinMs: 180_000 });
  return program;
}

function configuration(upstreamPort: number): string {
  const entries = Object.values(models).map(
    (name) =>
      `  - { model_name: ${name}, litellm_params: { model: openai/${name}, api_base: "http://127.0.0.1:${upstreamPort}/v1", api_key: mock-key } }\n`,
  );
  return `model_list:\n${entries.join("")}general_settings: { master_key: ${masterKey} }\n`;
}
