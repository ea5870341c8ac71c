import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import test from "node:test";
import { surroundings } from "./scratch-project.ts";

const root = join(import.meta.dirname, "../..");
const leftOut = ["node_modules", ".git", ".toolchain", "dist", "data"];

test("the packed package installs without optional packages, answers, and brings a client", { timeout: 240_000 }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), "genway-pack-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const clone = join(folder, "clone");
  cpSync(root, clone, { recursive: true, filter: (path) => dirname(path) !== root || !leftOut.includes(basename(path)) });
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));

  // The project's .npmrc forbids install scripts, which would also forbid its own `prepack`.
  const [packed] = JSON.parse(npm(clone, "pack", "--json", "--ignore-scripts=false", "--foreground-scripts=false"));
  const names: string[] = packed.files.map((file: { path: string }) => file.path);
  assert.deepEqual(
    names.filter((name) => /\.test\.|^test\/|^src\/|(?<!\.d)\.ts$/.test(name)),
    [],
  );
  assert.ok(names.includes("dist/console/index.html") && names.some((name) => /^dist\/console\/assets\/.*\.js\.br$/.test(name)));

  const home = join(folder, "home");
  mkdirSync(home);
  writeFileSync(join(home, "package.json"), "{}");
  npm(home, "install", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", join(clone, packed.filename));
  assert.equal(existsSync(join(home, "node_modules/mediabunny")), false);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  assert.ok(npm(home, "exec", "--no", "--", "genway", "--version").includes(version));
  const program =
    'import { createClient } from "genway/client"; console.log(Object.keys(createClient({ baseUrl: "http://x" }).generate).join())';
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: home, encoding: "utf8" });
  assert.equal(printed.trim(), "video,music,lyrics,image,speech");
});

function npm(cwd: string, ...args: string[]): string {
  const given = process.env["npm_execpath"];
  const [file, before] = given?.endsWith("npm-cli.js") ? [process.execPath, [given]] : ["npm", []];
  return execFileSync(file, [...before, ...args], { cwd, env: surroundings(), encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}
