import type { Static } from "typebox";
import { Failure } from "../../core/errors.ts";
import type { Ratio, VideoInput } from "../../core/kinds.ts";
import type { Task } from "../../core/task.ts";
import { dialectWishes, modelOf, pictureOf, type Asking, type Order } from "./asking.ts";
import { readPrompt } from "./prompt-parameters.ts";
import type { VideoRequest } from "./schemas.ts";

const usualSeconds = 5;
const usualShapes: readonly Ratio[] = [
  { width: 1, height: 1 },
  { width: 16, height: 9 },
  { width: 9, height: 16 },
  { width: 4, height: 3 },
  { width: 3, height: 4 },
  { width: 3, height: 2 },
  { width: 2, height: 3 },
];

/** A video from a picture that is sent or was made before, or a longer one from a video that was made before. */
export async function animate(body: Static<typeof VideoRequest>, asking: Asking): Promise<Order> {
  const start = await startOf(body, asking);
  const prompt = body.prompt ?? "";
  const { plain, aspectRatio = start.shape, seed, negativePrompt } = readPrompt(prompt);
  const input: VideoInput = {
    prompt: plain,
    ...start.fields,
    ...(body.endImage && { lastImage: await pictureOf(body.endImage, "endImage", asking) }),
    durationSeconds: usualSeconds,
    isDefaultDuration: true,
    aspectRatio,
    ...(seed !== undefined && { seed }),
    ...(negativePrompt && { negativePrompt }),
    ...(body.loop === true && { loop: true }),
    ...dialectWishes(body, asking, { motion: body.motion ?? undefined, prompt: plain === prompt ? undefined : prompt }),
  };
  return { draft: { kind: "video", dialect: "image-a", model: start.model ?? modelOf(body), input } };
}

type Start = { fields: Pick<VideoInput, "image" | "source">; shape: Ratio; model?: string };
const wide: Ratio = { width: 16, height: 9 };

async function startOf({ image, base64, taskId, index }: Static<typeof VideoRequest>, asking: Asking): Promise<Start> {
  const sent = image || base64;
  if (sent) return { fields: { image: await pictureOf(sent, "image", asking) }, shape: wide };
  if (!taskId) throw new Failure("invalid_request", { says: "'image' or 'taskId' is required.", param: "image" });
  const { task, upstreamTaskId } = await asking.services.tasks.source(asking.caller, taskId);
  if (task.dialect !== "image-a") throw new Failure("task_not_found");
  return { ...madeBefore(task, upstreamTaskId, index ?? 1), model: task.model };
}

function madeBefore(task: Task, upstreamTaskId: string | null, index: number): Start {
  const { result } = task;
  if (result?.kind === "video" && task.kind === "video") {
    const source = { act: "extend", taskId: task.id, upstreamTaskId, video: { from: "file", id: result.video } } as const;
    return { fields: { source }, shape: task.input.aspectRatio };
  }
  if (result?.kind === "image" && result.grid !== null && result.pictures.length === 1)
    throw new Failure("invalid_request", { says: "The pictures of this task are one; enlarge one of them first.", param: "taskId" });
  const picture = result?.kind === "image" ? result.pictures[index - 1] : undefined;
  if (picture === undefined) throw new Failure("invalid_request", { says: `This task has no picture ${index}.`, param: "index" });
  const wished = task.kind === "image" ? task.input.aspectRatio : undefined;
  return { fields: { image: { from: "file", id: picture.image } }, shape: wished ?? nearestShape(picture.width, picture.height) };
}

function nearestShape(width: number, height: number): Ratio {
  if (width < 1 || height < 1) return wide;
  const far = (shape: Ratio) => Math.abs(Math.log((shape.width * height) / (shape.height * width)));
  return usualShapes.toSorted((a, b) => far(a) - far(b))[0] ?? wide;
}
