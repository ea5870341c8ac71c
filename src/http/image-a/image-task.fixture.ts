import type { ImageInput } from "../../core/kinds.ts";
import { acceptedTask, type Task, type TaskResult } from "../../core/task.ts";

type Pictures = Extract<TaskResult, { kind: "image" }>;

/** An image task of this group as tests need it: accepted, or finished with what is given. */
export function imageTask(input: Partial<ImageInput> = {}, result: Partial<Pictures> | null = null): Task {
  const accepted = acceptedTask({
    kind: "image",
    input: { act: "generate", prompt: "a cat --ar 3:2", images: [], count: 4, grid: true, ...input },
    id: "01900000-0000-7000-8000-000000000001",
    account: "a",
    dialect: "image-a",
    model: "midjourney",
    price: {},
    holdNanos: 0,
    songIds: [],
    createdAt: 1_000,
    deadlineAt: 9_000,
  });
  if (result === null) return accepted;
  const made: Pictures = { kind: "image", pictures: [], grid: null, texts: [], buttons: [], usage: null, ...result };
  return { ...accepted, status: "SUCCESS", progress: 100, startedAt: 2_000, finishedAt: 3_000, result: made };
}

/** Pictures by the ids of their assets. */
export function picturesNamed(...names: string[]): Pictures["pictures"] {
  return names.map((image) => ({ image, seed: 7, prompt: null, width: 1216, height: 816 }));
}
