/** A thread that asks one address again and again and keeps the times, away from the load's own event loop. */
import { parentPort, workerData } from "node:worker_threads";
import { Pool } from "undici";

const { url, path, forMs } = workerData as { url: string; path: string; forMs: number };
const pool = new Pool(url, { connections: 1 });
const times: number[] = [];
for (const until = performance.now() + forMs; performance.now() < until;) {
  const from = performance.now();
  const reply = await pool.request({ method: "GET", path });
  await reply.body.dump();
  times.push(performance.now() - from);
  await new Promise((resolve) => setTimeout(resolve, 5));
}
await pool.close();
parentPort?.postMessage(times);
