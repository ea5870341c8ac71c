import { randomInt } from "node:crypto";
import { createChance, type Chance } from "../chance.ts";
import type { TextJob, TextPiece, TextResult, TokenChance } from "../job.ts";
import { loadModel, type LoadedModel } from "./loaded-model.ts";
import { readPrompts, type Prompt } from "./prompt.ts";
import { feedPrompt, scorePrompt, type Proceed } from "./reading.ts";
import { keepStoryModel, storyModelPath } from "./story-model.ts";
import { writeDraft, type Draft } from "./writing.ts";

type Tell = (piece: TextPiece) => void;
type Work = { loaded: LoadedModel; job: TextJob; proceed: Proceed };
/** What precedes every choice of a prompt when it is echoed. */
type Echo = { text: string; tokens: TokenChance[] };

/** Goes on from the prompts of a job; pieces are told as soon as they are certain, the result holds everything. */
export async function writeText(job: TextJob, tell: Tell, proceed: Proceed = () => {}): Promise<TextResult> {
  const work = { loaded: await open(job), job, proceed };
  const prompts = await readPrompts(work.loaded, job);
  const chance = createChance("text", job.seed ?? randomInt(2 ** 47));
  const result: TextResult = { engine: "text", model: work.loaded.name, choices: [], promptTokens: 0, completionTokens: 0 };
  for (const [index, prompt] of prompts.entries()) {
    const tellHere: Tell = (piece) => tell({ ...piece, choice: index * job.choices + piece.choice });
    const { made, choices } = await answer(work, prompt, chance.branch(index), tellHere);
    result.promptTokens += prompt.tokens.length - prompt.ours;
    result.completionTokens += made;
    result.choices.push(...choices);
  }
  return result;
}

function open({ modelPath, cacheDir }: TextJob): Promise<LoadedModel> {
  if (modelPath !== undefined) return loadModel(modelPath, async () => {});
  return loadModel(storyModelPath(cacheDir), () => keepStoryModel(cacheDir));
}

async function answer(work: Work, prompt: Prompt, chance: Chance, tell: Tell) {
  const { loaded, job, proceed } = work;
  const echo = await begin(work, prompt);
  // Which of more drafts than wished will be kept is known only when all are written.
  const chosenLater = job.bestOf > job.choices;
  const drafts: Draft[] = [];
  for (let choice = 0; choice < Math.max(job.choices, job.bestOf); choice++) {
    const hear = chosenLater ? () => {} : (part: Echo): void => tell(withTokens(job, { choice, ...part }));
    if (echo !== null) hear(echo);
    const draft = await writeDraft(loaded, prompt, job, chance.branch(choice), { hear, proceed });
    drafts.push({ ...draft, text: (echo?.text ?? "") + draft.text, tokens: [...(echo?.tokens ?? []), ...draft.tokens] });
  }
  const made = drafts.reduce((sum, draft) => sum + draft.made, 0);
  if (chosenLater) {
    drafts.sort((a, b) => b.meanLogprob - a.meanLogprob).splice(job.choices);
    for (const [choice, { text, tokens }] of drafts.entries()) tell(withTokens(job, { choice, text, tokens }));
  }
  return { made, choices: drafts.map(({ text, finish, tokens }) => withTokens(job, { text, finish, tokens })) };
}

/** Has the model read a prompt; gives back what is told of it, null for nothing. */
async function begin({ loaded, job, proceed }: Work, prompt: Prompt): Promise<Echo | null> {
  const text = job.echo ? prompt.text : null;
  if (text !== null && job.alternatives !== null) return { text, tokens: await scorePrompt(loaded, prompt, job.alternatives, proceed) };
  // Who asks for a repeatable text gets it: what is left of an earlier one was reckoned in other portions and differs in the last digits.
  const reuse = job.seed === undefined && job.temperature > 0;
  if (job.maxTokens > 0) await feedPrompt(loaded, prompt, reuse, proceed);
  return text === null ? null : { text, tokens: [] };
}

function withTokens<T extends { tokens: TokenChance[] }>(job: TextJob, part: T): Omit<T, "tokens"> & { tokens?: TokenChance[] } {
  const { tokens, ...rest } = part;
  return job.alternatives === null ? rest : { ...rest, tokens };
}
