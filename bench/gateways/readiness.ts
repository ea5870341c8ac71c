import { setTimeout as pause } from "node:timers/promises";
import { plainBody, requestBytes, streamBody, streamEnd, streamWord } from "./exchange.ts";
import { runLoad, type Measured } from "./load.ts";
import type { RunningTarget } from "./target.ts";

/** Returns once the target has answered a plain request and a stream; throws with what it did instead. */
export async function awaitReady(target: RunningTarget, withinMs: number): Promise<void> {
  let last = "it did not listen";
  for (const until = performance.now() + withinMs; performance.now() < until;) {
    const trouble = target.trouble();
    if (trouble !== null) throw new Error(`it ended: ${trouble}`);
    const plain = await ask(target, plainBody("small", 0, target.modelPrefix));
    if (plain.count === 1) {
      const stream = await ask(target, streamBody(2, target.modelPrefix), { each: streamWord, count: 2, last: streamEnd });
      if (stream.count === 1) return;
      throw new Error(`it does not stream: ${reasonOf(stream)}`);
    }
    last = reasonOf(plain);
    // A refusal is an answer: waiting would not change it.
    if (last.startsWith("status 4")) break;
    await pause(100);
  }
  throw new Error(`POST /v1/chat/completions: ${last}`);
}

function ask(target: RunningTarget, body: string, words?: { each: string; count: number; last: string }): Promise<Measured> {
  const request = requestBytes(target.port, target.headers, body);
  const load = { port: target.port, request, connections: 1, requestsEach: 1, forMs: 5_000, patienceMs: 5_000 };
  return runLoad(words === undefined ? load : { ...load, words });
}

function reasonOf({ failures }: Measured): string {
  return Object.keys(failures).join(", ") || "no reply";
}
