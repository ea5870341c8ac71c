/** How long and how hard a Claude model may think, and how it samples: each generation takes other fields and refuses the rest. */
import type { JsonObject } from "../../core/call.ts";
import { present, textOf } from "../json-reading.ts";
import { numberIn, textIn } from "../request-fields.ts";

const defaultMaxTokens = 4096;
const leastBudget = 1024;

/** Tokens for thinking; the largest still leaves room for an answer within the 32,000 of older models. */
const budgets: Record<string, number> = { minimal: 1024, low: 2048, medium: 6144, high: 12_288, xhigh: 24_576, max: 24_576 };

const efforts: Record<string, string> = { minimal: "low", low: "low", medium: "medium", high: "high", xhigh: "xhigh", max: "max" };

type Manners = { thinking: "none" | "budget" | "adaptive"; sampling: "all" | "one" | "none"; xhigh: boolean };

export type Circumstances = {
  /** The request obliges the model to use a tool, which excludes thinking. */
  forced: boolean;
  /** The last turn answers a tool call; with a budget its thinking would have to be sent back, and chat cannot carry it. */
  resumed: boolean;
};

/** `max_tokens`, and what the model takes of `thinking`, `output_config`, `temperature`, `top_p` and `top_k`. */
export function effortFields(body: JsonObject, circumstances: Circumstances): JsonObject {
  const manners = mannersOf(textOf(body.model));
  const effort = textIn(body, "reasoning_effort") ?? "";
  const budget = manners.thinking === "none" ? 0 : (budgets[effort] ?? 0);
  const maxTokens = numberIn(body, "max_completion_tokens") ?? numberIn(body, "max_tokens") ?? defaultMaxTokens + budget;
  const thinking = budget === 0 || circumstances.forced ? undefined : thinkingOf(manners, budget, maxTokens, circumstances.resumed);
  const level = effort === "xhigh" && !manners.xhigh ? "high" : efforts[effort];
  return present({
    max_tokens: maxTokens,
    thinking,
    output_config: manners.thinking === "adaptive" && level !== undefined ? { effort: level } : undefined,
    ...samplingOf(body, thinking === undefined ? manners.sampling : "none"),
  });
}

function thinkingOf(manners: Manners, budget: number, maxTokens: number, resumed: boolean): JsonObject | undefined {
  if (manners.thinking === "adaptive") return { type: "adaptive", display: "summarized" };
  const affordable = Math.min(budget, Math.floor(maxTokens * 0.75));
  return resumed || affordable < leastBudget ? undefined : { type: "enabled", budget_tokens: affordable };
}

function samplingOf(body: JsonObject, allowed: Manners["sampling"]): JsonObject {
  const asked = numberIn(body, "temperature");
  const temperature = asked === undefined ? undefined : Math.min(1, Math.max(0, asked));
  const topP = numberIn(body, "top_p");
  const topK = numberIn(body, "top_k");
  if (allowed === "none") return {};
  return { temperature, top_p: allowed === "one" && temperature !== undefined ? undefined : topP, top_k: topK };
}

/** What a model takes, by its name: budgets up to Claude 4.5, adaptive thinking from 4.6, no sampling fields from 4.7. */
function mannersOf(model: string): Manners {
  const name = model.toLowerCase();
  if (!name.includes("claude")) return { thinking: "budget", sampling: "all", xhigh: false };
  const found = /claude[a-z-]*?-(\d{1,2})(?!\d)(?:[.-](\d{1,2})(?!\d))?/.exec(name);
  const version = found === null ? Infinity : Number(found[1]) * 100 + Number(found[2] ?? 0);
  if (version < 307) return { thinking: "none", sampling: "all", xhigh: false };
  if (version < 406) return { thinking: "budget", sampling: version < 401 ? "all" : "one", xhigh: false };
  return version < 407 ? { thinking: "adaptive", sampling: "one", xhigh: false } : { thinking: "adaptive", sampling: "none", xhigh: true };
}
