import type { ChatHistoryItem, ChatWrapper, LlamaModel, LlamaText, Token } from "node-llama-cpp";
import { loadPackage } from "../optional-package.ts";

type Message = { role: "system" | "user" | "assistant"; text: string };
export type Chat = { tokens: Token[]; ends: { tokens: Token[]; texts: string[] } };

/** A conversation as the model was trained to read it; a model that knows no conversations goes on from the last thing the user said. */
export async function readChat(model: LlamaModel, messages: readonly Message[]): Promise<Chat> {
  if (model.fileInfo.metadata.tokenizer.chat_template === undefined) {
    return { tokens: model.tokenize(lastWords(messages), false), ends: { tokens: [], texts: [] } };
  }
  const history = [...messages.map(toHistory), { type: "model" as const, response: [] }];
  const { contextText, stopGenerationTriggers } = (await wrapperOf(model)).generateContextState({ chatHistory: history });
  return { tokens: contextText.tokenize(model.tokenizer), ends: readEnds(model, stopGenerationTriggers) };
}

// To find out which way of writing conversations a template describes takes the library half a second.
const wrappers = new WeakMap<LlamaModel, ChatWrapper>();

async function wrapperOf(model: LlamaModel): Promise<ChatWrapper> {
  const { resolveChatWrapper } = await loadPackage("node-llama-cpp", () => import("node-llama-cpp"));
  const wrapper = wrappers.get(model) ?? resolveChatWrapper(model, { warningLogs: false });
  wrappers.set(model, wrapper);
  return wrapper;
}

function lastWords(messages: readonly Message[]): string {
  const said = messages.findLast(({ role, text }) => role === "user" && text.trim() !== "");
  return said?.text.trim() ?? "Once upon a time";
}

function toHistory({ role, text }: Message): ChatHistoryItem {
  if (role === "assistant") return { type: "model", response: [text] };
  return { type: role, text };
}

function readEnds(model: LlamaModel, triggers: readonly LlamaText[]): Chat["ends"] {
  const ends: Chat["ends"] = { tokens: [], texts: [] };
  for (const trigger of triggers) {
    const tokens = trigger.tokenize(model.tokenizer);
    const [only] = tokens;
    if (only !== undefined && tokens.length === 1) ends.tokens.push(only);
    else if (trigger.values.every((value) => typeof value === "string")) ends.texts.push(trigger.toString());
  }
  return ends;
}
