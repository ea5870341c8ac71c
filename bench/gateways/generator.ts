/** A thread that makes the loads it is told to make, one at a time. */
import { parentPort } from "node:worker_threads";
import { runLoad, type Load } from "./load.ts";

parentPort?.on("message", async (load: Load) => parentPort?.postMessage(await runLoad(load)));
