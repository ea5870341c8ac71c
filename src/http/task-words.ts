/** The words that a task is told from others by. */
import type { DeferredInput, TaskInput } from "../core/kinds.ts";
import type { Task } from "../core/task.ts";
import { wholePrompt } from "./image-a/asking.ts";

const most = 500;

/** What was asked for, shortened; "" where no words were. */
export function promptOf(task: TaskInput): string {
  return shortened(wordsOf(task).trim());
}

/** What it is called: as was asked, or as it was made. */
export function titleOf(task: Task): string {
  const { result } = task;
  const asked = task.kind === "music" ? task.input.title : undefined;
  const made = result?.kind === "lyrics" ? result.title : result?.kind === "music" ? result.songs[0]?.title : undefined;
  return shortened((asked ?? made ?? "").trim());
}

function wordsOf(task: TaskInput): string {
  if (task.kind === "music") return task.input.description ?? task.input.lyrics ?? task.input.tags ?? "";
  if (task.kind === "lyrics") return task.input.prompt;
  if (task.kind === "video" || task.kind === "image") return wholePrompt(task.input);
  return spoken(task.input);
}

/** What a call says: the text to speak, or the last words of a talk. */
function spoken({ body }: DeferredInput): string {
  const { input, prompt, messages } = body;
  if (typeof input === "string") return input;
  if (typeof prompt === "string") return prompt;
  return Array.isArray(messages) ? textOf(Reflect.get(Object(messages.at(-1)), "content")) : "";
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts = content.map((part: unknown): unknown => Reflect.get(Object(part), "text"));
  return texts.filter((text) => typeof text === "string").join(" ");
}

function shortened(text: string): string {
  // Half of a character would be none.
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
