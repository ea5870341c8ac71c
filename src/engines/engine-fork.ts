import { fork, type ChildProcess } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

const keptLines = 20;
// A gateway's environment holds keys; an engine needs none of them.
const passedOn = ["PATH", "HOME", "TMPDIR", "TEMP", "TMP", "LANG", "TZ", "SystemRoot", "NODE_COMPILE_CACHE", "NODE_WEBCODECS_FORCE"];

/** Starts the process of an engine, silent and with as little of our environment as it needs. */
export function forkEngine(workDir: string, memoryLimitBytes: number): ChildProcess {
  const here = import.meta.url;
  const entry = new URL(`./child${extname(fileURLToPath(here))}`, here);
  const env: NodeJS.ProcessEnv = {};
  for (const name of passedOn) if (process.env[name] !== undefined) env[name] = process.env[name];
  const child = fork(entry, [String(process.pid), String(memoryLimitBytes)], {
    cwd: workDir,
    env,
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  holdLoop(child, false);
  return child;
}

/** An idle child must not keep the gateway's process alive; a working one must, or its awaited result would never come. */
export function holdLoop(child: ChildProcess, hold: boolean): void {
  for (const handle of [child, child.channel, child.stdout, child.stderr]) {
    // Pipes of a child are sockets, which the stream type does not tell.
    if (hold) {
      if (handle && "ref" in handle && typeof handle.ref === "function") handle.ref();
    } else if (handle && "unref" in handle && typeof handle.unref === "function") handle.unref();
  }
}

/** Swallows what native libraries print, but keeps the end of it to explain a crash. */
export function keepLastLines(child: ChildProcess): string[] {
  const lines: string[] = [];
  const keep = (text: string): void => {
    for (const line of text.split("\n")) if (line.trim() !== "") lines.push(line.slice(0, 500));
    lines.splice(0, lines.length - keptLines);
  };
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", keep);
  return lines;
}
