import { field } from "../../api/api-error.ts";
import { sendJson } from "../../api/client.ts";
import { readEvents } from "../../api/events.ts";
import { list, number, text } from "../../api/task-result.ts";

/** A piece of an answer; with what else it might have been, if the model tells. */
export type Token = { text: string; logprob: number | null; alternatives: readonly { text: string; logprob: number }[] };

export type TextUse = { input: number; output: number; costUsd: number | null; finish: string };

type Told = { onTokens: (tokens: readonly Token[]) => void; onUse: (use: Partial<TextUse>) => void };

/** Sends a chat or completion that streams, and tells its pieces as they come. */
export async function streamText(path: string, body: unknown, signal: AbortSignal, { onTokens, onUse }: Told): Promise<void> {
  const response = await sendJson(path, body, signal);
  for await (const { data } of readEvents(response)) {
    if (data === "[DONE]") return;
    const chunk: unknown = JSON.parse(data);
    const error = field(chunk, "error");
    if (error !== undefined && error !== null) throw new Error(text(error, "message") || "The stream broke off.");
    const choice = list(chunk, "choices")[0];
    const tokens = tokensOf(choice);
    if (tokens.length > 0) onTokens(tokens);
    const finish = text(choice, "finish_reason");
    if (finish !== "") onUse({ finish });
    const usage = field(chunk, "usage");
    if (typeof usage === "object" && usage !== null) onUse(useOf(usage));
  }
}

function useOf(usage: object): Partial<TextUse> {
  const cost = field(usage, "cost");
  return {
    input: number(usage, "prompt_tokens"),
    output: number(usage, "completion_tokens"),
    costUsd: typeof cost === "number" ? cost : null,
  };
}

function tokensOf(choice: unknown): readonly Token[] {
  const logprobs = field(choice, "logprobs");
  const chat = list(logprobs, "content").map(chatToken);
  if (chat.length > 0) return chat;
  const completion = completionTokens(logprobs);
  if (completion.length > 0) return completion;
  const plain = text(choice, "text") || text(field(choice, "delta"), "content");
  return plain === "" ? [] : [{ text: plain, logprob: null, alternatives: [] }];
}

function chatToken(token: unknown): Token {
  const alternatives = list(token, "top_logprobs").map((each) => ({ text: text(each, "token"), logprob: number(each, "logprob") }));
  return { text: text(token, "token"), logprob: number(token, "logprob"), alternatives };
}

function completionTokens(logprobs: unknown): readonly Token[] {
  const own = list(logprobs, "token_logprobs");
  const others = list(logprobs, "top_logprobs");
  return list(logprobs, "tokens").map((token, index) => {
    const logprob = own[index];
    return {
      text: String(token),
      logprob: typeof logprob === "number" ? logprob : null,
      alternatives: Object.entries(others[index] ?? {})
        .map(([each, value]) => ({ text: each, logprob: Number(value) }))
        .sort((a, b) => b.logprob - a.logprob),
    };
  });
}

export function joinTokens(tokens: readonly Token[]): string {
  return tokens.map((token) => token.text).join("");
}
