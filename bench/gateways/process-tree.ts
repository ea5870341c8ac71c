import { readdirSync, readFileSync } from "node:fs";

/** Processor nanoseconds of each thread of a process and of all its descendants, by thread; empty where the system does not tell. */
export type ProcessorBook = ReadonlyMap<string, number>;

export function readProcessor(pid: number): ProcessorBook {
  const book = new Map<string, number>();
  for (const member of processesUnder(pid))
    for (const thread of list(`/proc/${member}/task`)) {
      const nanos = Number(read(`/proc/${member}/task/${thread}/schedstat`).split(" ")[0]);
      const spent = nanos > 0 ? nanos : ticksOf(read(`/proc/${member}/task/${thread}/stat`)) * 1e7;
      book.set(`${member}/${thread}`, spent);
    }
  return book;
}

/** Microseconds spent between two readings; NaN where the system does not tell. */
export function processorMicros(before: ProcessorBook, after: ProcessorBook): number {
  if (after.size === 0) return Number.NaN;
  let nanos = 0;
  for (const [thread, spent] of after) nanos += spent - (before.get(thread) ?? 0);
  return nanos / 1000;
}

/** Resident memory of a process and all its descendants; NaN where the system does not tell. */
export function residentMiB(pid: number): number {
  const sizes = processesUnder(pid).map((member) => Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${member}/status`))?.[1] ?? 0));
  const sum = sizes.reduce((all, size) => all + size, 0) / 1024;
  return sum > 0 ? sum : Number.NaN;
}

/** A process and all its descendants, itself first. */
export function processesUnder(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of list("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(afterName(read(`/proc/${name}/stat`))[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const family = [pid];
  for (const member of family) family.push(...(children.get(member) ?? []));
  return family;
}

function ticksOf(stat: string): number {
  const fields = afterName(stat);
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

/** The fields of a stat line after the name, which may have spaces in it. */
function afterName(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(") ") + 2).split(" ");
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Empty when the process has ended meanwhile. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
