import { t } from "../../i18n/translate.ts";
import type { Request, Values } from "./request.ts";
import type { Run } from "./run-store.ts";
import { joinTokens } from "./text-stream.ts";

export type Message = { role: "system" | "user" | "assistant"; content: string };

/** A chat request with its conversation so far and what is said now. */
export function chatRequest(request: Request, values: Values, past: readonly Message[], said: string): Request {
  const system = typeof values["system"] === "string" ? values["system"].trim() : "";
  const draft = said || (typeof values["draft"] === "string" ? values["draft"] : "") || t("playground.example.chat1");
  const messages: Message[] = [
    ...(system === "" ? [] : [{ role: "system" as const, content: system }]),
    ...past,
    { role: "user", content: draft },
  ];
  const { top_logprobs: alternatives, ...body } = request.body;
  const logprobs = Number(alternatives) > 0 ? { logprobs: true, top_logprobs: alternatives } : {};
  return { ...request, body: { ...body, ...logprobs, messages } };
}

/** What was said between the reader and one model, oldest first. */
export function pastWith(model: string, runs: readonly Run[]): readonly Message[] {
  return runs.toReversed().flatMap(({ prompt, columns }) => {
    const answer = columns.find((column) => column.model === model);
    if (answer === undefined || answer.tokens.length === 0) return [];
    return [
      { role: "user" as const, content: prompt },
      { role: "assistant" as const, content: joinTokens(answer.tokens) },
    ];
  });
}
