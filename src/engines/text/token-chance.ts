import type { Token } from "node-llama-cpp";
import type { TokenChance } from "../job.ts";
import { logprobOf } from "./sampler.ts";
import { readable, type Spelling } from "./spelling.ts";

/** A place in a text: what the model held likely there (null: nothing came before to judge by), and whether a text begins there. */
export type Place = { probabilities: ReadonlyMap<Token, number> | null; opensText: boolean };

/** A token as it is told: its spelling, its probability among all tokens of the vocabulary, and the likeliest ones at its place. */
export function tellChance(spelling: Spelling, token: Token, { probabilities, opensText }: Place, alternatives: number): TokenChance {
  const describe = (one: Token): { text: string; bytes: number[] } => {
    const bytes = spelling.spell(one, opensText);
    return { text: readable(bytes), bytes: [...bytes] };
  };
  const likeliest = probabilities?.entries().take(alternatives) ?? [];
  const top = Array.from(likeliest, ([one, share]) => ({ ...describe(one), logprob: logprobOf(share) }));
  const logprob = probabilities === null ? null : logprobOf(probabilities.get(token) ?? 0);
  return { ...describe(token), logprob, top };
}
