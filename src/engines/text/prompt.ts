import type { LlamaModel, Token } from "node-llama-cpp";
import { EngineError } from "../engine-error.ts";
import type { TextJob } from "../job.ts";
import { readChat } from "./chat.ts";
import type { LoadedModel } from "./loaded-model.ts";

/** What the model reads before it goes on. */
export type Prompt = {
  tokens: Token[];
  /** How many of the first tokens are ours, a start mark, and so neither told nor counted. */
  ours: number;
  /** As it is echoed; null where there is nothing to echo. */
  text: string | null;
  /** True when what follows is the beginning of a text, not the rest of one. */
  opensText: boolean;
  /** Tokens and texts that end what follows, beside those that end every text of the model. */
  ends: { tokens: Token[]; texts: string[] };
};

const noEnds = { tokens: [], texts: [] };

/** The prompts of a job as the model's tokens; refuses what the model cannot take. */
export async function readPrompts(loaded: LoadedModel, job: TextJob): Promise<Prompt[]> {
  const prompts = await readAsk(loaded, job);
  for (const { tokens } of prompts) {
    if (tokens.length <= loaded.contextTokens) continue;
    throw new EngineError("invalid", `This model's context is ${loaded.contextTokens} tokens; the prompt has ${tokens.length}.`);
  }
  return prompts;
}

async function readAsk(loaded: LoadedModel, { ask, echo }: TextJob): Promise<Prompt[]> {
  if ("messages" in ask) return [await readMessages(loaded, ask.messages)];
  const { suffix } = ask;
  if (suffix === undefined || suffix === "") return ask.prompts.map((prompt) => readPrompt(loaded, prompt));
  if (echo) throw new EngineError("invalid", "A prompt with a suffix cannot be echoed.");
  return ask.prompts.map((prompt) => readGap(loaded, prompt, suffix));
}

function readPrompt(loaded: LoadedModel, prompt: string | number[]): Prompt {
  const { model, spelling } = loaded;
  const own = toTokens(model, prompt);
  const textFrom = startsMarked(model, own) ? 1 : 0;
  const spelled = own.map((token, index) => spelling.spell(token, index === textFrom));
  const text = typeof prompt === "string" ? prompt : Buffer.concat(spelled).toString("utf8");
  return { ...withStart(model, own), text, opensText: own.length === textFrom, ends: noEnds };
}

function readGap({ model }: LoadedModel, prompt: string | number[], suffix: string): Prompt {
  const { prefix, suffix: after, middle } = model.tokens.infill;
  if (prefix === null || after === null || middle === null) {
    throw new EngineError("invalid", "This model cannot fill in text before a suffix.");
  }
  const tokens = [prefix, ...toTokens(model, prompt), after, ...model.tokenize(suffix, false, "trimLeadingSpace"), middle];
  return { ...withStart(model, tokens), text: null, opensText: false, ends: noEnds };
}

async function readMessages(loaded: LoadedModel, messages: Extract<TextJob["ask"], { messages: unknown }>["messages"]): Promise<Prompt> {
  const { model } = loaded;
  const chat = await readChat(model, messages);
  return { ...withStart(model, chat.tokens), text: null, opensText: true, ends: chat.ends };
}

function toTokens(model: LlamaModel, prompt: string | number[]): Token[] {
  if (typeof prompt === "string") return model.tokenize(prompt, false);
  const known = model.fileInfo.metadata.tokenizer.ggml.tokens.length;
  const isToken = (id: number): id is Token => Number.isInteger(id) && id >= 0 && id < known;
  return prompt.map((id) => {
    if (isToken(id)) return id;
    throw new EngineError("invalid", `Token ${id} is not one of the ${known} tokens of this model.`);
  });
}

function withStart(model: LlamaModel, tokens: Token[]): { tokens: Token[]; ours: number } {
  const { bos, eos, shouldPrependBosToken } = model.tokens;
  if (shouldPrependBosToken && bos !== null && !startsMarked(model, tokens)) return { tokens: [bos, ...tokens], ours: 1 };
  if (tokens.length > 0) return { tokens, ours: 0 };
  const start = bos ?? eos;
  if (start === null) throw new EngineError("invalid", "This model needs a prompt to go on from.");
  return { tokens: [start], ours: 1 };
}

/** True when the first token is the model's start mark, before which no text can stand. */
export function startsMarked({ tokens: { bos } }: LlamaModel, tokens: readonly Token[]): boolean {
  return bos !== null && tokens[0] === bos;
}
