import { spawnSync } from "node:child_process";
import { findChromium } from "./chromium.ts";
import { findPostgres } from "./postgres.ts";
import { findRedis } from "./redis.ts";

type Program = { name: string; place: string | null; otherwise: string; isNeeded: boolean };

/** Says which programs of the machine the tests can use, and answers the names of those whose lack skips tests. */
export function reportSurroundings(): string[] {
  const programs = lookAround();
  for (const { name, place, otherwise } of programs) console.log(`${name}: ${place ?? `not found; ${otherwise}`}`);
  return programs.filter(({ place, isNeeded }) => isNeeded && place === null).map(({ name }) => name);
}

/** The program for whose lack a test says that it was skipped, if it is one that a complete run needs. */
export function lackedFor(skip: string | boolean | undefined): string | null {
  return needed.find((name) => String(skip ?? "").includes(name)) ?? null;
}

const needed = ["PostgreSQL", "Chromium", "Redis", "nginx"];

function lookAround(): Program[] {
  const postgres = findPostgres();
  const found: [string, string | null, string][] = [
    ["PostgreSQL", postgres && (postgres.isBundled ? `${postgres.bin} (from the registry)` : postgres.bin), "no suite will run on it"],
    ["Chromium", findChromium(), "the suites in a browser (console, docs page) will be skipped"],
    ["Redis", findRedis(), "the suites of limits that nodes share will be skipped"],
    ["nginx", answers("nginx", "-v"), "the suites behind a proxy will be skipped"],
    ["ffprobe", answers("ffprobe", "-version"), "produced media will not be probed by a second opinion"],
  ];
  return found.map(([name, place, otherwise]) => ({ name, place, otherwise, isNeeded: needed.includes(name) }));
}

function answers(program: string, question: string): string | null {
  return spawnSync(program, [question], { stdio: "ignore" }).status === 0 ? "found" : null;
}
