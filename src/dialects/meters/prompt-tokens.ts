import type { JsonObject } from "../../core/call.ts";
import { countTokens } from "../../kit/token-count.ts";
import { isObject, listOf, objectOf, objectsOf, textOf } from "../json-reading.ts";

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
  const images = messages.reduce((sum, { content }) => sum + imagesIn(content), 0);
  return (await counted([...texts, ...tools(body)])) + messages.length * perMessage + named + perReply + images * perImage;
}

/** The same for Anthropic's messages. */
export async function countMessages(body: JsonObject): Promise<number> {
  const messages = objectsOf(body["messages"]);
  const texts = [...contentTexts(body["system"]), ...messages.flatMap(({ content }) => contentTexts(content)), ...tools(body)];
  const images = messages.reduce((sum, { content }) => sum + imagesIn(content), 0);
  const turns = messages.length + Number(isPresent(body["system"]));
  return (await counted(texts)) + turns * perMessage + perReply + images * perImage;
}

/** The same for the input of OpenAI's responses. */
export async function countResponses(body: JsonObject): Promise<number> {
  const { input } = body;
  const items = objectsOf(input);
  const texts = [textOf(body["instructions"]), textOf(input), ...items.flatMap(({ content }) => contentTexts(content)), ...tools(body)];
  const others = items.flatMap(({ output, arguments: given }) => [textOf(output), textOf(given)]);
  const turns = Math.max(1, items.length) + Number(isPresent(body["instructions"]));
  return (await counted([...texts, ...others])) + turns * perMessage + perReply;
}

/** How many tokens a prompt or input has that may be text, texts, tokens or lists of tokens. */
export async function countInput(input: unknown): Promise<number> {
  if (typeof input === "string") return counted([input]);
  const list = listOf(input);
  const tokens = list.reduce<number>((sum, item) => sum + (typeof item === "number" ? 1 : Array.isArray(item) ? item.length : 0), 0);
  return tokens + (await counted(list.filter((item) => typeof item === "string")));
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

function counted(texts: readonly string[]): Promise<number> {
  return countTokens(texts);
}

function contentTexts(content: unknown): string[] {
  if (typeof content === "string") return [content];
  return objectsOf(content).flatMap((part) => [
    textOf(part["text"]),
    ...(Array.isArray(part["content"]) ? contentTexts(part["content"]) : []),
  ]);
}

function imagesIn(content: unknown): number {
  return objectsOf(content).filter(({ type }) => type === "image_url" || type === "image" || type === "input_image").length;
}

function tools(body: JsonObject): string[] {
  return isObject(body) && Array.isArray(body["tools"]) && body["tools"].length > 0 ? [JSON.stringify(body["tools"])] : [];
}
