import { isDeferred, type InputFile, type TaskInput } from "./kinds.ts";

/** The files that a task goes by, wherever they lie. */
export function inputFiles(task: TaskInput): InputFile[] {
  if (isDeferred(task)) return task.input.files.map(({ file }) => file);
  if (task.kind === "video") return present(task.input.image, task.input.lastImage, task.input.source?.video);
  return task.kind === "image" ? present(...task.input.images, task.input.mask) : [];
}

function present(...files: (InputFile | undefined)[]): InputFile[] {
  return files.filter((file) => file !== undefined);
}
