import type { JsonObject } from "../../core/call.ts";
import { countTokens } from "../../kit/token-count.ts";
import { listOf, objectOf, objectsOf, textOf } from "../json-reading.ts";

// By OpenAI's published rule: each message is framed by three tokens and its role is one, the reply begins with three.
const perMessage = 4;
const perReply = 3;
const perImage = 765;

/** About how many tokens the messages of a chat have. */
export async function countChat(body: JsonObject): Promise<number> {
  const messages = objectsOf(body["messages"]);
  const texts = messages.flatMap(({ content, name, tool_calls: calls }) => [
    ...contentTexts(content),
    textOf(name),
    ...objectsOf(calls).flatMap((call) => Object.values(objectOf(call["function"])).map(textOf)),
  ]);
  const named = messages.filter(({ name }) => typeof name === "string").length;
  const images = picturesIn(messages);
  return (await countTokens([...texts, ...tools(body)])) + messages.length * perMessage + named + perReply + images * perImage;
}

/** The same for Anthropic's messages. */
export async function countMessages(body: JsonObject): Promise<number> {
  const messages = objectsOf(body["messages"]);
  const texts = [...contentTexts(body["system"]), ...messages.flatMap(({ content }) => contentTexts(content)), ...tools(body)];
  const images = picturesIn(messages);
  const turns = messages.length + Number(isPresent(body["system"]));
  return (await countTokens(texts)) + turns * perMessage + perReply + images * perImage;
}

/** The same for the input of OpenAI's responses. */
export async function countResponses(body: JsonObject): Promise<number> {
  const { input } = body;
  const items = objectsOf(input);
  const texts = [textOf(body["instructions"]), textOf(input), ...items.flatMap(({ content }) => contentTexts(content)), ...tools(body)];
  const others = items.flatMap(({ output, arguments: given }) => [textOf(output), textOf(given)]);
  const turns = Math.max(1, items.length) + Number(isPresent(body["instructions"]));
  return (await countTokens([...texts, ...others])) + turns * perMessage + perReply;
}

/** How many tokens a prompt or input has that may be text, texts, tokens or lists of tokens. */
export async function countInput(input: unknown): Promise<number> {
  if (typeof input === "string") return countTokens([input]);
  const list = listOf(input);
  const tokens = list.reduce<number>((sum, item) => sum + (typeof item === "number" ? 1 : Array.isArray(item) ? item.length : 0), 0);
  return tokens + (await countTokens(list.filter((item) => typeof item === "string")));
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

function contentTexts(content: unknown): string[] {
  if (typeof content === "string") return [content];
  return objectsOf(content).flatMap((part) => [
    textOf(part["text"]),
    ...(Array.isArray(part["content"]) ? contentTexts(part["content"]) : []),
  ]);
}

const pictureTypes = new Set<unknown>(["image_url", "input_image", "image"]);

/** How many pictures the turns of a conversation show. */
export function picturesIn(turns: unknown): number {
  let count = 0;
  for (const { content } of objectsOf(turns)) {
    if (Array.isArray(content)) count += objectsOf(content).filter(({ type }) => pictureTypes.has(type)).length;
  }
  return count;
}

function tools(body: JsonObject): string[] {
  return Array.isArray(body["tools"]) && body["tools"].length > 0 ? [JSON.stringify(body["tools"])] : [];
}
