import { statSync } from "node:fs";
import { access, constants, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Variables } from "../config/source.ts";
import { isInstalled } from "../engines/engine-packages.ts";
import { errorCode } from "../kit/error-code.ts";
import type { Finding } from "./finding.ts";
import { formatBytes } from "./wording.ts";

/** Whether this Node is one that the package runs on; `wanted` is its own word, such as ">=22.18". */
export function checkNode(version: string, wanted: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = wanted
    .replace(/^[^\d]*/, "")
    .split(".")
    .map(Number);
  const fits = major > leastMajor || (major === leastMajor && minor >= leastMinor);
  return { verdict: fits ? "ok" : "wrong", what: "Node", says: fits ? version : `${version} is too old: ${wanted} is needed` };
}

/** Whether the packages of the built-in generators are installed, as one finding, or one for each that is missing. */
export function checkPackages(
  names: readonly string[],
  isNeeded: boolean,
  resolve: (name: string) => string = import.meta.resolve,
): Finding[] {
  const missing = names.filter((name) => !isInstalled(name, resolve));
  const what = "generators";
  if (missing.length === 0) return [{ verdict: "ok", what, says: `all ${names.length} optional packages are installed` }];
  const says = (name: string) => `${name} is not installed: npm install --include=optional brings it`;
  return missing.map((name) => ({
    verdict: isNeeded ? "wrong" : "note",
    what,
    says: isNeeded ? says(name) : `${says(name)} (only the built-in provider needs it)`,
  }));
}

const leastFreeBytes = 100 * 1024 * 1024;
const scarceBytes = 1024 * 1024 * 1024;

/** The data folder: there, ours to write, with room, and its secrets for its owner alone. */
export async function checkDataFolder(dataDir: string, env: Variables): Promise<Finding[]> {
  const what = "data folder";
  const found = statSync(dataDir, { throwIfNoEntry: false });
  if (found === undefined) return [{ verdict: "note", what, says: `${dataDir} does not exist yet; the first start makes it` }];
  if (!found.isDirectory()) return [{ verdict: "wrong", what, says: `${dataDir} is not a folder` }];
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [{ verdict: "wrong", what, says: `${dataDir} cannot be read and written by this user` }];
  }
  const { bavail, bsize } = await statfs(dataDir);
  return [{ verdict: "ok", what, says: dataDir }, checkSpace(bavail * bsize), checkMasterKey(dataDir, env)];
}

/** The service stops accepting uploads and results where less than 100 MiB is free. */
export function checkSpace(freeBytes: number): Finding {
  const verdict = freeBytes < leastFreeBytes ? "wrong" : freeBytes < scarceBytes ? "note" : "ok";
  return { verdict, what: "free space", says: formatBytes(freeBytes) };
}

function checkMasterKey(dataDir: string, env: Variables): Finding {
  const what = "master key";
  if (env["GENWAY_MASTER_KEY"]) return { verdict: "ok", what, says: "from GENWAY_MASTER_KEY" };
  const path = join(dataDir, "master.key");
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return { verdict: "note", what, says: "the first start makes it" };
  const mode = (found.mode & 0o777).toString(8).padStart(3, "0");
  if (process.platform === "win32") return { verdict: "ok", what, says: path };
  if ((found.mode & 0o007) !== 0)
    return { verdict: "wrong", what, says: `${path} is open to every user (mode ${mode}): chmod 600 ${path}` };
  return {
    verdict: (found.mode & 0o070) === 0 ? "ok" : "note",
    what,
    says: `mode ${mode}${(found.mode & 0o070) === 0 ? "" : ": its group can use it too"}`,
  };
}

/** Whether the service could listen where it is told to. */
export async function checkPort(host: string, port: number, runningUrl: string | null): Promise<Finding> {
  const what = "port";
  if (port === 0) return { verdict: "ok", what, says: "a free one is picked at each start (PORT=0)" };
  if (Number(URL.parse(runningUrl ?? "")?.port) === port) return { verdict: "ok", what, says: `${port} is used by Genway itself` };
  const problem = await tryPort(host, port);
  if (problem === "") return { verdict: "ok", what, says: `${port} is free on ${host}` };
  const taken = `${port} is taken by another program: set PORT to another one`;
  return { verdict: "wrong", what, says: problem === "EADDRINUSE" ? taken : `cannot listen on ${host}:${port} (${problem})` };
}

function tryPort(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve(errorCode(error) || error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve("")));
  });
}
