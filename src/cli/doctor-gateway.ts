import { ConfigError, loadConfig, type Config } from "../config/config.ts";
import { readRunFile, type RunFile } from "../config/run-file.ts";
import { fitting } from "../config/shape.ts";
import { adapters } from "../providers/index.ts";
import { createClient } from "./client.ts";
import type { Finding } from "./finding.ts";
import { HealthReply, ReadyReply } from "./records.ts";
import type { Shell } from "./shell.ts";

/** Reads the configuration as a start would; a wrong one gives a finding for each problem, with its place. */
export function checkConfiguration(shell: Shell): { findings: Finding[]; config: Config | null } {
  const what = "configuration";
  try {
    const config = loadConfig({ env: shell.env, cwd: shell.cwd, adapters });
    return { findings: [{ verdict: "ok", what, says: config.file ?? "none, so local mode" }], config };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const findings = error.problems.map(({ file, line, column, path, says }): Finding => {
      const place = line === null ? file : `${file}:${line}:${column}`;
      return { verdict: "wrong", what, says: `${place}  ${path === "" ? "" : `${path}: `}${says}` };
    });
    return { findings, config: null };
  }
}

/** Whether the service runs on the data folder, answers, and is well. */
export async function checkGateway(dataDir: string, running: RunFile | null): Promise<Finding[]> {
  const what = "service";
  if (running === null) {
    const stale = readRunFile(dataDir) === null ? "" : " (the last one ended without saying so)";
    return [{ verdict: "note", what, says: `not running${stale}: start it with npm start` }];
  }
  const { pid, url } = running;
  const client = createClient(url, null);
  try {
    const { version } = await client.ask(HealthReply, "GET", "/health", { signal: AbortSignal.timeout(answerMs) });
    return [{ verdict: "ok", what, says: `version ${version} at ${url}, process ${pid}` }, ...(await checkReadiness(url))];
  } catch (error) {
    return [{ verdict: "wrong", what, says: `process ${pid} runs, but: ${error instanceof Error ? error.message : String(error)}` }];
  }
}

const answerMs = 5_000;
const notYet = "not checked yet";

async function checkReadiness(url: string): Promise<Finding[]> {
  // Not by the client: 503 is an answer here, and its checks say why.
  const response = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(answerMs) });
  const { checks } = readiness(await response.json());
  return Object.entries(checks).map(([name, says]) => ({
    verdict: says === "ok" ? "ok" : says === notYet ? "note" : "wrong",
    what: `ready: ${name}`,
    says,
  }));
}

function readiness(reply: unknown): { checks: Record<string, string> } {
  return fitting(ReadyReply, reply) ?? { checks: { answer: "cannot be read" } };
}
