/** What the dialects of video have in common: they are views of the same tasks. */
import { Type } from "typebox";
import type { Caller } from "../../core/accounts.ts";
import { Failure } from "../../core/errors.ts";
import type { Ratio, VideoInput, VideoSource } from "../../core/kinds.ts";
import type { Task } from "../../core/task.ts";
import { parseJsonBody } from "../json-body.ts";
import type { Services } from "../services.ts";
import { nullable } from "../wire.ts";

export const VideoId = Type.Object({ id: Type.String() });

/** Whole seconds, as a number or as digits. */
export const secondsWish = Type.Optional(
  nullable(
    Type.Union([Type.Integer({ minimum: 1, maximum: 60 }), Type.String({ pattern: "^([0-9]{1,2}s?)?$" })], {
      description: "whole seconds, 1 to 60",
    }),
  ),
);

/** The name of a resolution, or nothing. */
export const resolutionWish = Type.Optional(
  nullable(Type.String({ pattern: "^([0-9]{3,4}[pP]|[248][kK])?$", description: "720p, 1080p and the like" })),
);

/** The size of the frame in pixels, or nothing. */
export const sizeWish = Type.Optional(
  nullable(Type.String({ pattern: "^([0-9]{2,5}[xX*][0-9]{2,5})?$", description: "widthxheight in pixels, such as 1280x720" })),
);

/** Further wishes for the upstream, as an object or as JSON text. */
export const MetadataWish = Type.Optional(
  nullable(Type.Union([Type.Object({}, { additionalProperties: true }), Type.String()], { description: "further wishes by name" })),
);

/** Those wishes. */
export function metadataOf(wish: object | string | null | undefined): Record<string, unknown> {
  const given: unknown = typeof wish === "string" ? parseJsonBody(wish) : wish;
  if (given === undefined || given === null) return {};
  if (typeof given !== "object" || Array.isArray(given))
    throw new Failure("invalid_request", { says: "'metadata' must be an object.", param: "metadata" });
  return { ...given };
}

/** How long a video is to be; nothing and the empty text mean that nobody asked. */
export function lengthOf(
  wish: string | number | null | undefined,
  usual: number,
  param: string,
): Pick<VideoInput, "durationSeconds" | "isDefaultDuration"> {
  if (wish === undefined || wish === null || wish === "") return { durationSeconds: usual, isDefaultDuration: true };
  const durationSeconds = Number.parseInt(String(wish), 10);
  if (durationSeconds < 1 || durationSeconds > 60)
    throw new Failure("invalid_request", { says: `'${param}' must be 1 to 60 seconds.`, param });
  return { durationSeconds };
}

/** Makes sure that there is something to go by. */
export function needPrompt(prompt: string, hasPicture: boolean, param: string): void {
  if (prompt.trim() === "" && !hasPicture)
    throw new Failure("invalid_request", { says: `'${param}' is required unless an image is given.`, param });
}

const lines = [360, 480, 540, 720, 1080, 1440, 2160];

/** The usual name of the resolution that is nearest to a size. */
export function resolutionOf(size: string): string {
  const short = Math.min(...size.split(/\D/).map(Number));
  return `${lines.toSorted((a, b) => Math.abs(a - short) - Math.abs(b - short))[0] ?? short}p`;
}

/** Pixels written as "1280x720". */
export function pixelsOf(text: string): Ratio {
  const [width = 0, height = 0] = text.split("x", 2).map(Number);
  return { width, height };
}

/** The pixels that a request asks for: as it said, or what follows from shape and resolution. */
export function frameOf({ aspectRatio, resolution = "720p", size }: VideoInput): Ratio {
  if (size !== undefined) return size;
  const count = Number.parseInt(resolution, 10);
  const short = /k$/i.test(resolution) ? count * 540 : count;
  const long = (share: number) => Math.round((short * share) / 2) * 2;
  return aspectRatio.width >= aspectRatio.height
    ? { width: long(aspectRatio.width / aspectRatio.height), height: short }
    : { width: short, height: long(aspectRatio.height / aspectRatio.width) };
}

/** The pixels that a video really has, as far as they could be read. */
export function madeFrame({ width, height }: { width?: number; height?: number }, input: VideoInput): Ratio {
  return width !== undefined && height !== undefined ? { width, height } : frameOf(input);
}

/** A video of the caller's, through whatever group it came in. */
export async function videoTask({ tasks }: Pick<Services, "tasks">, caller: Caller, id: string): Promise<VideoTask> {
  const task = await tasks.get(caller, id);
  if (task.kind !== "video") throw new Failure("task_not_found");
  return task;
}

export type VideoTask = Task & { kind: "video" };

/** The asset of a finished video; throws while there is none, and where there never will be. */
export function finishedVideo(task: Task): { video: string; cover: string | null } {
  if (task.result?.kind === "video") return task.result;
  if (task.status === "FAILURE")
    throw new Failure("not_found", {
      says: `There is no video, because the task failed: ${task.failReason ?? "the reason is not known."}`,
    });
  throw new Failure("task_not_ready", { says: "The video is not finished yet." });
}

/** The finished video that another one goes on from or changes, and the task that made it. */
export async function videoSource(
  { tasks }: Pick<Services, "tasks">,
  caller: Caller,
  id: string,
  act: VideoSource["act"],
): Promise<{ task: VideoTask; source: VideoSource }> {
  const { task, upstreamTaskId } = await tasks.source(caller, id);
  if (task.kind !== "video") throw new Failure("task_not_found");
  const { video } = finishedVideo(task);
  return { task, source: { act, taskId: task.id, upstreamTaskId, video: { from: "file", id: video } } };
}
