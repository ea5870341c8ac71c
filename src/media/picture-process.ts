import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { PictureJob, PictureReply } from "./picture-job.ts";

const timeoutMs = 60_000;
const mostAtOnce = 2;

// A service's environment holds keys; this needs none of them.
const passedOn = ["PATH", "HOME", "TMPDIR", "TEMP", "TMP", "LANG", "SystemRoot", "NODE_COMPILE_CACHE"];

const waiting: (() => void)[] = [];
let running = 0;

/** Does something with pictures in a process of its own: what kills it, or keeps it too long, fails this picture alone. */
export async function runPictureJob(job: PictureJob): Promise<PictureReply> {
  if (running >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await runChild(job);
  } finally {
    const next = waiting.shift();
    // The place goes straight to who waits for it.
    if (next) next();
    else running--;
  }
}

function runChild(job: PictureJob): Promise<PictureReply> {
  const here = import.meta.url;
  const entry = fileURLToPath(new URL(`./picture-child${here.slice(here.lastIndexOf("."))}`, here));
  return new Promise((resolve) => {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => passedOn.includes(name)));
    const child = fork(entry, [], { serialization: "advanced", stdio: ["ignore", "ignore", "ignore", "ipc"], execArgv: [], env });
    const timer = setTimeout(() => end(failed("The picture takes too long to decode.")), timeoutMs);
    const end = (reply: PictureReply) => {
      clearTimeout(timer);
      child.kill("SIGKILL");
      resolve(reply);
    };
    child.once("message", (message) => end(isReply(message) ? message : failed("The picture cannot be read.")));
    child.once("error", () => end(failed("The picture cannot be read.")));
    child.once("exit", () => end(failed("The picture cannot be read.")));
    child.send(job, (error) => error && end(failed("The picture cannot be read.")));
  });
}

function failed(says: string): PictureReply {
  return { state: "failed", says };
}

function isReply(message: unknown): message is PictureReply {
  return typeof message === "object" && message !== null && "state" in message;
}
