import assert from "node:assert/strict";
import cluster, { type Address, type Worker } from "node:cluster";
import { once } from "node:events";
import { createServer, get } from "node:http";
import { text } from "node:stream/consumers";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { mendHandover } from "./handover.ts";

// This file is also what its workers run: they answer with the number of their process, until they are told to freeze.
if (cluster.isWorker) {
  createServer((_request, reply) => reply.setHeader("connection", "close").end(String(process.pid))).listen(0, "127.0.0.1");
  process.on("message", () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000));
} else
  test("a connection handed to a process that dies before it takes it is answered by another", { timeout: 90_000 }, async (context) => {
    cluster.schedulingPolicy = cluster.SCHED_RR;
    cluster.setupPrimary({ exec: fileURLToPath(import.meta.url), args: [], execArgv: [] });
    const first = await fork();
    const second = await fork();
    context.after(() => {
      for (const { worker } of [first, second]) worker.process.kill("SIGKILL");
    });
    const { port } = first;
    first.worker.send("freeze");
    const answers = [ask(port), ask(port)];
    const seen = await Promise.race(answers);
    assert.equal(seen, String(second.worker.process.pid), "the other one waits at the frozen process");
    first.worker.process.kill("SIGKILL");
    assert.deepEqual(await Promise.all(answers), [seen, seen]);
  });

async function fork(): Promise<{ worker: Worker; port: number }> {
  const worker = cluster.fork();
  mendHandover(worker.process);
  worker.on("error", () => {});
  const [{ port }] = (await once(worker, "listening")) as [Address];
  return { worker, port };
}

async function ask(port: number): Promise<string> {
  const [reply] = await once(get({ port, host: "127.0.0.1", agent: false }), "response");
  return text(reply);
}
