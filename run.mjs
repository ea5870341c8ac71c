// Runs a script of this project on any machine with Node 18 or later: `node run.mjs <script.ts> [args]`.
// The first time it fetches what is missing (see toolchain.mjs); without a script that is all it does.
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import module from "node:module";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { fetchNode, home, installDependencies, isAlive, nodeFits, root, say } from "./toolchain.mjs";

const [script, ...args] = process.argv.slice(2);

endWithParent();
process.env.NODE_COMPILE_CACHE ??= join(home, "compile-cache");
const isHere = nodeFits();
const node = await setUp().catch((error) => {
  say(error.message);
  process.exit(1);
});
if (!isHere) runElsewhere(node);
else if (script) await runHere();

async function setUp() {
  if (!isHere) return fetchNode();
  await installDependencies();
  return process.execPath;
}

/** The script takes this process over, as if Node had been started with it. */
async function runHere() {
  const path = resolve(root, script);
  module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
  process.argv.splice(1, Infinity, path, ...args);
  await import(pathToFileURL(path).href);
}

/** Starts this file again under the Node that fits, and stands for it: signals go in, the exit code or signal comes out. */
function runElsewhere(bin) {
  process.env.PATH = dirname(bin) + delimiter + process.env.PATH;
  const child = spawn(bin, [fileURLToPath(new URL("run.mjs", import.meta.url)), ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  // A terminal sends Ctrl-C to the whole group: the child has it already.
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
  child.once("error", (error) => {
    say(`cannot start ${bin}: ${error.message}`);
    process.exit(1);
  });
  child.once("exit", (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Ends this process like SIGTERM when the one that started it is gone: npm's shell dies without telling. */
function endWithParent() {
  const end = () => process.emit("SIGTERM", "SIGTERM", 15) || process.exit(143);
  if (process.channel) {
    process.once("disconnect", end);
    process.channel.unref();
    return;
  }
  const command = process.env.npm_lifecycle_script;
  if (!command || process.platform === "win32") return;
  const parent = process.ppid;
  const seen = describe(parent);
  // The parent is npm's shell, or npm itself where the shell replaced itself with us; after npm, nobody is our business.
  const npm = seen.args.includes(command) ? seen.parent : 0;
  const watch = setInterval(() => {
    if (process.ppid === parent && (npm === 0 || isParentOf(parent, npm))) return;
    clearInterval(watch);
    end();
  }, 300);
  watch.unref();
}

function isParentOf(pid, parent) {
  // Linux tells at no cost, and a dead npm may linger there as a zombie; elsewhere asking `ps` each time would cost too much.
  return process.platform === "linux" ? describe(pid).parent === parent : isAlive(parent);
}

/** Parent and command line of a process; empty when the system does not tell. */
function describe(pid) {
  try {
    if (process.platform === "linux") {
      const afterName = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1);
      return { parent: Number(afterName.split(" ")[1]), args: readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ") };
    }
    const line = execFileSync("ps", ["-o", "ppid=,args=", "-p", String(pid)], { encoding: "utf8" }).trim();
    return { parent: Number.parseInt(line, 10), args: line };
  } catch {
    return { parent: 0, args: "" };
  }
}
