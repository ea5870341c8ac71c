import type { JsonObject } from "../../core/call.ts";
import { parseDataUri } from "../../dialects/data-uri.ts";
import { objectOf, parseObject, present, textOf } from "../../dialects/json-reading.ts";
import { invalid, notSupported, objectsIn, partsIn } from "../../dialects/request-fields.ts";

/** Messages of a chat as /api/chat takes them: content is one text, pictures lie beside it. */
export function ollamaMessages(messages: unknown): JsonObject[] {
  const names = new Map<string, string>();
  return objectsIn(messages, "messages").map((message, at) => {
    const param = `messages[${at}]`;
    const parts = partsIn(message.content, `${param}.content`);
    const images = parts.flatMap((part, place) => imageIn(part, `${param}.content[${place}]`) ?? []);
    const calls = objectsIn(message.tool_calls, `${param}.tool_calls`);
    for (const call of calls) names.set(textOf(call.id), textOf(objectOf(call.function).name));
    const id = textOf(message.tool_call_id);
    return present({
      role: roleOf(message.role, param),
      content: parts.map((part) => textOf(part.text) || textOf(part.refusal)).join(""),
      thinking: textOf(message.reasoning_content) || undefined,
      images: images.length === 0 ? undefined : images,
      tool_calls: calls.length === 0 ? undefined : calls.map((call, place) => toolCallOf(call, `${param}.tool_calls[${place}]`)),
      tool_call_id: id || undefined,
      tool_name: names.get(id) || undefined,
    });
  });
}

function roleOf(role: unknown, param: string): string {
  if (role === "developer") return "system";
  if (role === "system" || role === "user" || role === "assistant" || role === "tool") return role;
  throw notSupported(`${param}.role`, `This model does not take messages of the role '${textOf(role)}'.`);
}

function imageIn(part: JsonObject, param: string): string | null {
  if (part.type === "text" || part.type === "refusal") return null;
  if (part.type !== "image_url") throw notSupported(param, `This model takes text and images, not parts of type '${textOf(part.type)}'.`);
  const { image_url: image } = part;
  const found = parseDataUri(textOf(image) || textOf(objectOf(image).url));
  if (found === null) throw notSupported(`${param}.image_url`, "This model takes images as data URIs in base64, not by their address.");
  return found.data;
}

function toolCallOf(call: JsonObject, param: string): JsonObject {
  const { name, arguments: given } = objectOf(call.function);
  const input = textOf(given).trim() === "" ? {} : parseObject(textOf(given));
  if (input === null) throw invalid(`${param}.function.arguments`, "The arguments of a tool call must be a JSON object.");
  return present({ id: textOf(call.id) || undefined, function: { name, arguments: input } });
}
