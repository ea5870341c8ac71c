import { setTimeout as wait } from "node:timers/promises";
import type { LabCallback } from "./dialect.ts";

const pausesMs = [100, 400];
const patienceMs = 5_000;

/** Posts a callback, again after a pause where it was not taken, as upstreams do; the text of the answer, or null where there was no good one. */
export async function postCallback(
  url: URL,
  { headers, body }: LabCallback,
  stop: AbortSignal,
  note: (attempt: number, status: number) => void,
): Promise<string | null> {
  for (let attempt = 1; ; attempt++) {
    const reply = await post(url, { "content-type": "application/json", ...headers }, body, stop);
    if (stop.aborted) return null;
    note(attempt, reply?.status ?? 0);
    if (reply?.isGood) return reply.text;
    const pauseMs = pausesMs[attempt - 1];
    if (pauseMs === undefined) return null;
    await wait(pauseMs, undefined, { ref: false, signal: stop }).catch(() => undefined);
    if (stop.aborted) return null;
  }
}

async function post(url: URL, headers: Record<string, string>, body: string, stop: AbortSignal) {
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(patienceMs)]);
    const reply = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    return { status: reply.status, isGood: reply.ok, text: await reply.text() };
  } catch {
    return null;
  }
}
