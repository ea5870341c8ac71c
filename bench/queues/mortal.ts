import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Word } from "./child-word.ts";
import type { Order } from "./child.ts";

/** A process that does as told and dies with us. */
export function startChild(order: Order, execArgv: string[] = []): ChildProcess {
  const child = fork(new URL("./child.ts", import.meta.url), { stdio: ["ignore", "inherit", "inherit", "ipc"], execArgv });
  child.send(order);
  return child;
}

/** The next thing it says. */
export async function firstWord(child: ChildProcess): Promise<Word> {
  const [word] = (await Promise.race([once(child, "message"), once(child, "exit")])) as [Word | number | null];
  if (typeof word === "object" && word !== null) return word;
  throw new Error("a process of the comparison ended by itself");
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
