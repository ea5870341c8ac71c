import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createConnection } from "node:net";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { findPostgres, startPostgres } from "../support/postgres.ts";
import { watch } from "./scratch-project.ts";

const skip = findPostgres() === null && "needs PostgreSQL";

test("a temporary PostgreSQL answers, writes to disk as PostgreSQL does by default, and is gone after stop", { skip }, async () => {
  const server = await startPostgres();
  assert.ok(server !== null);
  const client = new pg.Client(server.url);
  await client.connect();
  const { rows } = await client.query("select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit");
  assert.deepEqual(rows, [{ fsync: "on", commit: "on" }]);
  await client.end();
  await server.stop();
  await assert.rejects(client.connect());
  assert.equal(await answers(server.url), false);
});

test("a temporary PostgreSQL is gone when the test that started it was killed", { skip, timeout: 60_000 }, async () => {
  const support = new URL("../support/postgres.ts", import.meta.url).href;
  const script = `const { startPostgres } = await import("${support}"); console.log((await startPostgres()).url + " up"); setInterval(() => {}, 1000);`;
  const run = watch(spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] }));
  await run.until(" up");
  const url = run.printed().replace(" up\n", "");
  assert.equal(await answers(url), true);
  run.child.kill("SIGKILL");
  while (await answers(url)) await pause(20);
});

async function answers(url: string): Promise<boolean> {
  const socket = createConnection(Number(new URL(url).port), "127.0.0.1");
  const isOpen = await new Promise<boolean>((resolve) => socket.once("connect", () => resolve(true)).once("error", () => resolve(false)));
  socket.destroy();
  return isOpen;
}
