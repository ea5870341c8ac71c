import { readEnvironment } from "../config/environment.ts";
import { readRunFile, type RunFile } from "../config/run-file.ts";
import { errorCode } from "../kit/error-code.ts";
import { createClient, type Client, type KeyInHand } from "./client.ts";
import { CommandError, UsageError } from "./complaint.ts";
import type { Shell } from "./shell.ts";

/** Where the service is, and what the command line may show it. */
export type Connection = {
  url: string;
  dataDir: string;
  adminKey: KeyInHand | null;
  /** Whether the service runs on our data folder, so that keys for it can be kept there. */
  isOurs: boolean;
};

/** Finds the service: the address that is named, else the one that runs on the data folder. */
export function findGateway(shell: Shell, named?: string): Connection {
  const { dataDir } = readEnvironment(shell.env, shell.cwd);
  const running = runningGateway(dataDir);
  const url = named ?? (shell.env["GENWAY_URL"] || undefined);
  if (url === undefined && running === null) throw notRunning(dataDir);
  const address = url === undefined ? (running?.url ?? "") : checkAddress(url);
  // The token opens one service alone; no other may see it.
  const isOurs = running !== null && sameOrigin(running.url, address);
  const given = shell.env["GENWAY_ADMIN_KEY"];
  const adminKey = isOurs ? { text: running.token, from: "the data folder" } : given ? { text: given, from: "GENWAY_ADMIN_KEY" } : null;
  return { url: address, dataDir, adminKey, isOurs };
}

/** The service that runs on a data folder; null when there is none, or it ended without saying so. */
export function runningGateway(dataDir: string): RunFile | null {
  const run = readRunFile(dataDir);
  return run !== null && isAlive(run.pid) ? { ...run, url: reachable(run.url) } : null;
}

/** The service, spoken to as its operator. */
export function adminClient(shell: Shell, named?: string): Client {
  const { url, adminKey } = findGateway(shell, named);
  if (adminKey === null) throw new CommandError(`This needs the admin key of ${url}: set GENWAY_ADMIN_KEY.`);
  return createClient(url, adminKey);
}

function notRunning(dataDir: string): CommandError {
  return new CommandError(
    `Genway is not running: start it with \`npm start\`.\n(No service uses the data folder ${dataDir}; GENWAY_DATA_DIR names another folder, --url a service elsewhere.)`,
  );
}

function checkAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`"${text}" is no address of a service: write it like http://127.0.0.1:8787.`);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/** A service that listens on every address is reached on this machine's own. */
function reachable(url: string): string {
  return url.replace("//0.0.0.0", "//127.0.0.1").replace("//[::]", "//[::1]");
}

function sameOrigin(a: string, b: string): boolean {
  const origin = (text: string) => URL.parse(text.replace("//localhost", "//127.0.0.1"))?.origin;
  return origin(a) === origin(b);
}
