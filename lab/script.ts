/** What the lab does by itself, and what a prompt tells it to do with `[lab:…]` marks. */

export const defaultScript = {
  minSeconds: 2,
  maxSeconds: 6,
  queueSeconds: 0.5,
  /** How long the links of a result work after they were handed out. */
  linkSeconds: 3_600,
  /** What 429 and 503 ask for. */
  retryAfterSeconds: 2,
  /** Shares of jobs, 0 to 1: those that end in failure, and those whose failure is about their content. */
  failRate: 0,
  policyRate: 0,
  /** Shares of submits that get 429, get 500, lose their answer after the job began, or get an answer that cannot be read. */
  limitRate: 0,
  errorRate: 0,
  resetRate: 0,
  malformedRate: 0,
  /** Share of polls that fail in one of those ways. */
  pollRate: 0,
  /** Share of streamed calls whose connection closes in the middle. */
  cutRate: 0,
  /** Shares of callbacks that are never sent, are sent twice, or come after a newer one. */
  callbackLossRate: 0,
  callbackDuplicateRate: 0,
  callbackReorderRate: 0,
};

export type Script = typeof defaultScript;

/** A script with some values changed; throws an Error that names what is no value of a script. */
export function changeScript(script: Script, change: object): Script {
  const next = { ...script };
  for (const [name, value] of Object.entries(change)) {
    const known = scriptNames.find((one) => one === name);
    if (known === undefined) throw new Error(`There is no "${name}" in a script; there are ${scriptNames.join(", ")}.`);
    if (typeof value !== "number" || !(value >= 0) || (known.endsWith("Rate") && value > 1))
      throw new Error(`"${name}" cannot be ${String(value)}.`);
    next[known] = value;
  }
  if (next.maxSeconds < next.minSeconds) throw new Error(`"maxSeconds" is less than "minSeconds".`);
  return next;
}

const scriptNames: readonly (keyof Script)[] = [
  "minSeconds",
  "maxSeconds",
  "queueSeconds",
  "linkSeconds",
  "retryAfterSeconds",
  "failRate",
  "policyRate",
  "limitRate",
  "errorRate",
  "resetRate",
  "malformedRate",
  "pollRate",
  "cutRate",
  "callbackLossRate",
  "callbackDuplicateRate",
  "callbackReorderRate",
];

/** A way to spoil an answer; the value is its own affair. */
export type Fault = { name: string; value: string };

/** A mark in a prompt: its name, its value, and how many times it counts. */
export type Mark = Fault & { times: number };

/** The marks of a prompt: `[lab:reset]`, `[lab:seconds=3]`, `[lab:503=5 x2]` (the first two times only). */
export function readMarks(prompt: string): Map<string, Mark> {
  const marks = new Map<string, Mark>();
  for (const [, name = "", value = "", times] of prompt.matchAll(/\[lab:([\w-]+)(?:=([^\]\s]*))?(?: x(\d+))?\]/g)) {
    marks.set(name, { name, value, times: times === undefined ? Number.POSITIVE_INFINITY : Number(times) });
  }
  return marks;
}

/** The marks that spoil the answer to a submit. */
export const submitFaults = [
  "reset",
  "reset-before",
  "html",
  "truncated",
  "broken",
  "types",
  "huge",
  "drip",
  "redirect",
  "refuse",
  "envelope",
  "429",
  "500",
  "502",
  "503",
] as const;

const malformed = ["html", "truncated", "broken", "types"] as const;

/** What chance does to a submit. */
export function chanceFault(script: Script, random: () => number): Fault | null {
  const roll = random();
  const { limitRate, errorRate, resetRate, malformedRate } = script;
  const shares = [limitRate, errorRate, resetRate, malformedRate];
  const faults = ["429", "500", "reset", malformed[Math.floor(random() * malformed.length)] ?? "html"];
  let edge = 0;
  for (const [index, share] of shares.entries()) {
    edge += share;
    if (roll < edge) return { name: faults[index] ?? "500", value: "" };
  }
  return null;
}

/** What chance does to a call: the reset comes before any reply, and a stream may be cut after some words. */
export function chanceCallFault(script: Script, random: () => number, isStream: boolean): Fault | null {
  const { limitRate, errorRate, resetRate, malformedRate } = script;
  const cutRate = isStream ? script.cutRate : 0;
  if (limitRate + errorRate + resetRate + malformedRate + cutRate === 0) return null;
  const [roll, choice] = [random(), random()];
  let edge = limitRate;
  if (roll < edge) return { name: "429", value: "" };
  if (roll < (edge += errorRate)) return { name: "500", value: "" };
  if (roll < (edge += resetRate)) return { name: "reset", value: "" };
  if (roll < (edge += malformedRate)) return { name: choice < 0.5 ? "html" : "truncated", value: "" };
  return roll < edge + cutRate ? { name: "cut", value: String(Math.floor(choice * 12)) } : null;
}

/** What chance does to a poll. */
export function chancePollFault({ pollRate }: Script, random: () => number): Fault | null {
  if (random() >= pollRate) return null;
  const faults = ["429", "500", "reset", ...malformed];
  return { name: faults[Math.floor(random() * faults.length)] ?? "500", value: "" };
}

/** What becomes of a callback: "forged" is only ever told by a mark. */
export type CallbackFate = "sent" | "lost" | "twice" | "late" | "forged";

/** What the marks of a prompt or else chance make of a callback. */
export function callbackFate(marks: ReadonlyMap<string, Mark>, script: Script, random: () => number): CallbackFate {
  const told = fates.find((fate) => fate === marks.get("callback")?.value);
  if (told !== undefined) return told;
  const { callbackLossRate: loss, callbackDuplicateRate: double, callbackReorderRate: reorder } = script;
  if (loss + double + reorder === 0) return "sent";
  const roll = random();
  if (roll < loss) return "lost";
  if (roll < loss + double) return "twice";
  return roll < loss + double + reorder ? "late" : "sent";
}

const fates: readonly CallbackFate[] = ["sent", "lost", "twice", "late", "forged"];

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
