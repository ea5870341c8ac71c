import { createConnection } from "node:net";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { findProgram, startProgram, type KeptProgram } from "./kept-program.ts";

/** A Redis or Valkey of our own that keeps nothing on disk. */
export async function startCache(port: number, logFile: string): Promise<KeptProgram> {
  const command = findProgram("redis-server") ?? findProgram("valkey-server");
  if (command === null) throw new Error("there is no redis-server on this machine");
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const program = await startProgram({ command, args, logFile });
  for (const until = Date.now() + 5_000; Date.now() < until && !program.hasEnded(); await sleep(20))
    if (await listens(port)) return program;
  throw new Error("redis-server did not start");
}

async function listens(port: number): Promise<boolean> {
  const socket = createConnection(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
