import { chanceCallFault, readMarks } from "../script.ts";
import type { Fault, Mark, Script } from "../script.ts";

/** What the script and the marks of a prompt make of one call. */
export type Plan = {
  /** Instead of a reply: a status or `refuse`, or a way to spoil it whole. */
  fault: Fault | null;
  /** How a stream ends before its time, after this many words. */
  stop: { how: "cut" | "rst" | "hold" | "error"; after: number } | null;
  delayMs: number;
  paceMs: number;
  /** How many tokens the reply has, and whether they go beyond ASCII. */
  tokens: number | null;
  isUnicode: boolean;
  /** The reply ends for its content. */
  isFiltered: boolean;
  /** The tool to call. */
  tool: string | null;
  usage: "told" | "late" | "never";
  /** How the bytes of a stream are laid out. */
  isSplit: boolean;
  isCrlf: boolean;
  hasComments: boolean;
};

export type PlanOptions = { script(): Script; random(): number };

/** Whom a prompt is read for, so that `[lab:only=…]` can choose between upstreams, models and keys. */
export type Reader = { upstream: string; model: string; key: string; stream: boolean };

const plain: Plan = {
  fault: null,
  stop: null,
  delayMs: 0,
  paceMs: 0,
  tokens: null,
  isUnicode: false,
  isFiltered: false,
  tool: null,
  usage: "told",
  isSplit: false,
  isCrlf: false,
  hasComments: false,
};

const wholeFaults = ["reset", "html", "truncated", "endless", "refuse"];
const stops = ["cut", "rst", "hold", "error"] as const;
const maxSeen = 10_000;

/** Reads plans; marks that count down are remembered by their prompt. */
export function createPlanner({ script, random }: PlanOptions) {
  const seen = new Map<string, number>();

  function take(prompt: string, mark: Mark | undefined): Mark | undefined {
    if (!mark || mark.times === Number.POSITIVE_INFINITY) return mark;
    const place = `${mark.name}\n${prompt}`;
    const count = seen.get(place) ?? 0;
    seen.set(place, count + 1);
    if (seen.size > maxSeen) for (const [oldest] of seen) if (seen.size > maxSeen) seen.delete(oldest);
    return count < mark.times ? mark : undefined;
  }

  function markedFault(prompt: string, marks: Map<string, Mark>): Fault | null {
    for (const mark of marks.values()) {
      const isFault = wholeFaults.includes(mark.name) || /^[45]\d\d$/.test(mark.name);
      const taken = isFault ? take(prompt, mark) : undefined;
      if (taken) return taken;
    }
    return null;
  }

  function markedStop(prompt: string, marks: Map<string, Mark>): Plan["stop"] {
    for (const how of stops) {
      const taken = take(prompt, marks.get(how));
      if (taken) return { how, after: numberOf(taken) ?? 0 };
    }
    return null;
  }

  function marked(prompt: string, marks: Map<string, Mark>, reader: Reader): Plan {
    const only = marks.get("only")?.value;
    const isMeant = only === undefined || [reader.upstream, reader.model, reader.key].includes(only);
    const fault = isMeant ? markedFault(prompt, marks) : null;
    const has = (name: string) => take(prompt, marks.get(name)) !== undefined;
    const number = (name: string) => numberOf(take(prompt, marks.get(name)));
    return {
      fault,
      stop: isMeant && !fault && reader.stream ? markedStop(prompt, marks) : null,
      delayMs: (isMeant ? number("delay") : undefined) ?? 0,
      paceMs: (isMeant ? number("pace") : undefined) ?? 0,
      tokens: number("tokens") ?? null,
      isUnicode: has("unicode"),
      isFiltered: has("filtered"),
      tool: take(prompt, marks.get("tool"))?.value ?? null,
      usage: has("no-usage") ? "never" : has("late-usage") ? "late" : "told",
      isSplit: has("split"),
      isCrlf: has("crlf"),
      hasComments: has("comments"),
    };
  }

  return function plan(prompt: string, reader: Reader): Plan {
    const marks = prompt.includes("[lab:") ? readMarks(prompt) : null;
    if (marks && marks.size > 0) return marked(prompt, marks, reader);
    const fault = chanceCallFault(script(), random, reader.stream);
    if (!fault) return plain;
    return fault.name === "cut" ? { ...plain, stop: { how: "cut", after: Number(fault.value) } } : { ...plain, fault };
  };
}

function numberOf(mark: Mark | undefined): number | undefined {
  const number = mark === undefined || mark.value === "" ? Number.NaN : Number(mark.value);
  return number >= 0 ? number : undefined;
}
