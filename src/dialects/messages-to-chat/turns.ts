import type { JsonObject } from "../../core/call.ts";
import { isObject, objectOf, textOf } from "../json-reading.ts";
import { partOf } from "./parts.ts";
import { invalid, objectsIn, partsIn } from "../request-fields.ts";

/** Anthropic's system prompt and turns as chat messages. */
export function chatMessages(system: unknown, turns: unknown): JsonObject[] {
  const list = objectsIn(turns, "messages");
  if (list.length === 0) throw invalid("messages", "'messages' must hold at least one message.");
  return [...systemMessage(system, "system"), ...list.flatMap((turn, at) => messagesOf(turn, `messages[${at}]`))];
}

function messagesOf(turn: JsonObject, param: string): JsonObject[] {
  switch (turn.role) {
    case "user":
      return userMessages(partsIn(turn.content, `${param}.content`), `${param}.content`);
    case "assistant":
      return assistantMessage(partsIn(turn.content, `${param}.content`));
    case "system":
      return systemMessage(turn.content, `${param}.content`);
    default:
      throw invalid(`${param}.role`, "The role of a message must be 'user', 'assistant' or 'system'.");
  }
}

function systemMessage(content: unknown, param: string): JsonObject[] {
  const text = joinedText(partsIn(content, param));
  return text === "" ? [] : [{ role: "system", content: text }];
}

function assistantMessage(blocks: JsonObject[]): JsonObject[] {
  const content = joinedText(blocks);
  const calls = blocks.filter((block) => block.type === "tool_use");
  if (calls.length === 0) return content === "" ? [] : [{ role: "assistant", content }];
  const tool_calls = calls.map(({ id, name, input }) => ({
    id: textOf(id),
    type: "function",
    function: { name: textOf(name), arguments: JSON.stringify(objectOf(input)) },
  }));
  return [{ role: "assistant", content: content === "" ? null : content, tool_calls }];
}

/** The results of tools come first, as chat wants them right after their calls; what they cannot hold there follows as the user's. */
function userMessages(blocks: JsonObject[], param: string): JsonObject[] {
  const results: JsonObject[] = [];
  const parts: JsonObject[] = [];
  for (const [at, block] of blocks.entries()) {
    if (block.type === "tool_result") {
      const inside = partsIn(block.content, `${param}[${at}].content`).flatMap((part) => partOf(part, `${param}[${at}].content`));
      parts.push(...inside.filter((part) => part.type !== "text"));
      const text = joinedText(inside);
      results.push({ role: "tool", tool_call_id: textOf(block.tool_use_id), content: block.is_error === true ? `Error: ${text}` : text });
    } else parts.push(...partOf(block, `${param}[${at}]`));
  }
  if (parts.length === 0) return results;
  return [...results, { role: "user", content: parts.every((part) => part.type === "text") ? joinedText(parts) : parts }];
}

const joinedText = (parts: readonly unknown[]): string =>
  parts.flatMap((part) => (isObject(part) && part.type === "text" && textOf(part.text) !== "" ? textOf(part.text) : [])).join("\n");
