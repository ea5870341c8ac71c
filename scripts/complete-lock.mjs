// npm leaves optional platform packages out of the lock file when it cannot read their manifest, and `npm ci` then
// refuses the lock. This adds the missing entries, so that the lock is the same on every machine.
// Run it after every `npm install`.
import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(file, "utf8"));
const systems = ["linux", "darwin", "win32", "android", "freebsd", "openbsd", "netbsd", "openharmony", "sunos", "aix"];
const processors = ["x64", "arm64", "ia32", "arm", "ppc64", "riscv64", "s390x", "loong64", "wasm32"];
const added = [];

for (const [at, pack] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries((at !== "" && pack.optionalDependencies) || {})) {
    if (`node_modules/${name}` in lock.packages || `${at}/node_modules/${name}` in lock.packages) continue;
    const words = name
      .replace(/armv7|arm-/g, "arm-")
      .replace("windows", "win32")
      .split(/[-/]/);
    lock.packages[`node_modules/${name}`] = {
      version: version.replace(/^[\^~]/, ""),
      ...(pack.dev ? { dev: true } : {}),
      optional: true,
      os: [systems.find((system) => words.includes(system)) ?? "none"],
      cpu: [processors.find((processor) => words.includes(processor)) ?? "none"],
    };
    added.push(name);
  }
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
lock.packages = Object.fromEntries(sorted);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(added.length === 0 ? "the lock file is complete" : `added ${added.length} entries: ${added.join(", ")}`);
