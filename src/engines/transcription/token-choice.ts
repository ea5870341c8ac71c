import type { Chance } from "../chance.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** The first words may start at most this late; a later start is usually a slip of the recogniser. */
const latestStartTicks = 50;

export type Choice = { token: number; logprob: number };

/** Chooses the next token: the likeliest, or at a temperature by chance, always within Whisper's rules for timestamps. */
export function chooseToken(
  logits: Float32Array,
  tokens: readonly number[],
  vocabulary: Vocabulary,
  temperature: number,
  chance: Chance,
): Choice {
  const allowed = logits.slice();
  for (const token of vocabulary.suppressed) allowed[token] = -Infinity;
  if (tokens.length === 0) for (const token of vocabulary.suppressedAtStart) allowed[token] = -Infinity;
  obeyTimestampRules(allowed, tokens, vocabulary);
  preferTimestamp(allowed, vocabulary.firstTimestamp);
  const total = logSumExp(allowed, 0, allowed.length);
  const token = temperature > 0 ? draw(allowed, temperature, chance) : highest(allowed);
  return { token, logprob: (allowed[token] ?? 0) - total };
}

/** Timestamps come in pairs around words, never go back, and the first token is always one. */
function obeyTimestampRules(allowed: Float32Array, tokens: readonly number[], { firstTimestamp, endOfText }: Vocabulary): void {
  const isTime = (token: number | undefined): boolean => token !== undefined && token >= firstTimestamp;
  if (tokens.length === 0) {
    allowed.fill(-Infinity, 0, firstTimestamp);
    allowed.fill(-Infinity, firstTimestamp + latestStartTicks + 1);
    return;
  }
  const last = tokens.at(-1);
  const beforeLast = tokens.at(-2);
  if (isTime(last)) {
    // Behind a closing time only the next opening time or the end; behind an opening time only words.
    if (tokens.length === 1 || isTime(beforeLast)) allowed.fill(-Infinity, firstTimestamp);
    else allowed.fill(-Infinity, 0, endOfText);
  }
  const latest = tokens.findLast(isTime);
  if (latest !== undefined) {
    const mayRepeat = isTime(last) && !(tokens.length === 1 || isTime(beforeLast));
    allowed.fill(-Infinity, firstTimestamp, latest + (mayRepeat ? 0 : 1));
  }
}

/** When all times together are likelier than any single word, it is time for a timestamp. */
function preferTimestamp(allowed: Float32Array, firstTimestamp: number): void {
  const times = logSumExp(allowed, firstTimestamp, allowed.length);
  let bestWord = -Infinity;
  for (let token = 0; token < firstTimestamp; token++) bestWord = Math.max(bestWord, allowed[token] ?? -Infinity);
  if (times > bestWord) allowed.fill(-Infinity, 0, firstTimestamp);
}

export function logSumExp(values: Float32Array, from: number, to: number): number {
  let top = -Infinity;
  for (let index = from; index < to; index++) top = Math.max(top, values[index] ?? -Infinity);
  if (top === -Infinity) return -Infinity;
  let sum = 0;
  for (let index = from; index < to; index++) sum += Math.exp((values[index] ?? -Infinity) - top);
  return top + Math.log(sum);
}

function highest(values: Float32Array): number {
  let best = 0;
  for (let index = 1; index < values.length; index++) if ((values[index] ?? 0) > (values[best] ?? 0)) best = index;
  return best;
}

function draw(values: Float32Array, temperature: number, chance: Chance): number {
  const likeliest = highest(values);
  const top = values[likeliest] ?? 0;
  const weights = values.map((value) => Math.exp((value - top) / temperature));
  let left = chance.next() * weights.reduce((sum, weight) => sum + weight, 0);
  for (let token = 0; token < weights.length; token++) {
    left -= weights[token] ?? 0;
    if (left <= 0 && (weights[token] ?? 0) > 0) return token;
  }
  return likeliest;
}
