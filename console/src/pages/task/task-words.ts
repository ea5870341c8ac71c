import { madeOf } from "../../api/task-result.ts";
import type { Task } from "../../api/tasks.ts";
import { isKey, t } from "../../i18n/translate.ts";
import type { IconName } from "../../ui/icon.tsx";

const icons: Record<string, IconName> = {
  video: "video",
  music: "music",
  lyrics: "lyrics",
  image: "image",
  chat: "chat",
  speech: "speech",
  transcription: "transcript",
};

/** The kinds of task that a list can be filtered by. */
export const kinds = ["music", "video", "image", "lyrics", "speech", "transcription", "chat"] as const;

export function kindIcon(kind: string): IconName {
  return icons[kind] ?? "sparkle";
}

export function kindName(kind: string): string {
  const key = `task.kind.${kind}`;
  return isKey(key) ? t(key) : kind;
}

/** How a task goes on from its parent: "Upscaled", "Continuation". */
export function relationName(relation: string): string {
  const key = `task.relation.${relation}`;
  return isKey(key) ? t(key) : relation;
}

/** What a task is called in a list: its title, what was asked for, or its kind. */
export function nameOf({ title, prompt, kind }: Pick<Task, "title" | "prompt" | "kind">): string {
  return title || prompt || kindName(kind);
}

/** A picture that stands for what a task has made; "" when there is none. */
export function thumbnailOf(task: Pick<Task, "kind" | "result">): string {
  const made = madeOf(task);
  if (made?.kind === "image") return made.pictures[0]?.url ?? "";
  if (made?.kind === "video") return made.cover;
  return made?.kind === "music" ? (made.songs[0]?.image ?? "") : "";
}

/** How long a task took once it was accepted, in seconds; null while it runs. */
export function secondsTaken({ created_at: from, finished_at: to }: Pick<Task, "created_at" | "finished_at">): number | null {
  return to === null ? null : Math.max(to - from, 0);
}
