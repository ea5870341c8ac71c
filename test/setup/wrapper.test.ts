import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { makeNodeLookOld, makeProject, start, surroundings, watch, writeProject } from "./scratch-project.ts";

test("the first run installs, the next ones do not, until the lock file changes", async (t) => {
  const folder = makeProject(t);
  const says = async () => {
    const run = start(folder, ["script.ts"]);
    assert.equal(await run.ended, 0, run.said());
    return run.said();
  };
  assert.match(await says(), /genway: installing dependencies \(first time, about a minute\)\n.*genway: done in \d+ s/s);
  assert.equal(await says(), "");
  writeProject(folder, { engines: ">=22" });
  assert.match(await says(), /installing dependencies \(the lock file or Node changed\)/);
  assert.equal(await says(), "");
});

test("a script finds its own name and words, and its exit code is the wrapper's", async (t) => {
  const folder = makeProject(t);
  const run = start(folder, ["script.ts", "exit", "7"]);
  assert.equal(await run.ended, 7);
  const seen = JSON.parse(run.printed());
  assert.deepEqual([seen.script, seen.words], [join(folder, "script.ts"), ["exit", "7"]]);
});

test("two runners at once install once and both run", async (t) => {
  const folder = makeProject(t);
  const runs = [start(folder, ["script.ts"]), start(folder, ["script.ts"])];
  for (const run of runs) assert.equal(await run.ended, 0, run.said());
  const installs = runs.filter((run) => run.said().includes("installing"));
  assert.equal(installs.length, 1);
});

test("the lock of a killed runner is broken at once", async (t) => {
  const folder = makeProject(t);
  const dead = spawnSync(process.execPath, ["--version"]).pid;
  mkdirSync(join(folder, ".toolchain"));
  writeFileSync(join(folder, ".toolchain/lock"), `${hostname()} ${dead} 1`);
  const run = start(folder, ["script.ts"]);
  assert.equal(await run.ended, 0, run.said());
  assert.doesNotMatch(run.said(), /waiting/);
});

test("the lock of a living runner is waited for", async (t) => {
  const folder = makeProject(t);
  const lock = join(folder, ".toolchain/lock");
  mkdirSync(join(folder, ".toolchain"));
  writeFileSync(lock, `${hostname()} ${process.pid} 1`);
  const run = start(folder, ["script.ts"]);
  await new Promise<void>((resolve) => run.child.stderr?.once("data", () => resolve()));
  assert.equal(run.said(), "genway: waiting for another runner that is setting up\n");
  rmSync(lock);
  assert.equal(await run.ended, 0, run.said());
});

test("packages that somebody's own npm ci brought are used as they are", async (t) => {
  const folder = makeProject(t);
  writeProject(folder, { dependencies: { left: "1.0.0" } });
  mkdirSync(join(folder, "node_modules"));
  const list = (version: string) =>
    writeFileSync(join(folder, "node_modules/.package-lock.json"), JSON.stringify({ packages: { "node_modules/left": { version } } }));
  list("1.0.0");
  const run = start(folder, ["script.ts"]);
  assert.equal(await run.ended, 0, run.said());
  assert.equal(run.said(), "");
});

test("without a registry it says so in a sentence and ends with 1", async (t) => {
  const folder = makeProject(t);
  writeProject(folder, { dependencies: { left: "1.0.0" } });
  const env = { npm_config_registry: "http://127.0.0.1:9/", npm_config_fetch_retries: "0", npm_config_cache: join(folder, "cache") };
  const run = start(folder, ["script.ts"], { env });
  assert.equal(await run.ended, 1);
  assert.match(run.said(), /\ngenway: the npm registry cannot be reached; .*\n$/);
  assert.equal(run.printed(), "");
});

test("npm ends with the runner that started it, so that the next one never meets it half way", { timeout: 90_000 }, async (t) => {
  const folder = makeProject(t);
  writeProject(folder, { dependencies: { left: "1.0.0" } });
  const registry = createServer().listen(0, "127.0.0.1");
  t.after(() => registry.close());
  await once(registry, "listening");
  const address = registry.address();
  assert.ok(address !== null && typeof address === "object");
  const env = { npm_config_registry: `http://127.0.0.1:${address.port}/`, npm_config_cache: join(folder, "cache") };
  const run = start(folder, ["script.ts"], { env });
  const [socket] = await once(registry, "connection");
  run.child.kill("SIGKILL");
  await once(socket.on("error", () => {}).resume(), "close");
});

test("a Node that is too old, with none to fetch, is refused in a sentence", async (t) => {
  const folder = makeProject(t);
  writeProject(folder, { engines: ">=99" });
  const run = start(folder, ["script.ts"]);
  assert.equal(await run.ended, 1);
  assert.match(run.said(), /^genway: Node [\d.]+ is too old and there is none to fetch for this platform; install Node 99 or later\n$/);
});

test("npm's shell going away ends the script like SIGTERM", { skip: process.platform === "win32" }, async (t) => {
  const folder = makeProject(t);
  const command = `"${process.execPath}" run.mjs script.ts serve; true`;
  const shell = spawn("sh", ["-c", command], {
    cwd: folder,
    env: surroundings({ npm_lifecycle_script: command }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const run = watch(shell);
  await run.until("pid");
  shell.kill("SIGKILL");
  await run.ended;
  assert.match(run.printed(), /drained/);
});

test("under a Node that is too old the fetched one runs the script", { skip: process.platform === "win32" }, async (t) => {
  const folder = makeProject(t);
  const nodeArgs = makeNodeLookOld(folder);

  await t.test("with the exit code repeated and PATH leading to the fetched Node", async () => {
    const run = start(folder, ["script.ts", "exit", "5"], { nodeArgs });
    assert.equal(await run.ended, 5, run.said());
    const seen = JSON.parse(run.printed());
    assert.notEqual(seen.pid, run.child.pid);
    assert.ok(seen.path.startsWith(join(folder, ".toolchain")), seen.path);
  });

  await t.test("with SIGTERM passed on, and a script that drains ends with 0", async () => {
    const run = start(folder, ["script.ts", "serve"], { nodeArgs });
    await run.until("pid");
    run.child.kill("SIGTERM");
    assert.equal(await run.ended, 0, run.said());
    assert.match(run.printed(), /drained/);
  });

  await t.test("with the signal repeated that ended the script", async () => {
    const run = start(folder, ["script.ts", "stay"], { nodeArgs });
    await run.until("pid");
    process.kill(JSON.parse(run.printed()).pid, "SIGKILL");
    assert.equal(await run.ended, "SIGKILL");
  });

  await t.test("and the script drains when the wrapper is killed", async () => {
    const run = start(folder, ["script.ts", "serve"], { nodeArgs });
    await run.until("pid");
    run.child.kill("SIGKILL");
    await run.ended;
    assert.match(run.printed(), /drained/);
  });
});
