import type { Token } from "node-llama-cpp";
import type { Chance } from "../chance.ts";
import type { TextJob } from "../job.ts";

export type Taste = Pick<TextJob, "temperature" | "topP" | "frequencyPenalty" | "presencePenalty" | "logitBias">;

/** Chooses the next token from the model's probabilities, likeliest first; remembers what it chose, for the penalties. */
export type Sampler = { pick(probabilities: ReadonlyMap<Token, number>): Token };

/** So many of the likeliest tokens are in the draw; the rest are noise. */
export const drawnFrom = 128;
/** A bias that forbids. */
const never = -100;
// The smallest number the engine can tell; what it tells as 0 is smaller still.
const leastProbability = 1e-45;

type Candidate = { token: Token; score: number };

export function createSampler(taste: Taste, chance: Chance): Sampler {
  const { temperature, topP, frequencyPenalty, presencePenalty } = taste;
  const biases = new Map(Object.entries(taste.logitBias).map(([id, bias]) => [Number(id), bias]));
  const uses = new Map<Token, number>();

  function penalty(token: Token): number {
    const count = uses.get(token) ?? 0;
    return count * frequencyPenalty + (count > 0 ? presencePenalty : 0);
  }

  return {
    pick(probabilities) {
      const candidates = likeliest(probabilities, biases)
        .map(({ token, score }) => ({ token, score: score - penalty(token) }))
        .sort((a, b) => b.score - a.score);
      const [best] = candidates;
      if (best === undefined) throw new RangeError("There is no token to choose from.");
      const token = temperature <= 0 ? best.token : draw(candidates, best, temperature, topP, chance.next());
      uses.set(token, (uses.get(token) ?? 0) + 1);
      return token;
    },
  };
}

/** The engine tells the smallest probabilities as 0; a logarithm needs a number. */
export function logprobOf(probability: number): number {
  return Math.log(Math.max(probability, leastProbability));
}

function likeliest(probabilities: ReadonlyMap<Token, number>, biases: ReadonlyMap<number, number>): Candidate[] {
  if (biases.size === 0)
    return Array.from(probabilities.entries().take(drawnFrom), ([token, share]) => ({ token, score: logprobOf(share) }));
  const all: Candidate[] = [];
  for (const [token, share] of probabilities) {
    const bias = biases.get(token) ?? 0;
    if (bias > never) all.push({ token, score: logprobOf(share) + bias });
  }
  return all.sort((a, b) => b.score - a.score).slice(0, drawnFrom);
}

function draw(candidates: readonly Candidate[], best: Candidate, temperature: number, topP: number, luck: number): Token {
  const weights = candidates.map(({ score }) => Math.exp((score - best.score) / temperature));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let nucleus = 0;
  let kept = 0;
  while (kept < weights.length && (kept === 0 || nucleus < topP * total)) nucleus += weights[kept++] ?? 0;
  let left = luck * nucleus;
  for (const [index, weight] of weights.slice(0, kept).entries()) {
    left -= weight;
    if (left < 0) return candidates[index]?.token ?? best.token;
  }
  return best.token;
}
