import cluster from "node:cluster";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { extname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";
import type { Config } from "../config/config.ts";
import { removeRunFile, writeRunFile } from "../config/run-file.ts";
import { randomText } from "../kit/ids.ts";
import { CommandError } from "./complaint.ts";
import { hireMember } from "./crew-hire.ts";
import type { Ending } from "./crew-roster.ts";
import { createCrew, type Crew } from "./crew.ts";
import { openConsole } from "./console-files.ts";
import { greet } from "./greeting.ts";
import { createLog } from "./log.ts";
import { stopWords } from "./stop.ts";

/** Serves in several processes behind one address until it is told to stop; this one takes connections, hands them out in turn, and replaces who dies. */
export async function leadCrew(config: Config, count: number): Promise<void> {
  const { dataDir } = config;
  const log = createLog();
  const token = randomText(48);
  const port = config.port || (await freePort(config.host));
  prepareCluster();
  // What processes of an earlier crew left half-made; each cleans up after itself alone.
  rmSync(join(dataDir, "work"), { recursive: true, force: true });
  const hire = (number: number) => hireMember({ number, token }, port, () => crew.figures());
  const crew = createCrew({ count, hire, log, clock: () => performance.now(), pause });
  // Whoever is told to stop while it starts ends what it has begun.
  const stop = obey(crew, dataDir);
  // Once for all of them.
  if (config.role !== "worker") await openConsole().ready;
  const greeting = await crew.start();
  if ("code" in greeting) throw firstFailed(greeting, count);
  const { url } = greeting;
  writeRunFile(dataDir, { pid: process.pid, url, token });
  console.log(greet(greeting, config, count));
  const renew = createRenewal(crew, log);
  const hadTerminal = isatty(0);
  // A terminal that was closed says the same as whoever wants new processes.
  process.on("SIGHUP", () => (hadTerminal && !isatty(0) ? stop("its terminal is gone") : renew()));
}

function prepareCluster(): void {
  const here = import.meta.url;
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ exec: fileURLToPath(new URL(`./genway${extname(fileURLToPath(here))}`, here)), args: ["start"] });
}

/** A port for all of them: those that follow must serve where the first one does. */
async function freePort(host: string): Promise<number> {
  const probe = createServer().listen(0, host);
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

function firstFailed({ code, signal }: Ending, count: number): CommandError {
  const how = signal ?? `exit code ${code}`;
  return new CommandError(`The first of ${count} workers ended before it served (${how}).`, { exitCode: code || 1 });
}

/** Stops the crew when this process is told to, and ends with it; answers what does so. */
function obey(crew: Crew, dataDir: string): (why: string) => void {
  let stopping = false;
  const stop = async (why: string) => {
    if (stopping) return;
    stopping = true;
    console.log(stopWords(why));
    removeRunFile(dataDir);
    const isGood = await crew.stop();
    process.exit(isGood ? 0 : 1);
  };
  process.on("SIGTERM", () => void stop("SIGTERM"));
  process.on("SIGINT", () => void stop("SIGINT"));
  process.on("disconnect", () => void stop("its parent is gone"));
  void crew.lost.then(() => {
    if (stopping) return;
    console.error("No worker is left, and none could be started five times in a row: see the lines above.");
    removeRunFile(dataDir);
    process.exit(1);
  });
  return (why) => void stop(why);
}

function createRenewal(crew: Crew, log: ReturnType<typeof createLog>): () => void {
  let isUnderWay = false;
  return () => {
    if (isUnderWay) return;
    isUnderWay = true;
    log.info({}, "the workers are replaced one after the other");
    void crew.renew().then((isDone) => {
      isUnderWay = false;
      if (isDone) log.info({}, "the workers have been replaced");
      else log.error({}, "a new worker could not start; the old ones that are left go on");
    });
  };
}
