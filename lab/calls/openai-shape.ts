import { fieldOf, textOf } from "../dialect.ts";
import type { Plan } from "./plan.ts";
import type { Saying } from "./saying.ts";
import type { Tool } from "./tool-call.ts";
import type { CallWork, Frame } from "./upstream.ts";

export const fingerprint = "fp_lab0000001";

export function secondsOf({ nowMs }: CallWork): number {
  return Math.floor(nowMs / 1_000);
}

export const finishWords: Record<Saying["finish"], string> = {
  stop: "stop",
  length: "length",
  tool: "tool_calls",
  filter: "content_filter",
};

export function usageOf(promptTokens: number, completionTokens: number) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
  };
}

/** What a stream tells of its usage, and where: not at all, in a chunk of its own, or with the last choice. */
export type UsageChunks = {
  /** The end of every chunk's JSON. */
  tail: string;
  /** The same for the chunk that has the last finish_reason. */
  lastTail: string;
  /** Whether one more chunk without choices follows. */
  hasOwn: boolean;
};

export function usageChunks(body: unknown, plan: Plan, promptTokens: number, completionTokens: number): UsageChunks {
  const isAsked = fieldOf(fieldOf(body, "stream_options"), "include_usage") === true;
  const isTold = isAsked && plan.usage === "told";
  const tail = isTold ? ',"usage":null}' : "}";
  const lastTail = plan.usage === "late" ? `,"usage":${JSON.stringify(usageOf(promptTokens, completionTokens))}}` : tail;
  return { tail, lastTail, hasOwn: isTold };
}

/** What every chunk of a stream begins with. */
export function chunkHead(id: string, object: string, model: string, work: CallWork): string {
  const head = { id, object, created: secondsOf(work), model, service_tier: "default", system_fingerprint: fingerprint };
  return `${JSON.stringify(head).slice(0, -1)},"choices":[`;
}

export const doneFrame: Frame = { data: "[DONE]", words: 0 };

export function countOf(body: unknown, name: string, otherwise: number): number {
  const value = fieldOf(body, name);
  return typeof value === "number" && Number.isInteger(value) ? value : otherwise;
}

/** Whether so many choices may be asked for at once. */
export function isChoiceCount(count: number): boolean {
  return count >= 1 && count <= 128;
}

/** The functions that a request offers, also in the flat shape of the responses API. */
export function toolsOf(body: unknown): Tool[] {
  const list = fieldOf(body, "tools");
  if (!Array.isArray(list)) return [];
  return list.map((tool: unknown) => {
    const inner = fieldOf(tool, "function") ?? tool;
    return { name: textOf(inner, "name"), schema: fieldOf(inner, "parameters") };
  });
}
