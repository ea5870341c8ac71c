/** The reader thread: lists and sums, so that they never hold up a request. */
import { parentPort, workerData } from "node:worker_threads";
import { openDatabase } from "./node-sqlite.ts";
import type { Query } from "./query.ts";
import { reads, type ReadName } from "./reads.ts";

const { file } = workerData as { file: string };
const port = parentPort;
if (port === null) throw new Error("this file runs as a thread");

const { db } = openDatabase(file, "read");
port.postMessage("ready");

let last: Promise<void> = Promise.resolve();
port.on("message", (message: string) => {
  last = last.then(async () => {
    if (message === "close") {
      await db.destroy();
      port.postMessage("closed");
      port.close();
      return;
    }
    const { id, read, question } = JSON.parse(message) as { id: number; read: ReadName; question: unknown };
    try {
      const answer = await (reads[read] as (query: Query, question: unknown) => Promise<unknown>)(db, question);
      port.postMessage(JSON.stringify({ id, answer }));
    } catch (error) {
      port.postMessage(JSON.stringify({ id, error: error instanceof Error ? error.message : String(error) }));
    }
  });
});
