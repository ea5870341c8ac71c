import type { SentCallback } from "../../lab/outbox.ts";
import { processesIn } from "../../test/crash/service.ts";
import { residentMiB } from "../gateways/process-tree.ts";

/** What was seen while a run went on. */
export type Seen = { memoryMiB: number[]; callbacks: SentCallback[] };

const everyMs = 3_000;

/** Looks at the gateway's memory and at the lab's callbacks, of which the lab itself keeps the newest alone. */
export function createWatch(folder: string, list: () => SentCallback[]): { end(): Seen } {
  const memoryMiB: number[] = [];
  const callbacks = new Set<SentCallback>();
  const look = () => {
    for (const callback of list()) callbacks.add(callback);
    const [pid] = processesIn(folder) ?? [];
    const size = pid === undefined ? Number.NaN : residentMiB(pid);
    if (size > 0) memoryMiB.push(size);
  };
  const timer = setInterval(look, everyMs);
  return {
    end() {
      clearInterval(timer);
      look();
      return { memoryMiB, callbacks: [...callbacks] };
    },
  };
}
