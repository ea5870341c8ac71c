import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Load, Measured } from "./load.ts";

export type LoadThread = { run(load: Load): Promise<Measured>; stop(): Promise<void> };

/** The load generator, away from the event loop that measures; the same warm thread for every target. */
export function startLoadThread(): LoadThread {
  const worker = new Worker(new URL("./generator.ts", import.meta.url));
  return {
    async run(load) {
      const answer = once(worker, "message");
      worker.postMessage(load);
      return ((await answer) as [Measured])[0];
    },
    async stop() {
      await worker.terminate();
    },
  };
}
