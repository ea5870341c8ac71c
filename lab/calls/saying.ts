import type { Plan } from "./plan.ts";
import { callTool } from "./tool-call.ts";
import type { Tool, ToolCall } from "./tool-call.ts";
import { imageWord, plainWords, unicodeWords, usualTokens } from "./words.ts";

/** What a request allows the reply to be. */
export type Limits = {
  /** Anything but a number allows everything. */
  max?: unknown;
  stops?: unknown;
  images?: number;
  tools?: readonly Tool[];
};

/** What one choice of a reply says; its words are worked out when asked for, so that long replies cost no memory. */
export type Saying = {
  /** How many words, or how many tokens the call of the tool. */
  tokens: number;
  words: number;
  word(index: number): string;
  text(): string;
  finish: "stop" | "length" | "tool" | "filter";
  /** The stop sequence that ended it. */
  stopped: string | null;
  tool: ToolCall | null;
};

export function say({ max, stops, images = 0, tools = [] }: Limits, plan: Plan, choice = 0): Saying {
  if (plan.tool !== null && tools.length > 0) return sayTool(callTool(plan.tool, tools));
  const list = plan.isUnicode ? unicodeWords : plainWords;
  const word = (index: number) => (index < images ? imageWord : (list[(index - images + choice * 5) % list.length] ?? ""));
  const wanted = Math.floor(plan.tokens ?? usualTokens);
  const allowed = typeof max === "number" && max >= 0 ? Math.floor(max) : wanted;
  const count = Math.min(wanted, allowed);
  const end = stopIn(stops, word, Math.min(count, images + list.length));
  const words = end?.at ?? count;
  return {
    tokens: words,
    words,
    word,
    text: () => textOf(word, words),
    finish: plan.isFiltered ? "filter" : end || allowed >= wanted ? "stop" : "length",
    stopped: end?.stop ?? null,
    tool: null,
  };
}

function sayTool(tool: ToolCall): Saying {
  return { tokens: tool.tokens, words: 0, word: () => "", text: () => "", finish: "tool", stopped: null, tool };
}

function textOf(word: (index: number) => string, words: number): string {
  let text = "";
  for (let index = 0; index < words; index++) text += word(index);
  return text;
}

// Words come again after one round, so that a stop sequence is found in the first or not at all.
function stopIn(stops: unknown, word: (index: number) => string, words: number): { at: number; stop: string } | null {
  if (stops === undefined || stops === null) return null;
  const list: unknown[] = Array.isArray(stops) ? stops : [stops];
  const texts = list.filter((stop) => typeof stop === "string" && stop.trim() !== "").map(String);
  if (texts.length === 0) return null;
  for (let at = 0; at < words; at++) {
    const stop = texts.find((text) => word(at).includes(text.trim()));
    if (stop !== undefined) return { at, stop };
  }
  return null;
}
