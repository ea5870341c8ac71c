import type { JsonObject } from "../../core/call.ts";
import { isObject, objectOf, objectsOf, parseObject, present, textOf } from "../../dialects/json-reading.ts";
import { invalid, notSupported, objectsIn, partsIn } from "../../dialects/request-fields.ts";
import { geminiPart } from "./part.ts";

type Content = { role: "user" | "model"; parts: JsonObject[] };

/** The word that a model takes in place of the signature of a thought that another model had, or that a client did not keep. */
const noSignature = "skip_thought_signature_validator";

/** Messages as turns, and what the system says beside them. `signed`: the model wants its calls of tools back with their signatures. */
export function contentsOf(messages: unknown, signed: boolean): { contents: Content[]; system: JsonObject[] } {
  const contents: Content[] = [];
  const system: JsonObject[] = [];
  const names = new Map<string, string>();
  let answering: Content | null = null;
  objectsIn(messages, "messages").forEach((message, at) => {
    const param = `messages[${at}]`;
    if (message.role === "tool") {
      // The answers to calls made together must come together.
      if (answering === null) contents.push((answering = { role: "user", parts: [] }));
      answering.parts.push(toolAnswer(message, names, param));
      return;
    }
    answering = null;
    if (message.role === "system" || message.role === "developer") system.push(...partsOf(message.content, param));
    else if (message.role === "user") contents.push({ role: "user", parts: partsOf(message.content, param) });
    else if (message.role === "assistant") contents.push({ role: "model", parts: assistantParts(message, names, signed, param) });
    else throw notSupported(`${param}.role`, `This model does not take messages of the role '${textOf(message.role)}'.`);
  });
  if (contents.length > 0) return { contents, system };
  if (system.length === 0) throw invalid("messages", "'messages' must not be empty.");
  // Somebody has to say something there.
  return { contents: [{ role: "user", parts: system }], system: [] };
}

function partsOf(content: unknown, param: string): JsonObject[] {
  return partsIn(content, `${param}.content`).map((part, at) => geminiPart(part, `${param}.content[${at}]`));
}

function assistantParts(message: JsonObject, names: Map<string, string>, signed: boolean, param: string): JsonObject[] {
  const said = partsOf(message.content, param).filter((part) => part.text !== "");
  const calls = objectsIn(message.tool_calls, `${param}.tool_calls`).map((call, at) => {
    const { name, arguments: given } = objectOf(call.function);
    const args = textOf(given).trim() === "" ? {} : parseObject(textOf(given));
    if (args === null)
      throw invalid(`${param}.tool_calls[${at}].function.arguments`, "The arguments of a tool call must be a JSON object.");
    names.set(textOf(call.id), textOf(name));
    const signature = textOf(objectOf(objectOf(call.extra_content).google).thought_signature);
    // Of several calls made together only the first is signed.
    const thoughtSignature = signature || (signed && at === 0 ? noSignature : undefined);
    return present({ functionCall: present({ id: textOf(call.id) || undefined, name, args }), thoughtSignature });
  });
  const parts = [...said, ...calls];
  return parts.length === 0 ? [{ text: "" }] : parts;
}

function toolAnswer(message: JsonObject, names: Map<string, string>, param: string): JsonObject {
  const id = textOf(message.tool_call_id);
  const name = names.get(id) ?? textOf(message.name);
  if (name === "") throw invalid(`${param}.tool_call_id`, "A tool message must answer a tool call of an earlier message.");
  const text =
    typeof message.content === "string"
      ? message.content
      : objectsOf(message.content)
          .map((part) => textOf(part.text))
          .join("");
  const value = parseObject(text);
  return { functionResponse: present({ id: id || undefined, name, response: isObject(value) ? value : { output: text } }) };
}
