import { spawn } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ConsoleFiles } from "../http/console/pages.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The web console: as it came with the package, or built from the sources of a checkout while the service already starts. */
export function openConsole(): ConsoleFiles {
  const packed = join(root, "console");
  if (!existsSync(join(packed, "vite.config.ts"))) return { folder: packed, ready: Promise.resolve() };
  const folder = join(packed, "dist");
  return { folder, ready: isFresh(packed, folder) ? Promise.resolve() : build() };
}

/** Whether nothing of the sources is newer than what was built of them. */
function isFresh(sources: string, folder: string): boolean {
  const built = statSync(join(folder, "index.html"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const entries = readdirSync(join(sources, "src"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = [
    ...entries.map(({ parentPath, name }) => join(parentPath, name)),
    ...["index.html", "vite.config.ts"].map((name) => join(sources, name)),
  ];
  return files.every((file) => statSync(file).mtimeMs <= built);
}

function build(): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, "scripts/build-console.mjs")], { stdio: ["ignore", "inherit", "inherit"] });
    // Whatever went wrong was said by the child; the page says what to do.
    child.once("error", () => resolve());
    child.once("exit", () => resolve());
  });
}
