// `node run.mjs scripts/provider-pages.ts [--write]`: the pages under docs/providers, made of what the adapters say.
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { providerPages } from "./provider-folder.ts";

const folder = join(import.meta.dirname, "../docs/providers");
const isWriting = process.argv.includes("--write");
const pages = providerPages(readFileSync(join(folder, "index.md"), "utf8"));

const stale = globSync("*.md", { cwd: folder }).filter((file) => !pages.has(file) && file !== "calls.md");
const changed = [...pages].filter(([file, text]) => textOf(file) !== text);
if (isWriting) {
  for (const file of stale) rmSync(join(folder, file));
  for (const [file, text] of changed) writeFileSync(join(folder, file), text);
}
for (const file of [...stale, ...changed.map(([name]) => name)])
  console.log(`${isWriting ? "written" : "differs"}: docs/providers/${file}`);
process.exitCode = isWriting || stale.length + changed.length === 0 ? 0 : 1;

function textOf(file: string): string | null {
  try {
    return readFileSync(join(folder, file), "utf8");
  } catch {
    return null;
  }
}
