import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";

const root = join(import.meta.dirname, "../..");

/** What the wrapper's scripts of these tests do, by their first argument. */
const script = `
const [what, value]: string[] = process.argv.slice(2);
if (what === "serve") {
  const open = setInterval(() => {}, 1000);
  process.once("SIGTERM", () => { console.log("drained"); clearInterval(open); });
}
if (what === "stay") setInterval(() => {}, 1000);
console.log(JSON.stringify({ pid: process.pid, script: process.argv[1], words: process.argv.slice(2), path: process.env["PATH"] }));
if (what === "exit") process.exit(Number(value));
`;

/** A project of no packages with the real wrapper in it, removed after the test. */
export function makeProject(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "genway-setup-"));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const file of ["run.mjs", "toolchain.mjs"]) copyFileSync(join(root, file), join(folder, file));
  writeProject(folder, {});
  writeFileSync(join(folder, "script.ts"), script);
  return folder;
}

/** Writes package.json and a lock file that fit each other. */
export function writeProject(
  folder: string,
  { engines = ">=22.18", dependencies = {} }: { engines?: string; dependencies?: Record<string, string> },
): void {
  const manifest = { name: "scratch", version: "1.0.0", type: "module", engines: { node: engines }, dependencies };
  const packages = Object.fromEntries(Object.entries(dependencies).map(([name, version]) => [`node_modules/${name}`, { version }]));
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(
    join(folder, "package-lock.json"),
    JSON.stringify({ name: "scratch", lockfileVersion: 3, packages: { "": manifest, ...packages } }),
  );
}

/** Puts this Node where the fetched one would be, and returns the arguments that make the starting Node look too old. */
export function makeNodeLookOld(folder: string): string[] {
  const table = readFileSync(join(folder, "toolchain.mjs"), "utf8");
  const [, name = "", version = ""] = new RegExp(`"${process.platform}-${process.arch}": \\[\\s*"([^"]+)",\\s*"([^"]+)"`).exec(table) ?? [];
  const bin = join(folder, ".toolchain", `${name}-${version}`, "node_modules", name, "bin/node");
  mkdirSync(dirname(bin), { recursive: true });
  symlinkSync(process.execPath, bin);
  const mask = join(folder, "mask.cjs");
  writeFileSync(mask, `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.0.0" } });`);
  return ["--require", mask];
}

export type Run = {
  child: ChildProcess;
  said(): string;
  printed(): string;
  until(sign: string): Promise<void>;
  ended: Promise<number | NodeJS.Signals>;
};

/** Starts the wrapper with plain surroundings: no npm above it, whatever runs these tests. */
export function start(
  folder: string,
  args: string[],
  { nodeArgs = [], env = {} }: { nodeArgs?: string[]; env?: Record<string, string> } = {},
): Run {
  return watch(
    spawn(process.execPath, [...nodeArgs, "run.mjs", ...args], { cwd: folder, env: surroundings(env), stdio: ["ignore", "pipe", "pipe"] }),
  );
}

/** The environment without npm's marks. */
export function surroundings(env: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { npm_lifecycle_script: _script, npm_config_omit: _omit, NODE_ENV: _mode, NODE_COMPILE_CACHE: _cache, ...rest } = process.env;
  return { ...rest, ...env };
}

export function watch(child: ChildProcess): Run {
  const text = { out: "", err: "" };
  const listeners = new Set<() => void>();
  const hear = (where: "out" | "err") => (chunk: string) => {
    text[where] += chunk;
    for (const listener of listeners) listener();
  };
  child.stdout?.setEncoding("utf8").on("data", hear("out"));
  child.stderr?.setEncoding("utf8").on("data", hear("err"));
  const until = (sign: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (text.out.includes(sign)) resolve();
      };
      listeners.add(look);
      look();
    });
  const ended = once(child, "close").then(() => child.signalCode ?? child.exitCode ?? -1);
  return { child, said: () => text.err, printed: () => text.out, until, ended };
}
