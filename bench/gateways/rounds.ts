import { setTimeout as pause } from "node:timers/promises";
import { frameEveryMs, plainBody, requestBytes, streamBody, streamEnd, streamWord, type DelayMs, type Size } from "./exchange.ts";
import type { Load, Measured } from "./load.ts";
import type { LoadThread } from "./load-thread.ts";
import { processorMicros, readProcessor } from "./process-tree.ts";
import type { Samples } from "./samples.ts";
import type { RunningTarget } from "./target.ts";

export type Plan = {
  rounds: number;
  /** The load that each target gets over all rounds. */
  seconds: number;
  /** Probes of the time to the first word, in each round. */
  probes: number;
  /** Frames of each of the streams that run at once. */
  frames: number;
  warmUpMs: number;
  crowdMs: number;
};

export const streamsAtOnce = 64;
export const crowd = 1_000;
const probeFrames = 3;
const settleMs = 50;

/** A window of plain requests: how many connections, which bodies, which delay, and its share of the time of a round. */
type Cell = { connections: 1 | 32; size: Size; delayMs: DelayMs; share: number };
const cells: readonly Cell[] = [
  { connections: 1, size: "small", delayMs: 0, share: 0.16 },
  { connections: 32, size: "small", delayMs: 0, share: 0.24 },
  { connections: 1, size: "large", delayMs: 0, share: 0.12 },
  { connections: 32, size: "large", delayMs: 0, share: 0.14 },
  { connections: 1, size: "small", delayMs: 60, share: 0.1 },
  { connections: 32, size: "small", delayMs: 60, share: 0.08 },
  { connections: 1, size: "large", delayMs: 60, share: 0.1 },
  { connections: 32, size: "large", delayMs: 60, share: 0.06 },
];

type Window = { name: string; load: (target: RunningTarget) => Load; /** What a reply counts for. */ parts: number };

/** Every window is opened for one target after the other, in another order each round, so that noise of the machine falls on all of them. */
export async function measureRounds(
  targets: ReadonlyMap<string, RunningTarget>,
  thread: LoadThread,
  plan: Plan,
  samples: Samples,
  say: (line: string) => void,
): Promise<void> {
  for (const target of targets.values()) await warmUp(target, thread, plan);
  const windows = windowsOf(plan);
  for (let round = 0; round < plan.rounds; round++) {
    say(`round ${round + 1} of ${plan.rounds}`);
    for (const [index, window] of windows.entries())
      for (const [name, target] of rotated([...targets], round + index)) keep(samples, name, window, await measure(target, thread, window));
  }
  say(`${crowd} connections`);
  for (const [name, target] of targets) keep(samples, name, crowdWindow(plan), await measure(target, thread, crowdWindow(plan)));
}

function windowsOf({ rounds, seconds, probes, frames }: Plan): Window[] {
  const fixedMs = (probes * (probeFrames - 1) + frames) * frameEveryMs + (cells.length + 2) * settleMs;
  const plainMs = Math.max(500, (seconds / rounds) * 1000 - fixedMs);
  const plain = cells.map(({ connections, size, delayMs, share }) => ({
    name: cellName(connections, size, delayMs),
    parts: 1,
    load: (target: RunningTarget) => plainLoad(target, connections, size, delayMs, plainMs * share),
  }));
  return [
    ...plain,
    { name: "first word", parts: 1, load: (target) => streamLoad(target, 1, probes, probeFrames) },
    { name: "streams", parts: frames, load: (target) => streamLoad(target, streamsAtOnce, 1, frames) },
  ];
}

function crowdWindow({ crowdMs }: Plan): Window {
  return { name: "crowd", parts: 1, load: (target) => plainLoad(target, crowd, "small", 60, crowdMs) };
}

export function cellName(connections: number, size: Size, delayMs: DelayMs): string {
  return `${connections} ${size} ${delayMs}`;
}

async function measure({ pid, ...target }: RunningTarget, thread: LoadThread, { load }: Window) {
  const before = pid === null ? new Map() : readProcessor(pid);
  const measured = await thread.run(load({ pid, ...target }));
  // What a gateway does after its replies is part of their price.
  await pause(settleMs);
  return { measured, micros: pid === null ? Number.NaN : processorMicros(before, readProcessor(pid)) };
}

function keep(
  samples: Samples,
  target: string,
  { name, parts }: Window,
  { measured, micros }: { measured: Measured; micros: number },
): void {
  const { count, failed, elapsedMs, p50Ms, p99Ms, firstWordMs } = measured;
  samples.add(target, `${name} p50`, p50Ms * 1000);
  samples.add(target, `${name} p99`, p99Ms * 1000);
  samples.add(target, `${name} processor`, micros / (count * parts));
  samples.add(target, `${name} rate`, (count / elapsedMs) * 1000);
  samples.add(target, `${name} first word`, firstWordMs * 1000);
  samples.add(target, `${name} failed`, failed);
  if (name !== "crowd") samples.add(target, "failed", failed);
  for (const [reason, times] of Object.entries(measured.failures)) samples.add(target, `reason ${reason}`, times);
}

/** Just-in-time compilers and pools need some thousand requests before they are themselves. */
async function warmUp(target: RunningTarget, thread: LoadThread, { warmUpMs }: Plan): Promise<void> {
  await thread.run(plainLoad(target, 32, "small", 0, warmUpMs * 0.6));
  await thread.run(plainLoad(target, 8, "large", 0, warmUpMs * 0.3));
  await thread.run(streamLoad(target, 8, 3, probeFrames));
}

export function plainLoad(target: RunningTarget, connections: number, size: Size, delayMs: DelayMs, forMs: number): Load {
  const request = requestBytes(target.port, target.headers, plainBody(size, delayMs, target.modelPrefix));
  return { port: target.port, request, connections, forMs, patienceMs: 15_000 };
}

function streamLoad(target: RunningTarget, connections: number, requestsEach: number, frames: number): Load {
  const request = requestBytes(target.port, target.headers, streamBody(frames, target.modelPrefix));
  const words = { each: streamWord, count: frames, last: streamEnd };
  return { port: target.port, request, connections, requestsEach, words, forMs: 60_000, patienceMs: 15_000 };
}

function rotated<T>(list: readonly T[], by: number): T[] {
  const start = by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}
