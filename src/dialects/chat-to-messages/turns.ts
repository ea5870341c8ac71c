import type { JsonObject } from "../../core/call.ts";
import { mediaBlock } from "./media.ts";
import { isObject, objectOf, parseObject, present, textOf } from "../json-reading.ts";
import { invalid, objectsIn, partsIn } from "../request-fields.ts";

export type Turn = { role: "user" | "assistant"; content: JsonObject[] };

/** Chat messages as system blocks and turns that alternate: neighbours on the same side become one turn. */
export function turnsOf(messages: unknown): { system: JsonObject[]; turns: Turn[] } {
  const list = objectsIn(messages, "messages");
  if (list.length === 0) throw invalid("messages", "'messages' must hold at least one message.");
  const system: JsonObject[] = [];
  const turns: Turn[] = [];
  for (const [at, message] of list.entries()) {
    const param = `messages[${at}]`;
    if (message.role === "system" || message.role === "developer") system.push(...textBlocks(message.content, `${param}.content`));
    else add(turns, turnOf(message, param));
  }
  trimPrefill(turns);
  return { system, turns };
}

function add(turns: Turn[], turn: Turn): void {
  const last = turns.at(-1);
  if (turn.content.length === 0) return;
  if (last?.role === turn.role) last.content.push(...turn.content);
  else turns.push(turn);
}

function turnOf(message: JsonObject, param: string): Turn {
  switch (message.role) {
    case "user":
      return { role: "user", content: blocksOf(message.content, `${param}.content`) };
    case "assistant":
      return {
        role: "assistant",
        content: [...textBlocks(message.content ?? message.refusal, `${param}.content`), ...calls(message, param)],
      };
    case "tool":
      return { role: "user", content: [toolResult(message, param)] };
    default:
      throw invalid(`${param}.role`, "The role of a message must be 'system', 'developer', 'user', 'assistant' or 'tool'.");
  }
}

function blocksOf(content: unknown, param: string): JsonObject[] {
  return partsIn(content, param).flatMap((part, at) => (part.type === "text" ? textBlock(part) : [mediaBlock(part, `${param}[${at}]`)]));
}

function textBlocks(content: unknown, param: string): JsonObject[] {
  return partsIn(content, param).flatMap((part, at) => {
    if (part.type === "text") return textBlock(part);
    if (part.type === "refusal") return textBlock({ text: part.refusal });
    throw invalid(`${param}[${at}]`, "Only text is taken here.");
  });
}

/** Empty blocks are refused there. */
function textBlock(part: JsonObject): JsonObject[] {
  const text = textOf(part.text);
  return text === "" ? [] : [present({ type: "text", text, cache_control: isObject(part.cache_control) ? part.cache_control : undefined })];
}

function calls(message: JsonObject, param: string): JsonObject[] {
  return objectsIn(message.tool_calls, `${param}.tool_calls`).map((call, at) => {
    const { name, arguments: text } = objectOf(call.function);
    if (textOf(name) === "") throw invalid(`${param}.tool_calls[${at}]`, "A tool call needs a function with a name.");
    return { type: "tool_use", id: toolId(call.id), name, input: parseObject(textOf(text)) ?? {} };
  });
}

function toolResult(message: JsonObject, param: string): JsonObject {
  if (textOf(message.tool_call_id) === "") throw invalid(`${param}.tool_call_id`, "A tool message must name its call.");
  const content = blocksOf(message.content, `${param}.content`);
  return present({ type: "tool_result", tool_use_id: toolId(message.tool_call_id), content: content.length === 0 ? undefined : content });
}

/** Ids of calls may hold other characters elsewhere. */
const toolId = (id: unknown): string => textOf(id).replaceAll(/[^\w-]/g, "_");

/** A reply that is to be continued may not end in white space there. */
function trimPrefill(turns: Turn[]): void {
  const last = turns.at(-1);
  const block = last?.content.at(-1);
  if (last?.role !== "assistant" || block?.type !== "text") return;
  block.text = textOf(block.text).trimEnd();
  if (block.text === "") last.content.pop();
  if (last.content.length === 0) turns.pop();
}
