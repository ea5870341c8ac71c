import type { LlamaContextSequence, Token } from "node-llama-cpp";
import type { TokenChance } from "../job.ts";
import type { LoadedModel } from "./loaded-model.ts";
import { startsMarked, type Prompt } from "./prompt.ts";
import { tellChance } from "./token-chance.ts";

/** Called between two pieces of work: it tells that work goes on, and throws when nobody wants it any more. */
export type Proceed = () => void;

/** The engine's own probabilities, of all tokens. */
export const untouched = { temperature: 1, topK: 0, topP: 1, minP: 0, seed: 0 };

const readAtOnce = 256;
// The probabilities of every token of the vocabulary are kept for each of these until all are read.
const scoredAtOnce = 16;

/** Reads all of a prompt but its last token, which begins the writing; `reuse` keeps what the model still knows of an earlier text. */
export async function feedPrompt({ sequence }: LoadedModel, { tokens }: Prompt, reuse: boolean, proceed: Proceed): Promise<void> {
  const head = tokens.slice(0, -1);
  if (reuse) await sequence.adaptStateToTokens(head, false);
  else await sequence.clearHistory();
  for (let from = sequence.nextTokenIndex; from < head.length; from += readAtOnce) {
    proceed();
    await sequence.evaluateWithoutGeneratingNewTokens(head.slice(from, from + readAtOnce));
  }
}

/** Reads a prompt and tells how likely each of its tokens was; before the first there is nothing to judge it by. */
export async function scorePrompt(loaded: LoadedModel, prompt: Prompt, alternatives: number, proceed: Proceed): Promise<TokenChance[]> {
  const { model, sequence, spelling } = loaded;
  const { tokens, ours } = prompt;
  const head = tokens.slice(0, -1);
  const textFrom = startsMarked(model, tokens) ? 1 : 0;
  const first = tokens.slice(ours, ours + 1);
  const chances = first.map((token) => tellChance(spelling, token, { probabilities: null, opensText: true }, alternatives));
  await sequence.clearHistory();
  for (let from = 0; from < head.length; from += scoredAtOnce) {
    proceed();
    const weighed = await weigh(sequence, head.slice(from, from + scoredAtOnce));
    for (const [step, probabilities] of weighed.entries()) {
      const at = from + step + 1;
      const token = tokens[at];
      if (token !== undefined && at > ours)
        chances.push(tellChance(spelling, token, { probabilities, opensText: at === textFrom }, alternatives));
    }
  }
  return chances;
}

async function weigh(sequence: LlamaContextSequence, tokens: Token[]): Promise<ReadonlyMap<Token, number>[]> {
  const results = await sequence.controlledEvaluate(
    tokens.map((token) => [token, { generateNext: { probabilities: true, options: untouched } }]),
  );
  return results.map((result) => result?.next.probabilities ?? new Map<Token, number>());
}
