import type { CallOperation, JsonObject } from "../../core/call.ts";
import type { Measured } from "../../core/pricing.ts";
import { objectOf } from "../json-reading.ts";

type Spelling = { input: string; output?: string; total?: string };

const openAi = { input: "prompt_tokens", output: "completion_tokens", total: "total_tokens" };

/** How each dialect names its counts. */
const spellings: Partial<Record<CallOperation, Spelling>> = {
  completion: openAi,
  chat: openAi,
  embedding: { input: "prompt_tokens", total: "total_tokens" },
  rerank: { input: "prompt_tokens", total: "total_tokens" },
  messages: { input: "input_tokens", output: "output_tokens" },
  responses: { input: "input_tokens", output: "output_tokens", total: "total_tokens" },
};

/** The `usage` of a reply with its cost; what we counted ourselves takes the place of what was not told, and says so. */
export function spelledUse(operation: CallOperation, told: unknown, measured: Measured, costUsd: number): JsonObject | null {
  const spelling = spellings[operation];
  const cost = Number(costText(costUsd));
  const { inputTokens = 0, outputTokens = 0, estimated } = measured;
  if (typeof told === "object" && told !== null && !(estimated && spelling !== undefined)) return { ...objectOf(told), cost };
  if (spelling === undefined) return null;
  const { input, output, total } = spelling;
  return {
    ...objectOf(told),
    [input]: inputTokens,
    ...(output !== undefined && { [output]: outputTokens }),
    ...(total !== undefined && { [total]: inputTokens + outputTokens }),
    cost,
    ...(estimated && { estimated: true }),
  };
}

/** An amount of dollars without an exponent. */
export function costText(costUsd: number): string {
  const text = String(costUsd);
  return text.includes("e") ? costUsd.toFixed(9).replace(/\.?0+$/, "") : text;
}
