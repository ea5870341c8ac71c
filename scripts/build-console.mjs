import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, "console");
const target = join(source, "dist");
const brotli = promisify(brotliCompress);
const squeeze = promisify(gzip);
const stamp = "sources.sha256";
/** What the console is made of beside its own folder. */
const shared = ["package-lock.json", "src/client/event-stream.ts"];

/** Builds the console into console/dist unless what is there was made from the same sources; true when it was built. */
export async function buildConsole({ force = false, say = (line) => console.log(line) } = {}) {
  if (!existsSync(join(source, "index.html"))) return false;
  const hash = await hashSources();
  if (!force && (await builtFrom()) === hash) {
    // Whoever goes by times sees that it is newer than its sources.
    await utimes(join(target, "index.html"), new Date(), new Date());
    return false;
  }
  const started = Date.now();
  const vite = await import("vite").catch(() => null);
  if (vite === null) {
    say("the console is not built, because the packages for that are left out here; everything else works without it");
    return false;
  }
  say("building the console (once)");
  const scratch = await scratchFolder();
  try {
    const made = join(scratch, "made");
    await vite.build({ configFile: join(source, "vite.config.ts"), logLevel: "warn", build: { outDir: made, emptyOutDir: true } });
    await compress(made);
    await writeFile(join(made, stamp), `${hash}\n`);
    await put(made, scratch, hash);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  say(`the console was built in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return true;
}

/** Puts a smaller copy beside each text, so that nothing is compressed while serving. */
async function compress(folder) {
  const texts = (await listFiles(folder)).filter((file) => /\.(?:css|html|js|svg)$/.test(file));
  await Promise.all(
    texts.map(async (file) => {
      const bytes = await readFile(file);
      if (bytes.length < 1000) return;
      await writeFile(`${file}.br`, await brotli(bytes));
      await writeFile(`${file}.gz`, await squeeze(bytes, { level: 9 }));
    }),
  );
}

async function builtFrom() {
  const text = await readFile(join(target, stamp), "utf8").catch(() => "");
  return text.trim();
}

/** A folder on the same file system as the target, so that renaming is one step; inside node_modules nothing watches it. */
async function scratchFolder() {
  const parent = join(root, "node_modules", ".cache");
  await mkdir(parent, { recursive: true });
  return mkdtemp(join(parent, "console-"));
}

/** Puts a finished build in its place; whoever builds at the same time may be first, then theirs stays. */
async function put(made, scratch, hash) {
  for (let attempt = 0; attempt < 5; attempt++) {
    await rename(target, join(scratch, `old-${attempt}`)).catch(() => undefined);
    try {
      await rename(made, target);
      return;
    } catch (error) {
      if ((await builtFrom()) === hash) return;
      if (attempt === 4) throw error;
    }
  }
}

async function hashSources() {
  const files = [...(await listFiles(source)), ...shared.map((name) => join(root, name))];
  const hash = createHash("sha256");
  for (const file of files.toSorted((a, b) => (a < b ? -1 : 1)))
    hash
      .update(`${relative(root, file)}\0`)
      .update(await readFile(file))
      .update("\0");
  return hash.digest("hex");
}

async function listFiles(folder) {
  const found = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (path === target) continue;
    if (entry.isDirectory()) found.push(...(await listFiles(path)));
    else if (entry.isFile()) found.push(path);
  }
  return found;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const isBuilt = await buildConsole({ force: process.argv.includes("--force") });
  if (!isBuilt && existsSync(join(target, "index.html"))) console.log("the console is up to date");
}
