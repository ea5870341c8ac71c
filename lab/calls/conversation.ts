import { fieldOf, textOf } from "../dialect.ts";

/** One message of a conversation, whatever its wire. */
export type Message = {
  role: string;
  texts: readonly string[];
  name?: string;
  images: number;
  /** Whether it brings the result of a tool. */
  hasResult: boolean;
};

export type Conversation = {
  messages: readonly Message[];
  /** The last text of the user, whose marks count. */
  prompt: string;
  images: number;
  /** Whether the last thing said is the result of a tool, after which no tool is called again. */
  isAnswered: boolean;
};

export function conversationOf(messages: readonly Message[]): Conversation {
  const last = messages.findLastIndex(({ role, texts }) => role === "user" && texts.length > 0);
  return {
    messages,
    prompt: messages[last]?.texts.join("\n") ?? "",
    images: messages.reduce((sum, { images }) => sum + images, 0),
    isAnswered: messages.slice(Math.max(last, 0)).some(({ hasResult }) => hasResult),
  };
}

const textTypes = ["text", "input_text", "output_text"];
const imageTypes = ["image_url", "input_image", "image"];
const resultTypes = ["tool_result"];

/** A message in the shape of OpenAI or Anthropic: a role, and a content that is text or a list of typed parts. */
export function messageOf(value: unknown): Message {
  const role = textOf(value, "role");
  const content = fieldOf(value, "content");
  const name = fieldOf(value, "name");
  const named = typeof name === "string" ? { name } : {};
  if (!Array.isArray(content)) {
    return { role, texts: typeof content === "string" ? [content] : [], ...named, images: 0, hasResult: role === "tool" };
  }
  const types = content.map((part: unknown) => textOf(part, "type"));
  return {
    role,
    texts: content.filter((_, index) => textTypes.includes(types[index] ?? "")).map((part: unknown) => textOf(part, "text")),
    ...named,
    images: types.filter((type) => imageTypes.includes(type)).length,
    hasResult: role === "tool" || types.some((type) => resultTypes.includes(type)),
  };
}
