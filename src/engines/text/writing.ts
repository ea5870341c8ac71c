import type { Token } from "node-llama-cpp";
import type { Chance } from "../chance.ts";
import type { TextJob, TokenChance } from "../job.ts";
import type { LoadedModel } from "./loaded-model.ts";
import type { Prompt } from "./prompt.ts";
import { untouched, type Proceed } from "./reading.ts";
import { createSampler, drawnFrom, logprobOf } from "./sampler.ts";
import { createTextFlow, type Told } from "./text-flow.ts";
import { tellChance } from "./token-chance.ts";

/** One continuation of a prompt; `made` counts its tokens, the mark that ended it aside. */
export type Draft = { text: string; finish: "stop" | "length"; tokens: TokenChance[]; made: number; meanLogprob: number };

export type Listener = { hear(told: Told): void; proceed: Proceed };

/** Goes on from a prompt whose head has been read, until the model, a stop text or a limit ends it. */
export async function writeDraft(loaded: LoadedModel, prompt: Prompt, job: TextJob, chance: Chance, listener: Listener): Promise<Draft> {
  const { model, spelling, contextTokens } = loaded;
  const sampler = createSampler(job, chance);
  const flow = createTextFlow([...job.stop, ...prompt.ends.texts]);
  const draft: Draft = { text: "", finish: "length", tokens: [], made: 0, meanLogprob: 0 };
  let logprobs = 0;
  // A start mark in the middle is how a model trained on joined texts says that this one is over.
  const isEnd = (token: Token): boolean => model.isEogToken(token) || token === model.tokens.bos || prompt.ends.tokens.includes(token);
  const take = (told: Told): void => {
    draft.text += told.text;
    draft.tokens.push(...told.tokens);
    if (told.text !== "" || told.tokens.length > 0) listener.hear(told);
  };

  const most = Math.min(job.maxTokens, contextTokens - prompt.tokens.length);
  for await (const { probabilities, choose } of weighNext(loaded, prompt, most, needsAll(job), listener.proceed)) {
    const token = sampler.pick(probabilities);
    logprobs += logprobOf(probabilities.get(token) ?? 0);
    draft.meanLogprob = logprobs / (draft.made + 1);
    if (isEnd(token)) {
      draft.finish = "stop";
      break;
    }
    const opensText = prompt.opensText && draft.made === 0;
    draft.made++;
    const told = job.alternatives === null ? undefined : tellChance(spelling, token, { probabilities, opensText }, job.alternatives);
    take(flow.add(spelling.spell(token, opensText), told));
    if (flow.stopped) {
      draft.finish = "stop";
      break;
    }
    choose(token);
  }
  take(flow.end());
  return draft;
}

type Weighed = { probabilities: ReadonlyMap<Token, number>; choose(token: Token): void };

/** What the model holds likely next, step by step; each step needs the token that was chosen at the one before. */
async function* weighNext(
  { sequence }: LoadedModel,
  { tokens }: Prompt,
  most: number,
  all: boolean,
  proceed: Proceed,
): AsyncGenerator<Weighed, void, void> {
  if (most <= 0) return;
  const head = tokens.length - 1;
  if (sequence.nextTokenIndex > head) await sequence.eraseContextTokenRanges([{ start: head, end: sequence.nextTokenIndex }]);
  const options = { ...untouched, topK: all ? 0 : drawnFrom, yieldEogToken: true };
  const steps = sequence.evaluateWithMetadata(tokens.slice(head), { probabilities: true }, options);
  let chosen: Token | undefined;
  try {
    for (let made = 0; made < most; made++) {
      proceed();
      const step = await (chosen === undefined ? steps.next() : steps.next(chosen));
      if (step.done === true) return;
      yield { probabilities: step.value.probabilities, choose: (token) => (chosen = token) };
    }
  } finally {
    await steps.return();
  }
}

/** To hand over the probability of every token takes ten times as long as to find the next one; most jobs do without. */
function needsAll({ alternatives, bestOf, choices, logitBias }: TextJob): boolean {
  return alternatives !== null || bestOf > choices || Object.keys(logitBias).length > 0;
}
