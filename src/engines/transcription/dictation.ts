import { deflateSync } from "node:zlib";
import { createChance } from "../chance.ts";
import type { Listening } from "./recogniser.ts";
import { chooseToken, logSumExp } from "./token-choice.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** What was written down of one window, and how sure the recogniser is of it. */
export type Transcript = {
  tokens: number[];
  averageLogprob: number;
  compressionRatio: number;
  noSpeechProbability: number;
};

export type DictationPlan = { language: number; task: number; prompt: readonly number[]; temperature: number };

const mostTokens = 224;
/** Text that packs better than this says the same thing over and over. */
const loopRatio = 2.4;
const unsureLogprob = -1;
const silenceProbability = 0.6;
/** A second try is made by chance, so that it leaves the rut of the first. */
const retryTemperature = 0.6;

/** Writes a window down; a first try that loops or guesses is made once more, and the better one counts. */
export async function dictate(heard: Listening, plan: DictationPlan, vocabulary: Vocabulary): Promise<Transcript> {
  const first = await dictateOnce(heard, plan, vocabulary);
  const silent = isSilence(first);
  const sure = !isLoop(first) && first.averageLogprob >= unsureLogprob;
  if (silent || sure || plan.temperature > 0) return first;
  const second = await dictateOnce(heard, { ...plan, temperature: retryTemperature }, vocabulary);
  return rank(second) > rank(first) ? second : first;
}

/** Whether a window holds no speech: the recogniser says so, and what it wrote is a guess. */
export function isSilence({ noSpeechProbability, averageLogprob }: Transcript): boolean {
  return noSpeechProbability > silenceProbability && averageLogprob < unsureLogprob;
}

/** Whether the recogniser fell into saying the same thing over and over. */
export function isLoop({ compressionRatio }: Transcript): boolean {
  return compressionRatio > loopRatio;
}

/** Finds out the language that is spoken: the likeliest of those the recogniser knows. */
export async function detectLanguage(heard: Listening, vocabulary: Vocabulary): Promise<string> {
  const logits = (await heard.begin([vocabulary.startOfTranscript])).logitsAt(0);
  const likelihood = (token: number): number => logits[token] ?? -Infinity;
  const [best] = [...vocabulary.languages].sort(([, one], [, other]) => likelihood(other) - likelihood(one));
  return best?.[0] ?? "en";
}

async function dictateOnce(heard: Listening, plan: DictationPlan, vocabulary: Vocabulary): Promise<Transcript> {
  const before = plan.prompt.length > 0 ? [vocabulary.startOfPrevious, ...plan.prompt] : [];
  const opening = [...before, vocabulary.startOfTranscript, plan.language, plan.task];
  const dictation = await heard.begin(opening);
  const startLogits = dictation.logitsAt(before.length);
  const noSpeech = (startLogits[vocabulary.noSpeech] ?? -Infinity) - logSumExp(startLogits, 0, startLogits.length);
  const chance = createChance("dictation", plan.temperature);
  const tokens: number[] = [];
  let logits = dictation.logitsAt(opening.length - 1);
  let sum = 0;
  while (tokens.length < mostTokens) {
    const { token, logprob } = chooseToken(logits, tokens, vocabulary, plan.temperature, chance);
    sum += logprob;
    if (token === vocabulary.endOfText) break;
    tokens.push(token);
    logits = await dictation.next(token);
  }
  return {
    tokens,
    averageLogprob: sum / (tokens.length + 1),
    compressionRatio: measureRepetition(vocabulary.decode(tokens)),
    noSpeechProbability: Math.exp(noSpeech),
  };
}

function rank({ compressionRatio, averageLogprob }: Transcript): number {
  return averageLogprob - Math.max(0, compressionRatio - loopRatio);
}

function measureRepetition(text: string): number {
  const bytes = Buffer.from(text, "utf8");
  return bytes.length === 0 ? 0 : bytes.length / deflateSync(bytes).length;
}
