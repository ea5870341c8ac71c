/** How a request and a model are brought together. */
import { workOf, type ImageAct, type ImageInput, type TaskInput, type VideoAct, type VideoInput } from "./kinds.ts";
import type { KindLimits } from "./provider.ts";
import { upstreamModelOf, type Catalog, type Installed } from "./routing.ts";
import type { Task } from "./task.ts";

export type Misfit = { param: string; says: string };

/** A request as one route can take it, or what that route cannot do of it. */
export function fitRoute(
  task: TaskInput,
  serves: (model: string) => KindLimits,
  model: string,
  known: KindLimits | undefined,
): TaskInput | Misfit {
  const limits = { ...serves(model), ...known };
  const work = fitted(task, limits);
  return misfit(work, limits) ?? work;
}

/** A task as one provider is asked for it, and the upstream's name of its model: the one it was `sent` under, where it was. */
export function fitTask(catalog: Catalog, task: Task, { name, provider }: Installed, sent = ""): { work: TaskInput; model: string } {
  const model = sent || upstreamModelOf(catalog, task, name);
  const { limits } = catalog.find(task.kind, task.model) ?? {};
  const work = fitRoute(workOf(task), provider.tasks?.serves[task.kind] ?? (() => ({})), model, limits);
  // What does not fit is the provider's to refuse: it did when the task was accepted.
  return { work: "says" in work ? workOf(task) : work, model };
}

/** The request with what nobody asked for moved to what a model can do. */
function fitted(task: TaskInput, { durations, count = Number.POSITIVE_INFINITY }: KindLimits): TaskInput {
  // A grid is made of as many pictures as the model gives at once.
  if (task.kind === "image" && task.input.grid && task.input.count > count) return { kind: "image", input: { ...task.input, count } };
  if (task.kind !== "video" || task.input.isDefaultDuration !== true || durations === undefined) return task;
  const wish = task.input.durationSeconds;
  const list = "min" in durations ? [Math.min(Math.max(wish, durations.min), durations.max)] : durations;
  const nearest = list.toSorted((a, b) => Math.abs(a - wish) - Math.abs(b - wish))[0] ?? wish;
  return { kind: "video", input: { ...task.input, durationSeconds: nearest } };
}

/** What a model cannot do of a request; null when it fits. */
function misfit(task: TaskInput, limits: KindLimits): Misfit | null {
  if (task.kind === "video") return videoMisfit(task.input, limits);
  return task.kind === "image" ? imageMisfit(task.input, limits) : null;
}

function actMisfit(act: ImageAct | VideoAct, { acts = ["generate"] }: KindLimits): Misfit | null {
  return acts.includes(act) ? null : { param: "model", says: `This model cannot ${verbs[act]}.` };
}

const verbs: Record<ImageAct | VideoAct, string> = {
  generate: "make pictures or videos from a prompt",
  edit: "edit pictures",
  vary: "make variations of pictures",
  blend: "blend pictures",
  upscale: "enlarge pictures",
  reroll: "make the same again",
  zoom: "zoom out of pictures",
  pan: "widen pictures",
  describe: "describe pictures",
  shorten: "shorten prompts",
  swap: "swap faces",
  extend: "extend videos",
  remix: "remix videos",
};

function imageMisfit({ act, prompt, count }: ImageInput, limits: KindLimits): Misfit | null {
  const { promptCharacters, count: most } = limits;
  const wrong = actMisfit(act, limits);
  if (wrong !== null) return wrong;
  if (promptCharacters !== undefined && prompt.length > promptCharacters)
    return { param: "prompt", says: `This model takes prompts of at most ${promptCharacters} characters.` };
  return most !== undefined && count > most
    ? { param: "n", says: most === 1 ? "This model makes one picture at a time." : `This model makes at most ${most} pictures at once.` }
    : null;
}

function videoMisfit(input: VideoInput, limits: KindLimits): Misfit | null {
  const { prompt, image, durationSeconds, aspectRatio, source } = input;
  const wrong = actMisfit(source?.act ?? "generate", limits);
  if (wrong !== null) return wrong;
  const ratio = `${aspectRatio.width}:${aspectRatio.height}`;
  const { durations, aspectRatios, promptCharacters, needsImage } = limits;
  if (needsImage === true && image === undefined && source === undefined) return { param: "image", says: "This model needs an image." };
  if (promptCharacters !== undefined && prompt.length > promptCharacters)
    return { param: "prompt", says: `This model takes prompts of at most ${promptCharacters} characters.` };
  if (aspectRatios !== undefined && !aspectRatios.includes(ratio))
    return { param: "aspect_ratio", says: `This model makes ${aspectRatios.join(", ")}.` };
  if (durations === undefined) return null;
  if ("min" in durations) {
    const { min, max } = durations;
    return durationSeconds < min || durationSeconds > max
      ? { param: "duration", says: `This model makes videos of ${min} to ${max} seconds.` }
      : null;
  }
  return durations.includes(durationSeconds)
    ? null
    : { param: "duration", says: `This model makes videos of ${durations.join(", ")} seconds.` };
}
