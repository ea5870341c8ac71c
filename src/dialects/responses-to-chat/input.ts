import type { JsonObject } from "../../core/call.ts";
import { isObject, present, textOf } from "../json-reading.ts";
import { invalid, notSupported, objectsIn, partsIn } from "../request-fields.ts";

/** The instructions and input items of a Responses request as chat messages. */
export function chatMessages(instructions: unknown, input: unknown): JsonObject[] {
  const messages: JsonObject[] = [];
  if (textOf(instructions) !== "") messages.push({ role: "system", content: instructions });
  if (typeof input === "string") return [...messages, { role: "user", content: input }];
  /** What tools gave besides text: chat takes it from the user only, after the last result. */
  let carried: JsonObject[] = [];
  const deliver = (): void => {
    if (carried.length > 0) messages.push({ role: "user", content: carried });
    carried = [];
  };
  for (const [at, item] of objectsIn(input, "input").entries()) {
    const param = `input[${at}]`;
    if (item.type === "function_call_output") carried.push(...addResult(messages, item, param));
    else {
      deliver();
      addItem(messages, item, param);
    }
  }
  deliver();
  if (messages.length === 0) throw invalid("input", "'input' must be a string or hold at least one item.");
  return messages;
}

function addItem(messages: JsonObject[], item: JsonObject, param: string): void {
  switch (item.type ?? "message") {
    case "message":
      return addMessage(messages, item, param);
    case "function_call":
      return addCall(messages, item, param);
    case "reasoning":
      return;
    default:
      throw notSupported(param, `This model takes messages and calls of functions, not items of type '${textOf(item.type)}'.`);
  }
}

function addMessage(messages: JsonObject[], { role, content }: JsonObject, param: string): void {
  const parts = partsIn(content, `${param}.content`).flatMap((part, at) => partOf(part, `${param}.content[${at}]`));
  if (role === "user") messages.push({ role, content: plainOr(parts) });
  else if (role === "assistant") messages.push({ role, content: joined(parts) });
  // The older word is known to every server.
  else if (role === "system" || role === "developer") messages.push({ role: "system", content: joined(parts) });
  else throw invalid(`${param}.role`, "The role of a message must be 'user', 'assistant', 'system' or 'developer'.");
}

/** Calls that follow each other, or an assistant's text, are one message in chat. */
function addCall(messages: JsonObject[], item: JsonObject, param: string): void {
  const { call_id: id, name, arguments: given } = item;
  if (textOf(id) === "" || textOf(name) === "") throw invalid(param, "A function call needs 'call_id' and 'name'.");
  const call = { id, type: "function", function: { name, arguments: textOf(given) || "{}" } };
  const last = messages.at(-1);
  if (last?.role !== "assistant") messages.push({ role: "assistant", content: null, tool_calls: [call] });
  else last.tool_calls = Array.isArray(last.tool_calls) ? [...last.tool_calls, call] : [call];
}

function addResult(messages: JsonObject[], item: JsonObject, param: string): JsonObject[] {
  if (textOf(item.call_id) === "") throw invalid(`${param}.call_id`, "A function's output must name its call.");
  const parts = partsIn(item.output, `${param}.output`).flatMap((part, at) => partOf(part, `${param}.output[${at}]`));
  messages.push({ role: "tool", tool_call_id: item.call_id, content: joined(parts) });
  return parts.filter((part) => part.type !== "text");
}

function partOf(part: JsonObject, param: string): JsonObject[] {
  switch (part.type) {
    case "text":
    case "input_text":
    case "output_text":
      return [{ type: "text", text: textOf(part.text) }];
    case "refusal":
      return [{ type: "text", text: textOf(part.refusal) }];
    case "input_image":
      return [{ type: "image_url", image_url: present({ url: needed(part.image_url, param), detail: part.detail ?? undefined }) }];
    case "input_file":
      return [{ type: "file", file: present({ filename: part.filename ?? undefined, file_data: needed(part.file_data, param) }) }];
    case "input_audio":
      if (isObject(part.input_audio)) return [{ type: "input_audio", input_audio: part.input_audio }];
  }
  throw notSupported(param, `This model does not take parts of type '${textOf(part.type)}'.`);
}

function needed(value: unknown, param: string): string {
  if (textOf(value) !== "") return textOf(value);
  throw notSupported(param, "Images must be given by 'image_url' and files by 'file_data': this model does not know uploaded files.");
}

const plainOr = (parts: JsonObject[]): string | JsonObject[] => (parts.every((part) => part.type === "text") ? joined(parts) : parts);

const joined = (parts: JsonObject[]): string => parts.flatMap((part) => (part.type === "text" ? textOf(part.text) : [])).join("\n");
